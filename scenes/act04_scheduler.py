"""Act 04: who runs next, and how far."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Line, SurroundingRectangle, VGroup

from scenes.act04_batching import Batching
from scenes.act04_story import ROLES
from scenes.kit import (
    STAGE, Board, Cell, Gauge, Label, Node, Readout, Remember, Stepper, Timeline, TokenStrip, arrow,
    name_tag, number, paint, pause, px,
)
from scenes.stage import beat

__all__ = ["Act04"]


def looks_of(state, name, cells):
    """One letter a cell for a request in a state: cached, scheduled, known, absent."""
    request = state[name]
    cached, planned = request.num_cached, request.scheduled
    text = "c" * cached + "s" * planned + "k" * (request.num_tokens - cached - planned)
    return text.ljust(cells, ".")


def CUT(story):
    """Which words a beat about cutting uses: some budgets cut nothing."""
    return "cut" if story.cut else "whole"


class Act04(Batching):
    """Beats six to thirteen; the first five are in `Batching`."""

    def _live(self, first):
        """Queues on the left; step, budget and a note on the right; as before step `first`."""
        requests = {n: (ROLES[n], self.prompts[n], self.cells[n]) for n in self.names}
        captions = {key: self.label(key) for key in ("waiting", "running")}
        rows = max(3, *(len(q) for state in self.story.trace.states
                        for q in (state.waiting, state.running)))
        cell = min(44, 770 / max(self.cells.values()) - 5)
        self.board = Board(captions, requests, 900, rows, cell, pitch=min(84, 270 / rows))
        VGroup(*self.board.panels.values()).move_to(
            [STAGE.left, STAGE.top - px(24), 0], UP + LEFT)
        self.stepper = Stepper(self.label("step"))
        self.gauge = Gauge(self.label("budget"), self.params.budget)
        right = [STAGE.left + px(1010), STAGE.top - px(34), 0]
        self.stepper.move_to(right, UP + LEFT)
        self.gauge.move_to(right, UP + LEFT).shift(DOWN * px(250))
        self.note = VGroup()
        look = self._queues(first.before)
        self.move(18, *map(FadeIn, self.board.panels.values()), look, FadeIn(self.gauge),
                  FadeIn(self.stepper))

    def _queues(self, state):
        queues = {"waiting": state.waiting, "running": state.running}
        looks = {n: looks_of(state, n, self.cells[n]) for n in (*state.waiting, *state.running)}
        return self.board.show(queues, looks)

    def _say(self, text="", role="ink", *, below=0):
        """Change the note under the budget."""
        old, self.note = self.note, Label(text, 34, role) if text else VGroup()
        moves = [FadeOut(old)] if len(old.get_family()) > 1 or old.has_points() else []
        if text:
            self.note.next_to(self.gauge, DOWN, buff=px(56 + below)).align_to(self.gauge, LEFT)
            moves.append(FadeIn(self.note))
        return moves

    def _plan(self, step, frames=18, note="", role="ink"):
        """The scheduler decides: cells light up, the budget fills."""
        used = step.used if step.phase == "prefill" else 0
        moves = [self._queues(step.planned), *self.stepper.show(step.index + 1, step.phase),
                 *self.gauge.show(used), *self._say(note, role)]
        self.move(frames, *filter(None, moves))

    def _finish(self, step, frames=18):
        """The step has run: what was scheduled is cached, samples are appended."""
        look = self._queues(step.after)
        if look:
            self.move(frames, look)

    @beat(60, 60, 50, anchors="engine/scheduler.py:30", steps=lambda story: story.window,
          variant=lambda story: "stall" if story.stall else "none")
    def prefill_first(self):
        steps = [self.story.trace.steps[k - 1] for k in self.story.window]
        self._live(steps[0])
        for k, step in enumerate(steps):
            if k == 1 and step.arrived:
                self.late(18)
                note = self._say(self.label("arrives", name=step.arrived[0]))
                self.move(18, self._queues(step.before), *note)
            if k:
                self.next_line()
            if step.stalled and step.phase == "prefill":
                note, role = self.label("no_token", names=" ".join(step.stalled)), "stop"
            else:
                key = "many" if step.phase == "prefill" else "one_each"
                note, role = self.label(key, n=step.used), "ink"
            self._plan(step, 20, note, role)
            pauses = VGroup(*(pause().next_to(self.board.rows[n], RIGHT, buff=px(24))
                              for n in step.stalled if n in self.board.rows))
            if step.stalled and step.phase == "prefill":
                self.move(9, FadeIn(pauses))
                self.late(9 + 18)
                self.move(9, FadeOut(pauses))
            elif k:
                self.late(18)
            self._finish(step)

    @beat(60, 60, 40, anchors="engine/scheduler.py:42", steps=lambda story: story.cut_window,
          variant=CUT)
    def chunked_prefill(self):
        steps = [self.story.trace.steps[k - 1] for k in self.story.cut_window]
        self._live(steps[0])
        for k, step in enumerate(steps):
            if k:
                self.next_line()
            part, note = step.scheduled[0], ""
            if part.is_chunk and step.phase == "prefill":
                known = step.before[part.request].num_tokens
                note = self.label("cut_here", done=part.start + part.count, known=known)
            elif step.phase == "prefill" and step.planned.waiting and step.used < step.budget:
                name = step.planned.waiting[0]
                request = step.planned[name]
                note = self.label("fits_not", name=name, need=request.num_tokens,
                                  unused=step.budget - step.used)
            self._plan(step, 24, note)
            self.late(18)
            self._finish(step)

    @beat(50, 50, 60, anchors="engine/scheduler.py:86", variant=CUT,
          steps=lambda story: [step.index + 1 for step, _ in story.chunks])
    def the_discarded_sample(self):
        (_, first), (_, last) = self.story.chunks[0], self.story.chunks[-1]
        prompt, role = self.prompts[first.request], ROLES[first.request]
        strip = TokenStrip(prompt, "k" * prompt + ".", role, min(72, 1300 / (prompt + 1) - 5), 8)
        strip.move_to(STAGE.center).shift(DOWN * px(150))
        tag = name_tag(first.request, role, 44).next_to(strip, LEFT, buff=px(32))
        head = Node(self.label("head"), "", "muted", 420, 110)
        head.move_to(STAGE.center).shift(UP * px(170))
        self.move(15, FadeIn(strip), FadeIn(tag), FadeIn(head))
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
        self.move(21, token.animate.move_to(strip[prompt]).set_stroke(width=3), FadeIn(kept))

    def _chunk(self, strip, start, stop, prompt):
        looks = ("c" * start + "s" * (stop - start)).ljust(prompt, "k") + "."
        self.move(12, *strip.show(looks))

    def _sample(self, strip, head, last, role):
        """The last computed position goes through the LM head; a token comes out."""
        way = arrow(strip[last].get_top(), head.get_bottom(), "focus")
        token = TokenStrip(0, "k", role, 60).next_to(head, RIGHT, buff=px(60))
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
        self.rest(36)
        gone = (FadeOut(m, shift=RIGHT * px(80)) for m in (token, cross, note))
        self.move(15, *gone, FadeOut(ring), FadeOut(reason))

    @beat(70, 50, anchors="engine/scheduler.py:30", source=lambda story: story.source_all,
          steps=lambda story: range(1, 1 + max(len(t.steps) for t in story.budgets.values())))
    def three_budgets(self):
        most = max(len(trace.steps) for trace in self.story.budgets.values())
        width = min(72, 1500 / most - 4)
        flags = []
        for row, (budget, trace) in enumerate(self.story.budgets.items()):
            cells = [Cell("work", "ink" if s.phase == "prefill" else "muted",
                          str(s.used) if s.phase == "prefill" else "") for s in trace.steps]
            lane = Timeline([(self.label("budget_row", n=budget), "ink")], [cells],
                            [s.phase for s in trace.steps], width, 56)
            lane.shift([STAGE.left + px(230), STAGE.top - px(110 + 220 * row), 0])
            total = number(self.label("total", n=len(trace.steps)), 32, "ink", "semibold")
            self.move(6, FadeIn(lane.tags))
            self.move(42, lane.reveal(lag=0.8))
            total.next_to(lane.columns[-1], RIGHT, buff=px(30)).set_y(lane.tags.get_y())
            self.move(9, FadeIn(total))
            flags += self._flags(lane, self.story.first_tokens[budget])
        self.next_line()
        self.move(24, *(FadeIn(flag, shift=UP * px(12)) for flag in flags))

    def _flags(self, lane, firsts):
        stacked = {}
        for name, step in firsts.items():
            place = stacked[step] = stacked.get(step, -1) + 1
            flag = name_tag(name, ROLES[name], 30).next_to(lane.columns[step - 1], DOWN, px(18))
            yield flag.shift(DOWN * px(34 * place))

    @beat(50, 50, 50, anchors="engine/sequence.py:21",
          steps=lambda story: story.counted)
    def three_counters(self):
        name = self.story.chunks[0][1].request
        cells = self.prompts[name] + min(2, self.params.max_tokens["ABCDE".index(name)])
        state = self.story.chunks[0][0].before
        strip = TokenStrip(self.prompts[name], looks_of(state, name, 99)[:cells], ROLES[name],
                           min(80, 1500 / cells - 8), 8)
        strip.move_to(STAGE.center).shift(DOWN * px(120))
        counters = {}
        columns = VGroup()
        for key, role in (("known", "ink"), ("cached", ROLES[name]), ("scheduled", "focus")):
            counters[key] = Readout("0", 88, role, "bold")
            columns.add(VGroup(Label(self.label(key), 34, role, "semibold"), counters[key],
                               Label(self.label(key + "_note"), 28, "muted"))
                        .arrange(DOWN, buff=px(36), aligned_edge=LEFT))
        columns.arrange(RIGHT, buff=px(190)).move_to(STAGE.center).shift(UP * px(150))
        tag = name_tag(name, ROLES[name], 44).next_to(strip, LEFT, buff=px(32))
        self.move(15, FadeIn(columns), FadeIn(strip), FadeIn(tag))
        self._count(strip, counters, state, name)
        decode = self.story.first_decode
        steps = [step for step, _ in self.story.chunks[:3]]
        self.late(18)
        self._count(strip, counters, steps[0].planned, name)
        self.next_line()
        for step in steps:
            if step is not steps[0]:
                self._count(strip, counters, step.planned, name)
            self._count(strip, counters, step.after, name)
        self.next_line()
        if decode:
            self._count(strip, counters, decode.planned, name)
            self.late(18)
            self._count(strip, counters, decode.after, name)

    def _count(self, strip, counters, state, name):
        request = state[name]
        values = {"known": request.num_tokens, "cached": request.num_cached,
                  "scheduled": request.scheduled}
        moves = strip.show(looks_of(state, name, 99)[: len(strip)])
        for key, value in values.items():
            moves += counters[key].to(value)
        if moves:
            self.move(18, *moves)

    @beat(50, 50, anchors="engine/scheduler.py:25", source=lambda story: story.contrast)
    def mixed_steps(self):
        ours = [{p.request: (p.count, s.phase) for p in s.scheduled}
                | dict.fromkeys(s.stalled, (0, "stall")) for s in self.story.trace.steps]
        theirs = [{n: (c, "prefill" if start < self.prompts[n] else "decode")
                   for n, start, c in s.parts} for s in self.story.mixed]
        width = min(72, 1560 / max(len(ours), len(theirs)) - 4)
        for row, (key, steps) in enumerate((("ours", ours), ("theirs", theirs))):
            top = STAGE.top - px(30 + 360 * row)
            lane = self._requests(steps, width)
            lane.shift([STAGE.left + px(90), top - px(110), 0])
            caption = Label(self.label(key), 34, weight="semibold")
            caption.move_to([STAGE.left, top, 0], LEFT)
            total = number(self.label("total", n=len(steps)), 32, "ink", "semibold")
            total.next_to(caption, RIGHT, buff=px(50))
            self.move(9, FadeIn(caption), FadeIn(lane.tags))
            self.move(42, lane.reveal())
            self.move(9, FadeIn(total))
            if not row:
                self.next_line()

    def _requests(self, steps, width):
        rows = [(name, ROLES[name]) for name in self.names]
        cells = [[self._share(step.get(name), ROLES[name]) for step in steps]
                 for name in self.names]
        return Timeline(rows, cells, (), width, min(44, 225 / len(self.names)))

    @staticmethod
    def _share(part, role):
        if part is None:
            return None
        count, phase = part
        return {"stall": Cell("stall", role), "decode": Cell("work", role)}.get(
            phase, Cell("work", role, str(count)))

    @beat(20, 20, 20)
    def remember(self):
        lines = Remember([line.text[self.language] for line in self.beat.lines])
        for k in range(3):
            if k:
                self.next_line()
            self.move(15, lines.line(k))
