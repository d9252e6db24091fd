"""The scheduler at work: two queues of requests, the step, its phase and its token budget."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from manim import DOWN, LEFT, RIGHT, UP, Animation, FadeIn, FadeOut, Mobject, VGroup, VMobject

from scenes.geometry import Region
from scenes.kit import LEAD, NOTE, STAGE, Board, Gauge, Label, Paragraph, Stepper, fit, pause, px
from scenes.kit.base.motion import Movement, come, leave, replace
from scenes.views.request import token_looks
from traces import Step, Trace
from traces.state import State

__all__ = ["SchedulerView"]

_MARKS = 1.9  # above the rows, below rings
_BOARD = 1190  # px: the width of the queues; what is left is the step's


class SchedulerView:
    """Queues on the left; step, phase, budget and a note on the right: a twin of the trace.

    The picture begins as before the step `first`; `to` brings it to any other state of the trace.
    `roles`: request -> role. `label` has words for waiting, running, no_waiting, finished,
    step and budget.
    Parts: `board`, `stepper`, `gauge`, `note`, `marks` (behind the rows); `all` of them.
    """

    def __init__(self, trace: Trace, first: Step, roles: Mapping[str, str],
                 label: Callable[[str], str], region: Region = STAGE) -> None:
        self._label = label
        self._planned, self._roles = {step.planned: step for step in trace.steps}, roles
        self._cells = {request.name: len(request.prompt) + request.max_tokens
                       for request in trace.workload.requests}
        self.state = first.before
        self.board = self._queues(trace, roles)
        VGroup(*self.board.panels.values()).move_to(region.at(0, 0, UP + LEFT), UP + LEFT)
        self.stepper = Stepper(label("step"), first.index + 1)
        self.stepper.move_to(region.at(_BOARD + 60, -6, UP + LEFT), UP + LEFT)
        self.gauge = Gauge(label("budget"), first.budget, region.width / px(1) - _BOARD - 60)
        self.gauge.move_to(region.at(_BOARD + 60, -230, UP + LEFT), UP + LEFT)
        self.note, self.marks = VGroup(), VGroup()
        self.nobody = VGroup(Label(label("no_waiting"), NOTE))
        self.nobody.move_to(self.board.panels["waiting"].slot(0, 0) + RIGHT * px(44), LEFT)
        self._vacant = False

    def _queues(self, trace: Trace, roles: Mapping[str, str]) -> Board:
        """Panels for the longest queue of the run, rows for the longest request."""
        requests = {r.name: (roles[r.name], len(r.prompt), self._cells[r.name])
                    for r in trace.workload.requests}
        rows = max(3, *(len(queue) for state in trace.states
                        for queue in (state.waiting, state.running)))
        captions = {queue: self._label(queue) for queue in ("waiting", "running")}
        return Board(captions, requests, _BOARD, rows,
                     fit(max(self._cells.values()), _BOARD - 230, 56, 5), pitch=fit(rows, 276, 80))

    def enter(self) -> list[Animation]:
        """Animations: everything comes into the picture, after what was there has left."""
        self._rows(self.state)
        rows = (self.board.rows[name] for name in (*self.state.waiting, *self.state.running))
        return [*map(come, (*self.board.panels.values(), *rows, self.gauge, self.stepper)),
                *([come(self.nobody)] if self._vacant else [])]

    def to(self, state: State) -> list[Movement]:
        """Animations to a state of the trace.

        A planned one turns step, phase and budget to its step's. Who finishes stays in its place,
        marked, until the next state.
        """
        leaving = [name for name in self.state.running if name in state.finished]
        moves: list[Movement] = [*self._rows(state, leaving),
                                 *self._mark(map(self._finished, leaving))]
        if step := self._planned.get(state):
            moves += self.stepper.show(step.index + 1, step.phase)
            moves += self.gauge.show([(self._roles[p.request], p.count) for p in step.scheduled])
        self.state = state
        return moves

    def arrive(self, step: Step) -> list[Movement]:
        """Animations to before a step: its number stands, and nothing of its budget is used."""
        return [*self.stepper.show(step.index + 1, ""), *self.gauge.show(()),
                *self.to(step.before)]

    def pause(self, names: Iterable[str]) -> list[Animation]:
        """Animations: these running requests get no token in this step."""
        return self._mark(pause().move_to(self.board.rows[name].end + RIGHT * px(34))
                          for name in names)

    def say(self, text: str = "", role: str = "ink") -> list[Animation]:
        """Animations: another note under the budget, or none."""
        old, self.note = self.note, VGroup()
        if text:
            self.note = Paragraph(text, LEAD, role, width=STAGE.width / px(1) - _BOARD - 60)
            self.note.next_to(self.gauge, DOWN, buff=px(60)).align_to(self.gauge, LEFT)
        if len(old) and text:
            return replace(old, self.note)
        return [leave(old)] if len(old) else [come(self.note)] if text else []

    @property
    def all(self) -> list[Mobject]:
        """What stands in the picture, to be carried on."""
        rows = (self.board.rows[name] for name in self.board.shown)
        return [self.board, *rows, self.stepper, self.gauge, self.note, self.marks,
                *([self.nobody] if self._vacant else [])]

    def _rows(self, state: State, leaving: Iterable[str] = ()) -> list[Animation]:
        """Rows travel to where the state has them; those that leave keep their place so long."""
        running = state.running
        if leaving:
            stay = [n for n in self.state.running if n in leaving or n in state.running]
            running = (*stay, *(n for n in state.running if n not in stay))
        step = self._planned.get(state)
        decode = step is not None and step.phase == "decode"
        looks = {name: token_looks(state[name], self._cells[name], decode)
                 for name in (*state.waiting, *running)}
        move = self.board.show({"waiting": state.waiting, "running": running}, looks)
        return [*([move] if move else []), *self._vacate(state.waiting)]

    def _vacate(self, waiting: Sequence[str]) -> list[Animation]:
        """Where nobody waits, words say so."""
        if bool(waiting) != self._vacant:
            return []
        self._vacant = not waiting
        return [come(self.nobody) if self._vacant else leave(self.nobody)]

    def _mark(self, marks: Iterable[VMobject]) -> list[Animation]:
        """Change what stands behind the rows."""
        old, self.marks = self.marks, VGroup(*marks).set_z_index(_MARKS)
        return [*map(FadeOut, old), *map(FadeIn, self.marks)]

    def _finished(self, name: str) -> Label:
        strip = self.board.rows[name].strip
        return Label(self._label("finished"), NOTE).next_to(strip, RIGHT, buff=px(44))
