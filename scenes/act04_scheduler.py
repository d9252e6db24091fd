"""Act 04: who runs next, and how far. Its last part, and the whole."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, Line, VGroup

from scenes.act04_stepping import Stepping, looks_of
from scenes.act04_story import ROLES, milliseconds
from scenes.kit import (
    STAGE,
    Bars,
    Cell,
    Label,
    Readout,
    Remember,
    Timeline,
    TokenStrip,
    name_tag,
    number,
    paint,
    px,
)
from scenes.stage import beat

__all__ = ["Act04"]

PHASE_ROLE = {"prefill": "ink", "decode": "muted"}


class Act04(Stepping):
    """Beats nine to thirteen; the others are in `Batching` and `Stepping`."""

    @beat(64, 36, anchors="engine/scheduler.py:30", source=lambda story: story.source_all,
          steps=lambda story: range(1, 1 + max(len(t.steps) for t in story.budgets.values())))
    def three_budgets(self):
        most = max(len(trace.steps) for trace in self.story.budgets.values())
        width = min(72, 1320 / most - 4)
        flags = []
        for row, (budget, trace) in enumerate(self.story.budgets.items()):
            cells = [Cell("work", PHASE_ROLE[s.phase],
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

    @beat(40, 45, 45, anchors="engine/sequence.py:21",
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

    @beat(40, 40, 40, anchors="engine/llm_engine.py:49", source=lambda story: story.real_source,
          steps=lambda story: range(1, len(story.real) + 1))
    def at_real_size(self):
        times = [milliseconds(step) for step in self.story.real]
        phases = [step["phase"] for step in self.story.real]
        pitch, top = 1480 / len(times), 10 * (1 + max(times) // 10)
        bars = Bars([], times, (), [PHASE_ROLE[phase] for phase in phases], UP, 500, pitch * 0.7,
                    pitch, full=top)
        bars.move_to([STAGE.left + px(110), STAGE.bottom + px(120), 0], DOWN + LEFT)
        foot = bars.axis.get_start()
        grid = VGroup()
        for value in range(10, int(top) + 1, 10):
            level = foot + UP * px(500 * value / top)
            line = Line(level, level + RIGHT * px(1510), stroke_width=1.5, color=paint("line"))
            grid.add(VGroup(line, number(value, 26, "muted").next_to(line, LEFT, buff=px(18))))
        unit = Label(self.label("ms"), 28, "muted").next_to(grid, UP, buff=px(22))
        unit.align_to(grid, LEFT)
        axis = Label(self.label("steps_axis"), 28, "muted").next_to(bars.axis, DOWN, buff=px(26))
        self.move(12, *map(FadeIn, (bars.axis, unit, axis, grid)))
        self.move(75, LaggedStart(*map(FadeIn, bars.bars), lag_ratio=0.25))
        for phase, role in (("prefill", "focus"), ("decode", "q")):
            self.next_line()
            chosen = [bar for bar, each in zip(bars.bars, phases) if each == phase]
            value = self.story.real_medians[phase]
            note = Label(self.label(f"median_{phase}", ms=f"{value:.1f}"), 34, role, "semibold")
            # both notes stand above the chart, clear of the bars
            note.next_to(unit, RIGHT, buff=px(90 if phase == "prefill" else 720))
            self.move(24, FadeIn(note), *(bar.animate.set_fill(paint(role)) for bar in chosen))

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
        lines = Remember(self.spoken, self.words.leaves_out)
        for k in range(len(lines)):
            if k:
                self.next_line()
            self.move(15, *lines.line(k))
