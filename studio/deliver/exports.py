"""Other outputs of a film: GIF, WebM, ProRes master, burned-in subtitles. By the bundled ffmpeg."""

import os
import subprocess
from pathlib import Path

import av
import ffmpeg
import imageio_ffmpeg

from scenes.stage import LANGUAGES
from studio.deliver import fonts
from studio.deliver.rendered import Rendered, renew, workplace
from studio.render import film
from studio.render.order import Order, choose
from studio.render.pool import RenderError
from studio.render.store import settle

__all__ = ["burned", "gif", "master", "webm"]

GIF_RATE, GIF_WIDTH = 20, 960


def _run(stream, folder: Path, frames: int, report, note: str, feed=None) -> None:
    """Run ffmpeg in `folder`; `feed(pipe)` writes its input. RenderError with its last line."""
    command = stream.compile(cmd=imageio_ffmpeg.get_ffmpeg_exe(), overwrite_output=True)
    command[1:1] = ["-hide_banner", "-loglevel", "error", "-progress", "pipe:1"]
    errors = folder / "ffmpeg.log"
    with errors.open("wb") as log, subprocess.Popen(
            command, cwd=folder, stderr=log,
            stdout=subprocess.DEVNULL if feed else subprocess.PIPE,
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL) as process:
        try:
            if feed:
                feed(process.stdin)
                process.stdin.close()
            else:
                for line in process.stdout:
                    if line.startswith(b"frame="):
                        report(min(frames, int(line[6:])), frames, note)
            code = process.wait()
        except BrokenPipeError:
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code:
        last = errors.read_text(errors="replace").strip().splitlines() or ["no message"]
        if "No space left" in errors.read_text(errors="replace"):
            last = ["no space left on the disk; make room and run again"]
        raise RenderError(f"{note}: ffmpeg: {last[-1]}")


def _finish(made: Path, final: Path, frames: int) -> Path:
    """Decode what was made; put it under its final name when it holds `frames` frames."""
    with av.open(str(made)) as file:
        file.streams.video[0].thread_type = "AUTO"
        count = sum(1 for _ in file.decode(video=0))
    if count != frames:
        raise RenderError(f"{final.name}: {count} frames, {frames} expected")
    settle(made)
    os.replace(made, final)
    return final


def gif(order: Order, beat: str, out: Path, workers: int, report) -> Path:
    """A looping GIF of one beat, at most 960 px wide, 20 frames a second, own palette.

    GIF counts hundredths of a second: 20 is an exact rate, 30 and 60 are not.
    """
    final = out / f"{order.variant(order.planned())}-{beat}.gif"
    had = final.with_suffix(".mp4").exists()
    clip = film.clip(order, [beat], out, workers, report)
    frames = order.planned().beat(beat).frames(order.fps)
    with workplace(out) as scratch:
        picture = (ffmpeg.input(str(clip.resolve())).filter("fps", GIF_RATE)
                   .filter("scale", f"min({GIF_WIDTH},iw)", -2, flags="lanczos").split())
        palette = picture[0].filter("palettegen", stats_mode="full")
        stream = ffmpeg.filter([picture[1], palette], "paletteuse", dither="none",
                               diff_mode="rectangle").output("made.gif", loop=0)
        _run(stream, scratch, frames * GIF_RATE // order.fps, report, final.name)
        _finish(scratch / "made.gif", final, frames * GIF_RATE // order.fps)
    if not had:
        clip.unlink()
    return final


def _starts(rendered: Rendered) -> str:
    """Times of the beats' first frames for ffmpeg's -force_key_frames."""
    return ",".join(f"{beat['start_frame'] / rendered.fps:.6f}" for beat in rendered.beats)


def webm(order: Order, out: Path, workers: int, report) -> Path:
    """The film as VP9 in WebM, with both subtitle tracks and the chapters."""
    rendered = renew(order, out, workers, report)
    final, frames = out / f"{rendered.stem}.webm", rendered.sheet["total_frames"]
    with workplace(out) as scratch:
        source = ffmpeg.input(str((rendered.folder / rendered.names.film).resolve()))
        stream = ffmpeg.output(source["v"], source["s"], "made.webm", **{
            "c:v": "libvpx-vp9", "crf": 30, "b:v": 0, "deadline": "good", "cpu-used": 4,
            "row-mt": 1, "c:s": "webvtt", "force_key_frames": _starts(rendered)})
        _run(stream, scratch, frames, report, final.name)
        return _finish(scratch / "made.webm", final, frames)


def burned(order: Order, language: str, out: Path, workers: int, report) -> Path:
    """The film with one language's subtitles drawn into the empty band at its foot."""
    choose("language", language, LANGUAGES)
    rendered = renew(order, out, workers, report)
    frames, fps = rendered.sheet["total_frames"], rendered.fps
    final = out / f"{rendered.stem}.subtitled-{language}.mp4"
    with workplace(out) as scratch:
        _write_ass(scratch, rendered, language)
        source = ffmpeg.input(str((rendered.folder / rendered.names.film).resolve()))
        picture = source["v"].filter("ass", "words.ass", fontsdir="fonts")
        stream = ffmpeg.output(picture, "made.mp4", **{
            "c:v": "libx264", "preset": "veryfast", "crf": 18, "profile:v": "high",
            "pix_fmt": "yuv420p", "g": fps, "x264-params": "open-gop=0:scenecut=0",
            "forced-idr": 1, "force_key_frames": _starts(rendered), "movflags": "+faststart",
            "map_metadata": 0, "map_chapters": 0})
        _run(stream, scratch, frames, report, final.name)
        return _finish(scratch / "made.mp4", final, frames)


_ASS = """[Script Info]
ScriptType: v4.00+
PlayResX: 1920
PlayResY: 1080
WrapStyle: 2
YCbCr Matrix: TV.709

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, Bold, BorderStyle, Outline, \
Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Words,{font},{size},{ink},{ground},0,1,3,0,2,64,64,24,1

[Events]
Format: Layer, Start, End, Style, Text
"""


def _write_ass(folder: Path, rendered: Rendered, language: str) -> None:
    """`words.ass` and `fonts/`: the pinned font, its weight fixed, the glyphs needed."""
    cues = rendered.subtitles(language)
    font, size = ("cjk", 56) if language == "zh" else ("sans", 50)
    (folder / "fonts").mkdir()
    axes = {"wght": 500} if font == "cjk" else {"wght": 500, "opsz": 24}
    letters = "".join(text for _, _, text in cues) + " "
    (folder / "fonts" / "words.otf").write_bytes(fonts.subset(font, letters, **axes))
    ground = rendered.manifest["ground"]
    bright = sum(int(ground[i:i + 2], 16) for i in (1, 3, 5)) > 3 * 128
    head = _ASS.format(font=fonts.FAMILY[font], size=size, ground=_ass_colour(ground),
                       ink=_ass_colour("#17202B" if bright else "#E8EDF2"))
    lines = [f"Dialogue: 0,{_clock(start)},{_clock(end)},Words,{_ass_text(text)}\n"
             for start, end, text in cues]
    (folder / "words.ass").write_text(head + "".join(lines), encoding="utf-8")


def _ass_colour(hex_: str) -> str:
    return f"&H00{hex_[5:7]}{hex_[3:5]}{hex_[1:3]}"


def _ass_text(text: str) -> str:
    return text.replace("\\", "\\\u2060").replace("{", "\\{").replace("\n", "\\N")


def _clock(tenths: int) -> str:
    seconds, tenth = divmod(tenths, 10)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{tenth}0"


def master(order: Order, out: Path, report) -> Path:
    """ProRes 422 HQ, 10 bits, from freshly drawn frames: never through the film's H.264."""
    from studio.drawing import draw

    planned = order.planned()
    final, frames = out / f"{order.variant(planned)}.master.mov", planned.frames(order.fps)
    width, height = order.size

    with workplace(out) as scratch:
        def feed(pipe):
            done = 0

            def take(beat, frame, pixels, repeat, *_):
                nonlocal done
                picture = pixels.tobytes()
                for _ in range(repeat):
                    pipe.write(picture)
                done += repeat
                report(done, frames, final.name)

            draw(order, range(len(planned.beats)), take, scratch / "media")

        stream = (ffmpeg.input("pipe:", format="rawvideo", pix_fmt="rgba",
                               s=f"{width}x{height}", r=order.fps)
                  .filter("scale", out_color_matrix="bt709", out_range="tv",
                          flags="accurate_rnd+full_chroma_int")
                  .filter("setparams", color_primaries="bt709", color_trc="bt709",
                          colorspace="bt709", range="tv")
                  .output("made.mov", **{"c:v": "prores_ks", "profile:v": 3, "vendor": "apl0",
                                         "pix_fmt": "yuv422p10le",
                                         "metadata": f"title={planned.title[order.language]}"}))
        _run(stream, scratch, frames, report, final.name, feed)
        return _finish(scratch / "made.mov", final, frames)
