"""An act: a manim scene that plays its plan. The only file that calls manim's play and wait."""

from manim import FadeOut, Scene, config

from scenes.stage.beat import COMMIT, beats_of
from scenes.stage.params import parse
from scenes.stage.plan import GRID, TURN, plan
from scenes.stage.words import Words

__all__ = ["Act", "OverspentError"]


class OverspentError(RuntimeError):
    """A beat's movements need more frames than its plan gives them."""


class Act(Scene):
    """Subclasses give `number`, `Params`, `Frame`, `tell`, `prepare` and the beats.

    `tell(params)` returns the story: plain data with `facts` (for the words) and `source`.
    `Frame` is the kit's furniture: header, badge, anchor. The act itself never calls `play`.
    """

    number: int
    Params: type
    Frame: type

    def __init__(self, settings=None, language="en", theme="dark", beats=None, **options):
        """`settings`: parameter name -> text; `beats`: the range of beat indices to draw."""
        super().__init__(**options)
        if config.frame_rate % GRID:
            raise ValueError(f"{config.frame_rate:g} fps: an act is drawn at {GRID} or {2 * GRID}")
        self.params = parse(self.Params, settings or {})
        self.story = self.tell(self.params)
        self.plan = plan(type(self), self.params, self.story)
        self.words = Words(language, self.plan.act)
        self.language = language
        self.drawn = range(len(self.plan.beats)) if beats is None else beats
        self.frame = self.Frame(theme, f"{self._act_word()} · {self.words.title}")
        self.camera.background_color = self.frame.ground
        self._marks = beats_of(type(self))
        self._line = self._spent = 0

    def _act_word(self) -> str:
        return {"zh": f"第 {self.number:02d} 幕"}.get(self.language, f"Act {self.number:02d}")

    @classmethod
    def tell(cls, params):
        raise NotImplementedError

    def prepare(self):
        """Build what lasts beyond one beat; drawn by nobody yet."""

    def construct(self):
        self.prepare()
        for index in range(self.drawn.stop):
            self.perform(index)

    def perform(self, index: int):
        """Play one beat, or fast-forward through it when it is not among those drawn."""
        self.beat = self.plan.beats[index]
        self.next_section(self.beat.name, skip_animations=index not in self.drawn)
        self._line = self._spent = 0
        self._open(self._marks[self.beat.name])
        getattr(self, self.beat.name.replace("-", "_"))()
        self._line = len(self.beat.lines) - 1
        self.rest(self._left(self._line + 1))

    def _open(self, mark):
        """The header turns to this beat's; the old picture fades unless the beat keeps it."""
        furniture = set(self.frame.shown)
        stale = [] if mark.keep else [m for m in self.mobjects if m not in furniture]
        if not mark.header:
            self.add(*self.frame.open(str(self.beat.source)))
            return
        anchors = tuple(f"{anchor}@{COMMIT}" for anchor in self.beat.anchors[:1])
        title = self.beat.title[self.language]
        turning = self.frame.turn(title, str(self.beat.source), *anchors)
        turning += [FadeOut(mobject) for mobject in stale]
        if turning:
            self.move(3 * TURN, *turning)

    def move(self, frames: int, *animations, **options):
        """Play animations together, in whole frames at 30 a second; without any, hold."""
        animations = [animation for animation in animations if animation is not None]
        if not animations:
            return self.rest(frames)
        self._spend(frames)
        rate = int(config.frame_rate)
        # manim rounds play up and a frozen wait down; half a frame lands on every whole number
        self.play(*animations, run_time=(frames * rate // GRID - 0.5) / rate, **options)

    def rest(self, frames: int):
        """Hold the picture: time to look."""
        self._spend(frames)
        rate = int(config.frame_rate)
        self.wait((frames * rate // GRID + 0.5) / rate, frozen_frame=True)

    def next_line(self):
        """Hold until the next line of narration begins."""
        self._line += 1
        frames = self._left(self._line)
        if frames:
            self.rest(frames)

    def late(self, frames: int):
        """Hold so that a movement of `frames` ends just before the line does: time to look."""
        spare = self._left(self._line + 1) - frames - 3
        if spare > 0:
            self.rest(spare)

    def recall(self, remember):
        """Bring the lines to remember, each with its narration: the kit's Remember, or its like."""
        spoken = [line.text[self.language] for line in self.beat.lines]
        lines = remember(spoken, self.words.leaves_out)
        for k in range(len(lines)):
            if k:
                self.next_line()
            self.move(15, *lines.line(k))

    def label(self, key: str, **facts) -> str:
        """A label of the picture in the act's language, filled with the story's facts."""
        return self.words.label(key, **{**self.story.facts, **facts})

    def _left(self, line: int) -> int:
        return 3 * sum(item.tenths for item in self.beat.lines[:line]) - self._spent

    def _spend(self, frames: int):
        self._spent += frames
        line = min(self._line + 1, len(self.beat.lines))
        over = -self._left(line)
        # the last line keeps one frame: manim never draws a movement's end state
        if frames < 1 or over > 0:
            where = f"{self.plan.act}, beat {self.beat.name}, line {line}"
            raise OverspentError(f"{where}: movements need {max(over, 1)} frames more")
