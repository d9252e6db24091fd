"""Act 04: who runs next, and how far. Its last part, and the whole."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, Line, VGroup

from scenes.act04_stepping import Stepping, looks_of
from scenes.act04_seats import milliseconds
from scenes.act04_story import ROLES
from scenes.kit import STAGE, Bars, Cell, Key, Label, Readout, Remember, Timeline, TokenStrip
from scenes.kit import name_tag, number, paint, px
from scenes.stage import beat

__all__ = ["Act04"]

PHASE_ROLE = {"prefill": "focus", "decode": "muted"}


class Act04(Stepping):
    """Beats nine to thirteen; the others are in `Batching` and `Stepping`."""

    @beat(64, 40, anchors="engine/scheduler.py:32", source=lambda story: story.source_all,
          variant=lambda story: story.counting,
          steps=lambda story: range(1, 1 + max(len(t.steps) for t in story.budgets.values())))
    def three_budgets(self):
        most = max(len(trace.steps) for trace in self.story.budgets.values())
        width = min(72, 1320 / most - 4)
        key = Key([(Cell("work", "focus", "6"), self.label("key_prefill")),
                   (Cell("work", "muted"), self.label("key_decode"))])
        self.move(6, FadeIn(key.move_to([0, STAGE.bottom + px(24), 0])))
        flags = []
        for row, (budget, trace) in enumerate(self.story.budgets.items()):
            cells = [Cell("work", PHASE_ROLE[s.phase], str(s.used) * (s.phase == "prefill"))
                     for s in trace.steps]
            lane = Timeline([(self.label("budget_row", n=budget), "ink")], [cells], (), width, 56)
            lane.shift([STAGE.left + px(230), STAGE.top - px(90 + 210 * row), 0])
            total = number(self.label("total", n=len(trace.steps)), 34, "ink", "semibold")
            total.next_to(lane.columns[-1], RIGHT, buff=px(30)).set_y(lane.tags.get_y())
            self.move(42, FadeIn(lane.tags), lane.reveal(lag=0.8))
            self.move(9, FadeIn(total))
            flags += self._flags(lane, self.story.first_tokens[budget])
        self.next_line()
        self.move(24, *(FadeIn(flag, shift=UP * px(12)) for flag in flags))

    def _flags(self, lane, firsts):
        """Under a step, the letters of all whose first token it yields."""
        for step in sorted(set(firsts.values())):
            names = [name for name in self.names if firsts.get(name) == step]
            flag = VGroup(*(name_tag(name, ROLES[name], 36) for name in names))
            yield flag.arrange(RIGHT, buff=px(6)).next_to(lane.columns[step - 1], DOWN, px(20))

    @beat(40, 50, 45, anchors="engine/sequence.py:23", steps=lambda story: story.counted)
    def three_counters(self):
        name = self.story.chunks[0][1].request
        steps = [step for step, _ in self.story.chunks[:2]]
        state, decode = steps[0].before, self.story.first_decode
        cells = self.prompts[name] + min(2, self.params.max_tokens[self.names.index(name)])
        strip = TokenStrip(self.prompts[name], looks_of(state, name, 99)[:cells], ROLES[name],
                           min(92, 1560 / cells - 8), 8)
        strip.move_to(STAGE.center).shift(DOWN * px(110))
        counters, columns = {}, VGroup()
        for key, value in self._values(state[name]).items():
            role = {"known": "ink", "cached": ROLES[name], "scheduled": "focus"}[key]
            counters[key] = Readout(value, 96, role, "bold")
            columns.add(VGroup(Label(self.label(key), 36, role, "semibold"), counters[key],
                               Label(self.label(key + "_note"), 28, "muted"))
                        .arrange(DOWN, buff=px(36), aligned_edge=LEFT))
        columns.arrange(RIGHT, buff=px(190)).move_to(STAGE.center).shift(UP * px(170))
        tag = name_tag(name, ROLES[name], 48).next_to(strip, LEFT, buff=px(32))
        self.move(15, *map(FadeIn, (columns, strip, tag, self._token_key())))
        self.late(18)
        self._count(strip, counters, steps[0].planned, name)
        self.next_line()
        for step in steps:
            if step is not steps[0]:
                self._count(strip, counters, step.planned, name)
                self.rest(21)
            self._count(strip, counters, step.after, name)
            self.rest(21)
        self.next_line()
        if decode:
            self._count(strip, counters, decode.planned, name)
            self.late(18)
            self._count(strip, counters, decode.after, name)

    @staticmethod
    def _values(request):
        return {"known": request.num_tokens, "cached": request.num_cached,
                "scheduled": request.scheduled}

    def _count(self, strip, counters, state, name):
        """Strip and counters go to a state together."""
        moves = strip.show(looks_of(state, name, 99)[: len(strip)])
        for key, value in self._values(state[name]).items():
            moves += counters[key].to(value)
        if moves:
            self.move(18, *moves)

    @beat(40, 40, 40, anchors=("engine/llm_engine.py:49", "engine/model_runner.py:197"),
          source=lambda story: story.real_source,
          steps=lambda story: range(1, len(story.real) + 1))
    def at_real_size(self):
        times = [milliseconds(step) for step in self.story.real]
        phases = [step["phase"] for step in self.story.real]
        pitch, top = 1500 / len(times), 10 * (1 + max(times) // 10)
        bars = Bars([], times, (), [PHASE_ROLE[phase] for phase in phases], UP, 480, pitch * 0.7,
                    pitch, full=top)
        bars.move_to([STAGE.left + px(110), STAGE.bottom + px(120), 0], DOWN + LEFT)
        unit, grid = self._scale(bars, top)
        self.move(12, *map(FadeIn, (bars.axis, unit, grid)))
        self.move(75, LaggedStart(*map(FadeIn, bars.bars), lag_ratio=0.25))
        self.next_line()
        left = px(120)
        for phase, pair in (("prefill", self.story.like_prefills), ("decode", ())):
            value = f"{self.story.real_medians[phase]:.1f}"
            note = Label(self.label(f"median_{phase}", ms=value), 34,
                         "focus" if phase == "prefill" else "ink", "semibold")
            note.next_to(unit, RIGHT, buff=left)
            left += note.width + px(110)
            tags = [Label(self.label("tokens", n=f"{self.story.real[k]['tokens']:,}"), 28, "ink")
                    .next_to(bars.bars[k], UP, buff=px(14)).align_to(bars.bars[k], LEFT)
                    for k in pair]
            self.move(24, FadeIn(note), *map(FadeIn, tags))
            if phase == "prefill":
                self.next_line()

    def _scale(self, bars, top):
        """Milliseconds at the left, step numbers below."""
        foot, grid = bars.axis.get_start(), VGroup()
        for value in range(0, int(top) + 1, 10):
            level = foot + UP * px(480 * value / top)
            line = Line(level, level + RIGHT * px(1530), stroke_width=1.5, color=paint("line"))
            grid.add(VGroup(line, number(value, 26, "muted").next_to(line, LEFT, buff=px(18))))
        ticks = [k for k in range(len(bars.bars)) if (k + 1) % 20 == 0 or k == 0]
        for k in ticks:
            grid.add(number(k + 1, 26, "muted").next_to(bars.at(k), DOWN, buff=px(22)))
        axis = Label(self.label("steps_axis"), 28, "muted")
        grid.add(axis.next_to(grid[-1], RIGHT, buff=px(30)))
        unit = Label(self.label("ms"), 28, "muted").next_to(grid, UP, buff=px(26))
        return unit.align_to(grid, LEFT), grid

    @beat(54, 54, anchors="engine/scheduler.py:54", source=lambda story: story.contrast,
          variant=lambda story: story.mixing)
    def mixed_steps(self):
        ours = [{p.request: (p.count, s.phase) for p in s.scheduled}
                | dict.fromkeys(s.stalled, (0, "stall")) for s in self.story.trace.steps]
        theirs = [{n: (c, "prefill" if start < self.prompts[n] else "decode")
                   for n, start, c in s.parts} for s in self.story.mixed]
        width = min(84, 1660 / max(len(ours), len(theirs)) - 4)
        for row, (key, steps) in enumerate((("ours", ours), ("theirs", theirs))):
            top = STAGE.top - px(14 + 372 * row)
            lane = self._requests(steps, width)
            lane.shift([STAGE.left + px(90), top - px(100), 0])
            caption = Label(self.label(key), 34, weight="semibold")
            caption.move_to([STAGE.left, top, 0], LEFT)
            stalls = self.story.stalls[row]
            figures = VGroup(
                number(self.label("total", n=len(steps)), 34, "ink", "semibold"),
                number(self.label("stalls", n=stalls), 34, "stop" if stalls else "v", "semibold"))
            figures.arrange(RIGHT, buff=px(60)).next_to(caption, RIGHT, buff=px(60))
            self.move(9, FadeIn(caption), FadeIn(lane.tags))
            self.move(54, lane.reveal())
            self.move(9, FadeIn(figures[0]))
            self.move(15, FadeIn(figures[1]))
            if not row:
                self.next_line()

    def _requests(self, steps, width):
        rows = [(name, ROLES[name]) for name in self.names]
        cells = [[self._share(step.get(name), ROLES[name]) for step in steps]
                 for name in self.names]
        return Timeline(rows, cells, (), width, min(46, 235 / len(self.names)))

    @staticmethod
    def _share(part, role):
        if part is None:
            return None
        count, phase = part
        return {"stall": Cell("stall", role), "decode": Cell("work", role)}.get(
            phase, Cell("work", role, str(count)))

    @beat(20, 20, 20)
    def remember(self):
        self.recall(Remember)
