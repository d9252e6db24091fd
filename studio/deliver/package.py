"""What a render leaves behind: film, clips, sidecars, pictures, manifest, in one folder."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from scenes.stage import LANGUAGES, Plan
from scenes.stage.beat import COMMIT
from studio.deliver import captions
from studio.render.keys import file_digest, trace_digests, versions
from studio.render.order import Order
from studio.render.store import Segment
from studio.stream.mp4 import StreamError, Track, join, payload
from studio.voice.choice import ISO639, Speaker, described

__all__ = ["Names", "build", "chapters", "clip_name", "cue_sheet", "tracks"]

_TITLES = {"en": "English", "zh": "简体中文"}
SUBTITLES = {"vtt": captions.vtt, "srt": captions.srt}


def clip_name(stem: str, beat: str) -> str:
    return f"clips/{stem}-{beat}.mp4"


@dataclass(frozen=True)
class Names:
    """Paths relative to the folder of a variant."""

    stem: str

    @property
    def film(self) -> str:
        return f"{self.stem}.mp4"

    @property
    def cues(self) -> str:
        return f"{self.stem}.cues.json"

    @property
    def poster(self) -> str:
        return f"{self.stem}.poster.png"

    def picture(self, beat: str, which: str) -> str:
        return f"clips/{self.stem}-{beat}.{which}.png"

    def subtitles(self, language: str, kind: str) -> str:
        return f"{self.stem}.{captions.tag(language)}.{kind}"

    def transcript(self, language: str) -> str:
        return f"{self.stem}.transcript.{captions.tag(language)}.md"


def tracks(planned: Plan, language: str) -> list[Track]:
    """Subtitle tracks in every language, the film's own first: players take it by default."""
    ordered = sorted(LANGUAGES, key=lambda each: each != language)
    return [Track(ISO639.get(each, each), _TITLES.get(each, each), tuple(
        (cue.start * 100, cue.end * 100, "\n".join(cue.rows))
        for cue in captions.cues(planned, each))) for each in ordered]


def chapters(planned: Plan, language: str) -> list[tuple[int, int, str]]:
    """(start, end, title) of every beat, in milliseconds."""
    return [(beat.start * 100, (beat.start + beat.tenths) * 100, beat.title[language])
            for beat in planned.beats]


def cue_sheet(order: Order, planned: Plan, stem: str) -> dict:
    """Contents of cues.json: frames are the truth, seconds are derived."""
    fps, names = order.fps, Names(stem)
    beats = [{
        "name": beat.name, "start_frame": beat.start_frame(fps), "frames": beat.frames(fps),
        "start_seconds": beat.start / 10, "seconds": beat.tenths / 10,
        "clip": clip_name(stem, beat.name), "poster": names.picture(beat.name, "first"),
        "first": names.picture(beat.name, "first"), "last": names.picture(beat.name, "last"),
        "title": dict(beat.title),
        "narration": {language: [line.text[language] for line in beat.lines]
                      for language in LANGUAGES},
        "source": str(beat.source), "trace": beat.source.trace, "steps": list(beat.steps),
        "anchors": [f"{anchor}@{COMMIT}" for anchor in beat.anchors],
    } for beat in planned.beats]
    return {"act": planned.act, "title": dict(planned.title), "film": names.film,
            "fps": f"{fps}/1", "total_frames": planned.frames(fps), "size": list(order.size),
            "language": order.language, "theme": order.theme, "parameters": dict(planned.params),
            "beats": beats}


def transcript(planned: Plan, language: str) -> str:
    """The words of an act in Markdown, with times, sources and anchors."""
    out = [f"# {planned.title[language]}", ""]
    for beat in planned.beats:
        minutes, seconds = divmod(beat.start // 10, 60)
        notes = [str(beat.source), *(f"`{anchor}@{COMMIT}`" for anchor in beat.anchors)]
        out += [f"## {minutes}:{seconds:02} {beat.title[language]}", "",
                *(line.text[language] for line in beat.lines), "", "; ".join(notes), ""]
    return "\n".join(out)


def _metadata(order: Order, planned: Plan, voice: Speaker | None) -> dict[str, str]:
    traces = ", ".join(f"{k} {v[:12]}" for k, v in trace_digests(planned).items()) or "none"
    used = versions()
    return {"title": planned.title[order.language],
            "comment": f"{planned.act}; traces: {traces}; engine {COMMIT}; "
                       f"manim {used['manim']}, PyAV {used['av']}; "
                       f"{described(voice and voice.about)}"}


def build(folder: Path, order: Order, planned: Plan, segments: dict[str, Segment],
          voice: Speaker | None = None) -> None:
    """Write everything of a variant into the empty `folder`; its name is not used."""
    stem, fps = order.variant(planned), order.fps
    names, beats = Names(stem), [beat.name for beat in planned.beats]
    (folder / "clips").mkdir(parents=True)
    made = [segments[name] for name in beats]
    coded = join([segment.film for segment in made], [segment.frames for segment in made],
                 folder / names.film, fps, tracks(planned, order.language),
                 chapters(planned, order.language), _metadata(order, planned, voice),
                 [(folder / clip_name(stem, beat.name), {"title": beat.title[order.language]})
                  for beat in planned.beats], voice and voice.track(planned, order.language))
    if voice:
        voice.finish(folder / names.film, planned.tenths, [
            (folder / clip_name(stem, beat.name), beat.start, beat.tenths)
            for beat in planned.beats])
    for name, segment in zip(beats, made):
        for which in ("first", "last"):
            shutil.copyfile(segment.folder / f"{which}.png", folder / names.picture(name, which))
    shutil.copyfile(segments[beats[0]].folder / "middle.png", folder / names.poster)
    _compare(folder, names, planned, coded, fps)
    _write_texts(folder, names, order, planned)
    _write_manifest(folder, order, planned, segments[beats[0]], voice)


def _compare(folder, names, planned, coded, fps):
    """Film and clips hold exactly the packets that were checked when their beats were drawn."""
    film = payload(folder / names.film)
    if film.sizes != [size for part in coded for size in part.sizes]:
        raise StreamError(f"{names.film}: packets differ from those of its segments")
    if film.pts != list(range(planned.frames(fps))):
        raise StreamError(f"{names.film}: its steps are not of one frame")
    if {beat.start_frame(fps) for beat in planned.beats} - set(film.keys):
        raise StreamError(f"{names.film}: a beat does not begin with a key frame")
    for beat, part in zip(planned.beats, coded):
        clip = payload(folder / clip_name(names.stem, beat.name))
        if clip.digest != part.digest or clip.pts != list(range(beat.frames(fps))):
            raise StreamError(f"clip of {beat.name} differs from its segment")


def _write_texts(folder, names, order, planned):
    files = {names.cues: json.dumps(cue_sheet(order, planned, names.stem), indent=1,
                                    ensure_ascii=False) + "\n"}
    for language in LANGUAGES:
        for kind, write in SUBTITLES.items():
            files[names.subtitles(language, kind)] = write(captions.cues(planned, language))
        files[names.transcript(language)] = transcript(planned, language)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _write_manifest(folder, order, planned, first, voice):
    with Image.open(first.folder / "first.png") as picture:
        ground = "#{:02X}{:02X}{:02X}".format(*picture.getpixel((0, 0)))
    files = {path.relative_to(folder).as_posix(): file_digest(path)
             for path in sorted(folder.rglob("*")) if path.is_file()}
    manifest = {
        "act": planned.act, "variant": order.variant(planned), "quality": order.quality,
        "size": list(order.size), "fps": f"{order.fps}/1", "language": order.language,
        "theme": order.theme, "ground": ground, "parameters": dict(planned.params),
        "settings": dict(order.settings), "engine": COMMIT, "versions": versions(),
        "traces": trace_digests(planned), "voice": voice and voice.about,
        "clips_speak": bool(voice and voice.clips), "files": files,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8", newline="\n")
