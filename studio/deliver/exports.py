"""Other outputs of a film: GIF, ProRes master, burned-in subtitles. By the bundled ffmpeg."""

from pathlib import Path
from typing import IO

import ffmpeg
import numpy as np

from scenes.fontfiles import FAMILIES
from studio.deliver import fonts, subtitles
from studio.deliver.ffmpeg import publish_video, run_ffmpeg
from studio.deliver.rendered import Rendered
from studio.draw.beats import draw
from studio.draw.renderer import ChangedBoxes
from studio.render.order import Order
from studio.render.own import require_own
from studio.render.pool import Report
from studio.render.scratch import scratch_folder

__all__ = ["GIF_RATE", "burned", "gif", "master"]

GIF_RATE, GIF_WIDTH = 20, 960
_DARK_INK, _LIGHT_INK = "#17202B", "#E8EDF2"
_FONT_SIZE = {"zh": 56}  # of the others 50, on a picture 1080 high


def gif(clip: Path, frames: int, fps: int, final: Path, report: Report) -> Path:
    """A looping GIF of a clip, at most 960 px wide, 20 frames a second, own palette.

    GIF counts hundredths of a second: 20 is an exact rate, 30 and 60 are not.
    """
    count = frames * GIF_RATE // fps
    with scratch_folder(final.parent) as scratch:
        picture = (ffmpeg.input(str(clip.resolve())).filter("fps", GIF_RATE)
                   .filter("scale", f"min({GIF_WIDTH},iw)", -2, flags="lanczos").split())
        palette = picture[0].filter("palettegen", stats_mode="full")
        stream = ffmpeg.filter([picture[1], palette], "paletteuse", dither="none",
                               diff_mode="rectangle").output("made.gif", loop=0)
        run_ffmpeg(stream, scratch, count, report, final.name)
        return publish_video(scratch / "made.gif", final, count)


def _film_input(rendered: Rendered) -> "ffmpeg.nodes.FilterableStream":
    return ffmpeg.input(str((rendered.folder / rendered.names.film).resolve()))


def _beat_times(rendered: Rendered) -> str:
    """Times of the beats' first frames for ffmpeg's -force_key_frames."""
    return ",".join(f"{beat['start_frame'] / rendered.fps:.6f}" for beat in rendered.beats)


def burned(rendered: Rendered, language: str, out: Path, report: Report) -> Path:
    """The film with one language's subtitles drawn into the empty band at its foot."""
    frames = rendered.sheet["total_frames"]
    final = out / f"{rendered.variant}.subtitled-{language}.mp4"
    require_own(final)
    with scratch_folder(out) as scratch:
        _write_ass(scratch, rendered, language)
        source = _film_input(rendered)
        picture = source["v"].filter("ass", "words.ass", fontsdir="fonts")
        sound = [source["a"]] if rendered.voice else []
        stream = ffmpeg.output(picture, *sound, "made.mp4", **{
            "c:v": "libx264", "preset": "veryfast", "crf": 18, "profile:v": "high",
            "pix_fmt": "yuv420p", "g": rendered.fps, "x264-params": "open-gop=0:scenecut=0",
            "forced-idr": 1, "force_key_frames": _beat_times(rendered),
            "movflags": "+faststart", "map_metadata": 0, "map_chapters": 0, "c:a": "copy"})
        run_ffmpeg(stream, scratch, frames, report, final.name)
        return publish_video(scratch / "made.mp4", final, frames)


def _write_ass(folder: Path, rendered: Rendered, language: str) -> None:
    """`words.ass` and `fonts/`: the pinned font, its weight fixed, the glyphs needed."""
    cues = rendered.cues(language)
    font = "cjk" if language == "zh" else "sans"
    axes = {"wght": 500} if font == "cjk" else {"wght": 500, "opsz": 24}
    letters = "".join(row for cue in cues for row in cue.rows) + " "
    (folder / "fonts").mkdir()
    (folder / "fonts" / "words.otf").write_bytes(fonts.subset(font, letters, **axes))
    background = rendered.manifest["ground"]
    is_bright = sum(int(background[k:k + 2], 16) for k in (1, 3, 5)) > 3 * 128
    text = subtitles.ass(cues, FAMILIES[font], _FONT_SIZE.get(language, 50),
                         _DARK_INK if is_bright else _LIGHT_INK, background)
    (folder / "words.ass").write_text(text, encoding="utf-8")


def master(order: Order, out: Path, report: Report) -> Path:
    """ProRes 422 HQ, 10 bits, from freshly drawn frames: never through the film's H.264."""
    plan = order.planned()
    final, frames = out / f"{order.variant(plan)}.master.mov", plan.frames(order.fps)
    width, height = order.size
    require_own(final)

    with scratch_folder(out) as scratch:
        def feed(pipe: IO[bytes]) -> None:
            done = 0

            def write(beat: str, frame: int, pixels: np.ndarray, repeat: int,
                      boxes: ChangedBoxes) -> None:
                nonlocal done
                picture = pixels.tobytes()
                for _ in range(repeat):
                    pipe.write(picture)
                done += repeat
                report(done, frames, final.name)

            draw(order, range(len(plan.beats)), write, scratch / "media")

        stream = (ffmpeg.input("pipe:", format="rawvideo", pix_fmt="rgba",
                               s=f"{width}x{height}", r=order.fps)
                  .filter("scale", out_color_matrix="bt709", out_range="tv",
                          flags="accurate_rnd+full_chroma_int")
                  .filter("setparams", color_primaries="bt709", color_trc="bt709",
                          colorspace="bt709", range="tv")
                  .output("made.mov", **{"c:v": "prores_aw", "profile:v": 3, "vendor": "apl0",
                                         "pix_fmt": "yuv422p10le",
                                         "metadata": f"title={plan.title[order.language]}"}))
        run_ffmpeg(stream, scratch, frames, report, final.name, feed)
        return publish_video(scratch / "made.mov", final, frames)
