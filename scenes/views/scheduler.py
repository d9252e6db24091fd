"""The scheduler at work: two queues of requests, the step, its phase and its token budget."""

from collections.abc import Callable, Iterable, Mapping

from manim import DOWN, LEFT, RIGHT, UP, Animation, FadeIn, FadeOut, Mobject, VGroup

from scenes.geometry import Region
from scenes.kit import NOTE, STAGE, Board, Gauge, Label, Stepper, fit, pause, px
from scenes.views.request import token_looks
from traces import Step, Trace
from traces.state import State

__all__ = ["SchedulerView"]


class SchedulerView:
    """Queues on the left; step, phase, budget and a note on the right: a twin of the trace.

    The picture begins as before the step `first`; `to` brings it to any other state of the trace.
    `roles`: request -> role. `label` has words for waiting, running, finished, step and budget.
    Parts: `board`, `stepper`, `gauge`, `note`, `marks` (behind the rows).
    """

    def __init__(self, trace: Trace, first: Step, roles: Mapping[str, str],
                 label: Callable[[str], str], region: Region = STAGE) -> None:
        self._label = label
        self._planned = {step.planned: step for step in trace.steps}
        self._cells = {request.name: len(request.prompt) + request.max_tokens
                       for request in trace.workload.requests}
        self.state = first.before
        self.board = self._queues(trace, roles)
        VGroup(*self.board.panels.values()).move_to(region.at(0, 0, UP + LEFT), UP + LEFT)
        self.stepper = Stepper(label("step"), first.index + 1)
        self.stepper.move_to(region.at(1010, -10, UP + LEFT), UP + LEFT)
        self.gauge = Gauge(label("budget"), first.budget)
        self.gauge.move_to(region.at(1010, -260, UP + LEFT), UP + LEFT)
        self.note, self.marks = VGroup(), VGroup()

    def _queues(self, trace: Trace, roles: Mapping[str, str]) -> Board:
        """Panels for the longest queue of the run, rows for the longest request."""
        requests = {r.name: (roles[r.name], len(r.prompt), self._cells[r.name])
                    for r in trace.workload.requests}
        rows = max(3, *(len(queue) for state in trace.states
                        for queue in (state.waiting, state.running)))
        captions = {queue: self._label(queue) for queue in ("waiting", "running")}
        return Board(captions, requests, 900, rows, fit(max(self._cells.values()), 690, 42, 5),
                     pitch=fit(rows, 250, 78))

    def enter(self) -> list[Animation]:
        """Animations: everything comes into the picture."""
        panels = self.board.panels.values()
        return [*map(FadeIn, panels), *self._rows(self.state), FadeIn(self.gauge),
                FadeIn(self.stepper)]

    def to(self, state: State) -> list[Animation]:
        """Animations to a state of the trace.

        A planned one turns step, phase and budget to its step's. Who finishes stays in its place,
        marked, until the next state.
        """
        leaving = [name for name in self.state.running if name in state.finished]
        moves = [*self._rows(state, leaving), *self._mark(map(self._finished, leaving))]
        if step := self._planned.get(state):
            moves += self.stepper.show(step.index + 1, step.phase) + self.gauge.show(step.used)
        self.state = state
        return moves

    def pause(self, names: Iterable[str]) -> list[Animation]:
        """Animations: these running requests get no token in this step."""
        return self._mark(pause().move_to(self.board.rows[name].end + RIGHT * px(34))
                          for name in names)

    def say(self, text: str = "", role: str = "ink") -> list[Animation]:
        """Animations: another note under the budget, or none."""
        moves: list[Animation] = [FadeOut(self.note)] if self.note.has_points() else []
        self.note = Label(text, 34, role) if text else VGroup()
        if text:
            self.note.next_to(self.gauge, DOWN, buff=px(56)).align_to(self.gauge, LEFT)
            moves.append(FadeIn(self.note))
        return moves

    def _rows(self, state: State, leaving: Iterable[str] = ()) -> list[Animation]:
        """Rows travel to where the state has them; those that leave keep their place so long."""
        running = state.running
        if leaving:
            stay = [n for n in self.state.running if n in leaving or n in state.running]
            running = (*stay, *(n for n in state.running if n not in stay))
        looks = {name: token_looks(state[name], self._cells[name])
                 for name in (*state.waiting, *running)}
        move = self.board.show({"waiting": state.waiting, "running": running}, looks)
        return [move] if move else []

    def _mark(self, marks: Iterable[Mobject]) -> list[Animation]:
        """Change what stands behind the rows."""
        old, self.marks = self.marks, VGroup(*marks)
        return [*map(FadeOut, old), *map(FadeIn, self.marks)]

    def _finished(self, name: str) -> Label:
        strip = self.board.rows[name].strip
        return Label(self._label("finished"), NOTE).next_to(strip, RIGHT, buff=px(24))
