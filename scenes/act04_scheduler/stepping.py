"""Act 04, second part: the queues at work, step by step."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Line, SurroundingRectangle, VGroup

from scenes.act04_batching import Batching
from scenes.act04_story import ROLES
from scenes.kit import STAGE, Board, Gauge, Label, Node, Stepper, TokenStrip, arrow, name_tag
from scenes.kit import paint, pause, px
from scenes.stage import beat

__all__ = ["Stepping", "looks_of"]


def looks_of(state, name, cells):
    """One letter a cell for a request in a state: cached, scheduled, known, absent."""
    request = state[name]
    cached, planned = request.num_cached, request.scheduled
    text = "c" * cached + "s" * planned + "k" * (request.num_tokens - cached - planned)
    return text.ljust(cells, ".")


def CUT(story):
    """Which words a beat about cutting uses: some budgets cut nothing."""
    return "cut" if story.cut else "whole"


class Stepping(Batching):
    """Beats six to eight."""

    here: tuple = ()  # the rows of the lower queue, from above

    def _live(self, first):
        """Queues on the left; step, budget and a note on the right; as before step `first`."""
        requests = {n: (ROLES[n], self.prompts[n], self.cells[n]) for n in self.names}
        captions = {key: self.label(key) for key in ("waiting", "running")}
        rows = max(3, *(len(q) for state in self.story.trace.states
                        for q in (state.waiting, state.running)))
        cell = min(42, 690 / max(self.cells.values()) - 5)
        self.board = Board(captions, requests, 900, rows, cell, pitch=min(78, 250 / rows))
        VGroup(*self.board.panels.values()).move_to([STAGE.left, STAGE.top, 0], UP + LEFT)
        self.stepper = Stepper(self.label("step"), first.index + 1)
        self.gauge = Gauge(self.label("budget"), self.params.budget)
        right = [STAGE.left + px(1010), STAGE.top - px(10), 0]
        self.stepper.move_to(right, UP + LEFT)
        self.gauge.move_to(right, UP + LEFT).shift(DOWN * px(250))
        self.note, self.marks = VGroup(), VGroup()
        look = self._queues(first.before)
        self.move(18, *map(FadeIn, self.board.panels.values()), look, FadeIn(self.gauge),
                  FadeIn(self.stepper), FadeIn(self._token_key()))

    def _queues(self, state, leaving=()):
        """The board's way to a state; `leaving` are kept in sight, in their place, once more."""
        running = tuple(n for n in self.here if n in leaving or n in state.running) + tuple(
            n for n in state.running if n not in self.here) if leaving else state.running
        self.here = running
        queues = {"waiting": state.waiting, "running": running}
        looks = {n: looks_of(state, n, self.cells[n]) for n in (*state.waiting, *running)}
        for name in leaving:  # its blocks are free already; the picture keeps what was computed
            known = state[name].num_tokens
            looks[name] = ("c" * (known - 1) + "k").ljust(self.cells[name], ".")
        return self.board.show(queues, looks)

    def _say(self, text="", role="ink"):
        """Change the note under the budget."""
        old, self.note = self.note, Label(text, 34, role) if text else VGroup()
        moves = [FadeOut(old)] if old.has_points() else []
        if text:
            self.note.next_to(self.gauge, DOWN, buff=px(56)).align_to(self.gauge, LEFT)
            moves.append(FadeIn(self.note))
        return moves

    def _mark(self, marks):
        """Change what stands behind the rows: pauses, or "finished"."""
        old, self.marks = self.marks, VGroup(*marks)
        return [FadeOut(m) for m in old] + [FadeIn(m) for m in self.marks]

    def _plan(self, step, note="", role="ink"):
        """The scheduler decides: cells light up, the budget fills, the stalled pause."""
        self.move(20, *self._mark(()), self._queues(step.planned), *self._say(note, role),
                  *self.stepper.show(step.index + 1, step.phase), *self.gauge.show(step.used))
        if step.phase == "prefill" and step.stalled:
            self.move(9, *self._mark(pause().move_to(self.board.rows[name].end + RIGHT * px(34))
                                     for name in step.stalled))

    def _finish(self, step):
        """The step has run: what was scheduled is cached, samples are appended."""
        look = self._queues(step.after, step.finished)
        rows = {name: self.board.rows[name] for name in step.finished}
        gone = [Label(self.label("finished"), 28, "muted").next_to(
            row.strip, RIGHT, buff=px(24)) for row in rows.values()]
        self.move(18, look, *self._mark(gone))

    def _arrive(self, step):
        note = self._say(self.label("arrives", name=", ".join(step.arrived)))
        self.move(18, *self._mark(()), self._queues(step.before), *note)

    @beat(48, 48, 45, anchors="engine/scheduler.py:30", steps=lambda story: story.window,
          variant=lambda story: story.stalling)
    def prefill_first(self):
        steps = [self.story.trace.steps[k - 1] for k in self.story.window]
        self._live(steps[0])
        for k, step in enumerate(steps):
            if k == 1 and step.arrived:
                self.late(18)
                self._arrive(step)
            if k:
                self.next_line()
            if step.stalled and step.phase == "prefill":
                note, role = self.label("no_token", names=", ".join(step.stalled)), "stop"
            else:
                key = "many" if step.phase == "prefill" else "one_each"
                note, role = self.label(key, n=step.used), "ink"
            self._plan(step, note, role)
            if k:
                self.late(18)
            self._finish(step)

    @beat(45, 45, 60, anchors="engine/scheduler.py:42", steps=lambda story: story.cut_window,
          variant=lambda story: story.cutting)
    def chunked_prefill(self):
        steps = [self.story.trace.steps[k - 1] for k in self.story.cut_window]
        self._live(steps[0])
        for k, step in enumerate(steps):
            if 1 <= k <= 2:
                self.next_line()
            if k and step.arrived:
                self._arrive(step)
            self._plan(step, self._cutting(step))
            if k != 2 or len(steps) == 3:
                self.late(18)
            self._finish(step)

    def _cutting(self, step):
        """What this prefill step says about cutting and fitting."""
        part = step.scheduled[0]
        if step.phase != "prefill":
            return ""
        if part.is_chunk:
            known = step.before[part.request].num_tokens
            return self.label("cut_here", done=part.start + part.count, known=known)
        if step.planned.waiting and step.used < step.budget:
            name, unused = step.planned.waiting[0], step.budget - step.used
            need = step.planned[name].num_tokens
            if need > unused:  # else it waits because the step serves no more sequences
                return self.label("fits_not", name=name, need=need, unused=unused)
        return ""

    @beat(40, 48, 48, anchors="engine/scheduler.py:86", variant=CUT,
          steps=lambda story: [step.index + 1 for step, _ in story.chunks])
    def the_discarded_sample(self):
        (_, first), (_, last) = self.story.chunks[0], self.story.chunks[-1]
        prompt, role = self.prompts[first.request], ROLES[first.request]
        strip = TokenStrip(prompt, "k" * prompt + ".", role, min(84, 1400 / (prompt + 1) - 8), 8)
        strip.move_to(STAGE.center).shift(DOWN * px(110))
        tag = name_tag(first.request, role, 48).next_to(strip, LEFT, buff=px(32))
        head = Node(self.label("head"), self.label("head_note"), "muted", 560, 150)
        head.move_to(STAGE.center).shift(UP * px(190))
        self.move(15, FadeIn(strip), FadeIn(tag), FadeIn(head), FadeIn(self._token_key()))
        done = first.start + first.count
        self._chunk(strip, first.start, done, prompt)
        token = self._sample(strip, head, done - 1, role)
        self.next_line()
        if not first.finishes_prompt:
            self._throw_away(token, strip[done])
            self.next_line()
            self._chunk(strip, last.start, prompt, prompt)
            token = self._sample(strip, head, prompt - 1, role)
        kept = Label(self.label("kept"), 34, "ink").next_to(strip[prompt], DOWN, buff=px(36))
        self.late(21)
        self.move(21, token.animate.move_to(strip[prompt]).match_height(strip[prompt]),
                  FadeIn(kept))

    def _chunk(self, strip, start, stop, prompt):
        looks = ("c" * start + "s" * (stop - start)).ljust(prompt, "k") + "."
        self.move(12, *strip.show(looks))

    def _sample(self, strip, head, last, role):
        """The last computed position goes through the LM head; a token comes out."""
        way = arrow(strip[last].get_top(), head.get_bottom(), "focus")
        token = TokenStrip(0, "k", role, 72).next_to(head, RIGHT, buff=px(60))
        self.move(12, FadeIn(way))
        self.move(12, FadeIn(token, shift=RIGHT * px(40)), head.light())
        cached = strip.looks.replace("s", "c")
        self.move(9, FadeOut(way), head.calm(), *strip.show(cached))
        return token

    def _throw_away(self, token, known):
        note = Label(self.label("thrown"), 34, "stop").next_to(token, RIGHT, buff=px(36))
        ring = SurroundingRectangle(known, buff=px(7), corner_radius=px(9), stroke_width=5,
                                    color=paint("focus"))
        reason = Label(self.label("next_known"), 34).next_to(ring, DOWN, buff=px(30))
        cross = VGroup(*(Line(token.get_corner(a), token.get_corner(b), stroke_width=6,
                              color=paint("stop"))
                         for a, b in ((UP + LEFT, DOWN + RIGHT), (DOWN + LEFT, UP + RIGHT))))
        self.move(15, FadeIn(ring), FadeIn(reason))
        self.move(15, FadeIn(note), FadeIn(cross))
        self.late(15)
        gone = (FadeOut(m, shift=RIGHT * px(80)) for m in (token, cross, note))
        self.move(15, *gone, FadeOut(ring), FadeOut(reason))
