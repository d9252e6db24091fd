"""An act: a manim scene that plays its plan. The only file that calls manim's play and wait."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from manim import (
    Animation,
    Camera,
    FadeIn,
    FadeOut,
    Group,
    ManimColor,
    Mobject,
    Scene,
    config,
    smooth,
)
from manim.mobject.mobject import _AnimationBuilder
from manim.utils.rate_functions import squish_rate_func

from scenes.stage.beat import COMMIT, EVERYTHING, Mark
from scenes.stage.lecture import Lecture
from scenes.stage.pace import SLOW, STEADY
from scenes.stage.params import nearest, parse
from scenes.stage.plan import GRID, TURN, plan
from scenes.stage.words import Words

__all__ = ["Act", "CueError", "OverspentError", "Span", "all_but"]


class OverspentError(RuntimeError):
    """A beat's movements need more frames than its plan gives them."""


class CueError(RuntimeError):
    """A beat waits for a mark that its words lack, or never uses one that they have."""


class Span(NamedTuple):
    """A stretch of a beat, in frames at 30 a second from its start."""

    start: int
    frames: int
    moving: bool
    cue: str = ""  # the mark that this movement hangs on


class Act(Scene):
    """Plays a lecture. Beats are functions that take it and call `move`, `next_line`, `keep`.

    `story`, `params`, `words`, `plan`, `beat` (the one being played) are there to read.
    """

    LIVING = ("mobjects", "foreground_mobjects", "frame", "kept")  # what beats leave behind

    def __init__(self, lecture: Lecture, settings: dict[str, str] | None = None,
                 language: str = "en", theme: str = "dark", beats: range | None = None,
                 all_languages: bool = True, **options: Any) -> None:
        """`settings`: parameter name -> text; `beats`: indices to draw; the rest as for `plan`."""
        super().__init__(**options)
        if config.frame_rate % GRID:
            raise ValueError(f"{config.frame_rate:g} fps: an act is drawn at {GRID} or {2 * GRID}")
        self.lecture = lecture
        self.params: Any = parse(lecture.params, settings or {})
        self.story = lecture.tell(self.params)
        self.plan = plan(lecture, self.params, self.story, language, all_languages)
        self.words = Words(language, lecture.name)
        self.language = language
        self.drawn = range(len(self.plan.beats)) if beats is None else beats
        self.frame = lecture.look.frame(theme, f"{self._act_word()} · {self.words.title}")
        cast(Camera, self.camera).background_color = ManimColor(self.frame.ground)
        self.kept = SimpleNamespace()
        self.spans: list[Span] = []  # of the beat being played
        self._line = self._spent = 0
        self._hung, self._awaited = "", set[str]()

    def _act_word(self) -> str:
        number = f"{self.lecture.number:02d}"
        return {"zh": f"第 {number} 幕"}.get(self.language, f"Act {number}")

    def construct(self) -> None:
        for index in range(self.drawn.stop):
            self.perform(index)

    def perform(self, index: int) -> None:
        """Play one beat, or fast-forward through it when it is not among those drawn."""
        self.beat = self.plan.beats[index]
        self.next_section(self.beat.name, skip_animations=index not in self.drawn)
        self._line, self._spent, self.spans, self._awaited = 0, 0, [], set()
        mark = self.lecture.beats[self.beat.name]
        self._hand_over(mark)
        mark.play(self)
        unused = [name for name in self.beat.cues if name not in self._awaited]
        if unused:
            raise CueError(f"{self._where()}: nothing hangs on the cue [{unused[0]}]")
        self._line = len(self.beat.lines) - 1
        self.rest(self._left(self._line + 1))
        self._let_go([*self.lecture.beats.values()][index + 1:][:1])

    def _let_go(self, following: list[Mark]) -> None:
        """Forget what the next beat does not carry: it would make states differ for nothing."""
        for mark in following:
            if mark.carries != EVERYTHING:
                self.kept = SimpleNamespace(**{name: getattr(self.kept, name)
                                               for name in mark.carries})

    def _hand_over(self, mark: Mark) -> None:
        """The header turns to this beat's; what the beat does not carry fades."""
        if not mark.header:
            self.add(*self.frame.open(str(self.beat.source)))
            return
        stale: Iterable[Mobject] = ()
        if mark.carries != EVERYTHING:
            self.kept = SimpleNamespace(**{name: getattr(self.kept, name)
                                           for name in mark.carries})
            stale = all_but(self, *vars(self.kept).values())
        anchors = (f"{anchor}@{COMMIT}" for anchor in self.beat.anchors[:1])
        title = self.beat.title[self.language]
        turning = self.frame.turn(title, str(self.beat.source), *anchors)
        turning += [FadeOut(mobject) for mobject in stale]
        if turning:
            self.move(*turning, pace=3 * TURN)

    def keep(self, **things: Any) -> None:
        """Name what later beats may carry on: a mobject, or a list of them, each."""
        vars(self.kept).update(things)

    def move(self, *things: Any, pace: int = STEADY, **options: Any) -> None:
        """Play movements together, in `pace` frames at 30 a second; without any, hold.

        `things`: animations, mobjects (they fade in), None (nothing), and lists of all these.
        """
        animations = [thing if isinstance(thing, Animation | _AnimationBuilder) else FadeIn(thing)
                      for thing in _flat(things)]
        if not animations:
            self.rest(pace)
            return
        self._spend(pace, moving=True)
        rate = int(config.frame_rate)
        # manim rounds play up and a frozen wait down; half a frame lands on every whole number
        self.play(*animations, run_time=(pace * rate // GRID - 0.5) / rate, **options)

    def rest(self, frames: int) -> None:
        """Hold the picture: time to look."""
        self._spend(frames)
        rate = int(config.frame_rate)
        self.wait((frames * rate // GRID + 0.5) / rate, frozen_frame=True)

    def next_line(self) -> None:
        """Hold until the next line of narration begins."""
        self._line += 1
        frames = self._left(self._line)
        if frames:
            self.rest(frames)

    def cue(self, name: str) -> None:
        """Hold until the word behind the mark [name] is spoken; what moves next hangs on it."""
        try:
            line, tenths = vars(self.beat.cues[name]).values()
        except KeyError:
            known = nearest(name, self.beat.cues) or "none"
            raise CueError(f"{self._where()}: no cue [{name}]; its words have: {known}") from None
        self._line = line
        self._awaited.add(name)
        if 3 * tenths > self._spent:
            self.rest(3 * tenths - self._spent)
        self._hung = name

    def title_card(self, motif: Mobject, lift: float = 0) -> Any:
        """Bring the act's question over its motif, `lift` manim units higher; the card."""
        others = [title for language, title in self.beat.title.items()
                  if language != self.language]
        card = self.lecture.look.title_card(self.frame.act_line, self.beat.title[self.language],
                                            " · ".join(others), motif)
        self.add(card.act)
        card.shift([0, lift, 0])
        self.move(card.rise(), pace=30)
        return card

    def recall(self) -> None:
        """Bring the lines to remember, each with its narration and its small replay."""
        spoken = [line.text[self.language] for line in self.beat.lines]
        replays, large = self.lecture.replays, self.lecture.large
        lines = self.lecture.look.remember(spoken, self.words.leaves_out, bool(replays), large)
        for k, replay in enumerate(replays or [None] * len(spoken)):
            if k:
                self.next_line()
            # What was shown before leaves while a line comes: the stage is never bare.
            gone = all_but(self) if large or not k else ()
            pictures = replay(self, lines.rooms[k]) if replay else iter([None])
            self.move([FadeOut(mobject, rate_func=squish_rate_func(smooth, 0, 0.5))
                       for mobject in gone], lines.line(k), next(pictures), pace=SLOW)
            for movement in pictures:
                self.move(movement, pace=SLOW)

    def label(self, key: str, **facts: object) -> str:
        """A label of the picture in the act's language, filled with the story's facts."""
        return self.words.label(key, **{**self.story.facts, **facts})

    def _left(self, line: int) -> int:
        return 3 * sum(item.tenths for item in self.beat.lines[:line]) - self._spent

    def _where(self) -> str:
        return f"{self.plan.act}, beat {self.beat.name}"

    def _spend(self, frames: int, moving: bool = False) -> None:
        self.spans.append(Span(self._spent, frames, moving, self._hung if moving else ""))
        self._hung = "" if moving else self._hung
        self._spent += frames
        line = min(self._line + 1, len(self.beat.lines))
        over = -self._left(line)
        # the last line keeps one frame: manim never draws a movement's end state
        if frames < 1:
            raise OverspentError(f"{self._where()}, line {line}: a movement of {frames} frames; "
                                 "it needs at least 1")
        if over > 0:
            raise OverspentError(f"{self._where()}, line {line}: movements need {max(over, 1)} "
                                 f"frames more; least={{{line}: ...}} gives a line more time")


def all_but(act: Act, *things: Any) -> Group:
    """What stands in the picture besides the header and `things`: mobjects, or lists of them.

    A group that holds some of them, as an animation may leave behind, is taken apart.
    """
    staying = [*act.frame.shown, *_mobjects(things)]
    return Group(*act.get_restructured_mobject_list(act.mobjects, staying))


def _flat(things: Iterable[Any]) -> Iterable[Any]:
    """Lists opened, None left out. A group is one thing, though it can be walked through."""
    for thing in things:
        if isinstance(thing, Animation | _AnimationBuilder | Mobject):
            yield thing
        elif thing is not None:
            yield from _flat(thing)


def _mobjects(things: Iterable[Any]) -> Iterable[Mobject]:
    """All mobjects of what is kept, with their parts; plain data has none."""
    for thing in things:
        if isinstance(thing, Mobject):
            yield from thing.get_family()
        elif isinstance(thing, dict):
            yield from _mobjects(thing.values())
        elif isinstance(thing, list | tuple):
            yield from _mobjects(thing)
