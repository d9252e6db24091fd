"""Film and clips of an act from its segments, packets copied and compared."""

from dataclasses import dataclass
from pathlib import Path

from scenes.stage import LANGUAGES, Plan
from scenes.stage.beat import COMMIT
from scenes.stage.words import ISO639
from studio.deliver import captions
from studio.deliver.names import Names
from studio.errors import StreamError
from studio.render.keys import versions
from studio.render.plan import RenderPlan
from studio.render.pool import Segments
from studio.stream.mp4 import Chapter, Clip, Part, Payload, Track, join, read_payload
from studio.voice.choice import Speaker, described

__all__ = ["Film", "chapters", "join_segments", "mux", "tracks"]

_TITLES = {"en": "English", "zh": "简体中文"}
_MILLISECONDS = 100  # in a tenth of a second


@dataclass(frozen=True)
class Film:
    """Film and clips in `folder`, the segments of which they were made, and who speaks."""

    folder: Path
    segments: Segments
    voice: Speaker | None = None

    @property
    def plan(self) -> RenderPlan:
        """What it is a film of."""
        return self.segments.plan


def tracks(plan: Plan) -> list[Track]:
    """Subtitle tracks in every language, the film's own first: players show it by default."""
    ordered = sorted(LANGUAGES, key=lambda language: language != plan.language)
    return [Track(ISO639.get(language, language), _TITLES.get(language, language), tuple(
        (cue.start * _MILLISECONDS, cue.end * _MILLISECONDS, "\n".join(cue.rows))
        for cue in captions.cues(plan, language))) for language in ordered]


def chapters(plan: Plan, language: str) -> list[Chapter]:
    """One for every beat."""
    return [Chapter(beat.start * _MILLISECONDS, (beat.start + beat.tenths) * _MILLISECONDS,
                    beat.title[language]) for beat in plan.beats]


def mux(segments: Segments, folder: Path, voice: Speaker | None = None) -> Film:
    """Write film and clips of a whole act into the new `folder`; its name is not used.

    Raises StreamError when a file does not hold exactly the packets of the segments, VoiceError
    for a spoken track that cannot be made.
    """
    plan, language = segments.plan.plan, segments.plan.order.language
    names, fps = Names(segments.plan.variant), segments.plan.order.fps
    (folder / "clips").mkdir(parents=True)
    payloads = join(
        _parts(segments), folder / names.film, fps, tracks(plan), chapters(plan, language),
        _metadata(segments.plan, language, voice),
        [Clip(folder / names.clip(beat.name), {"title": beat.title[language]})
         for beat in plan.beats], voice.track(plan) if voice else None)
    if voice:
        voice.finish(folder / names.film, plan.tenths, [
            (folder / names.clip(beat.name), beat.start, beat.tenths) for beat in plan.beats])
    _compare(folder, names, plan, payloads, fps)
    return Film(folder, segments, voice)


def join_segments(segments: Segments, path: Path) -> None:
    """Write one file of some beats, titled as the first of them."""
    plan, order = segments.plan.plan, segments.plan.order
    first = plan.beats[segments.job.beats[0]]
    join(_parts(segments), path, order.fps, metadata={"title": first.title[order.language]})


def _parts(segments: Segments) -> list[Part]:
    return [Part(segment.film, segment.frames) for segment in segments.items]


def _metadata(plan: RenderPlan, language: str, voice: Speaker | None) -> dict[str, str]:
    traces = ", ".join(f"{name} {value[:12]}" for name, value in plan.traces.items()) or "none"
    used = versions()
    return {"title": plan.plan.title[language],
            "comment": f"{plan.plan.act}; traces: {traces}; engine {COMMIT}; "
                       f"manim {used['manim']}, PyAV {used['av']}; "
                       f"{described(voice.about if voice else None)}"}


def _compare(folder: Path, names: Names, plan: Plan, payloads: list[Payload], fps: int) -> None:
    """Film and clips hold exactly the packets that were checked when their beats were drawn."""
    film = read_payload(folder / names.film)
    if film.sizes != [size for payload in payloads for size in payload.sizes]:
        raise StreamError(f"{names.film}: packets differ from those of its segments")
    if film.pts != list(range(plan.frames(fps))):
        raise StreamError(f"{names.film}: its steps are not of one frame")
    if {beat.start_frame(fps) for beat in plan.beats} - set(film.keyframes):
        raise StreamError(f"{names.film}: a beat does not begin with a key frame")
    for beat, payload in zip(plan.beats, payloads):
        clip = read_payload(folder / names.clip(beat.name))
        if clip.digest != payload.digest or clip.pts != list(range(beat.frames(fps))):
            raise StreamError(f"clip of {beat.name} differs from its segment")
