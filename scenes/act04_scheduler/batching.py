"""Act 04, first part: the question, the loop, and why batches are continuous."""

from manim import DOWN, LEFT, RIGHT, UP, DoubleArrow, FadeIn, FadeOut, VGroup

from scenes.act04_seats import IDLE
from scenes.act04_story import ROLES, Params, tell
from scenes.kit import STAGE, Cell, Frame, Key, Label, Node, Panel, Paragraph, RequestRow
from scenes.kit import Timeline, TitleCard, TokenKey, TokenStrip, arc, arrow, number, paint, px
from scenes.stage import Act, beat

__all__ = ["Batching"]


class Batching(Act):
    number = 4
    Params = Params
    Frame = Frame
    tell = staticmethod(tell)

    def prepare(self):
        p = self.params
        self.names = "ABCDE"[: len(p.prompts)]
        self.cells = {n: a + b for n, a, b in zip(self.names, p.prompts, p.max_tokens)}
        self.prompts = dict(zip(self.names, p.prompts))

    @beat(30, header=False)
    def the_question(self):
        motif = VGroup(*(TokenStrip(self.prompts[n], "c" * self.prompts[n] + "k" * 3, ROLES[n], 26)
                         for n in self.names[:3])).arrange(DOWN, buff=px(14), aligned_edge=LEFT)
        other = "en" if self.language == "zh" else "zh"
        card = TitleCard(self.frame.act_line, self.beat.title[self.language],
                         self.beat.title[other], motif)
        self.add(card.act)
        self.move(30, card.rise())

    def _token_key(self):
        """What a token's look means, under the picture."""
        words = (("k", "key_known"), ("s", "key_now"), ("c", "key_cached"), ("g", "key_generated"))
        key = TokenKey([(look, self.label(name)) for look, name in words])
        return key.move_to([0, STAGE.bottom + px(30), 0])

    @beat(36, 60, 40, anchors="engine/sequence.py:8")
    def a_request_lives(self):
        panels = [Panel(self.label(k), 460, 300) for k in ("waiting", "running", "finished")]
        row_of = VGroup(*panels).arrange(RIGHT, buff=px(206)).move_to(STAGE.center)
        name, prompt = "A", self.prompts["A"]
        count = min(self.cells[name], prompt + 4)
        rest = "." * (count - prompt)
        row = RequestRow(name, ROLES[name], prompt, "k" * prompt + rest, min(26, 350 / count - 5))
        row.place(panels[0].slot(0.8, 70))
        paths = [arrow(a, b) for a, b in zip(panels, panels[1:])]
        notes = [Paragraph(self.label(k), 28, "muted", width=190).next_to(path, UP, buff=px(24))
                 for k, path in zip(("admitted", "done"), paths)]
        self.move(24, FadeIn(row_of), FadeIn(row, shift=RIGHT * px(40)), FadeIn(self._token_key()))
        self.next_line()
        act = Label(self.label("prefill"), 32, "focus", "semibold")
        act.next_to(panels[0], DOWN, buff=px(28))
        parts = [part for s in self.story.trace.steps if s.phase == "prefill"
                 and (part := s.part(name))]
        for k, part in enumerate(parts):
            look = "c" * part.start + "s" * part.count
            self.move(15, *([] if k else [FadeIn(act)]),
                      *row.strip.show(look.ljust(prompt, "k") + rest))
        self.rest(15)
        self.move(24, FadeOut(act), FadeIn(paths[0]), FadeIn(notes[0]), row.go(
            panels[1].get_center() - panels[0].get_center(),
            ("c" * prompt + "k").ljust(count, ".")))  # prefill gives the first token
        act = Label(self.label("decode"), 32, "focus", "semibold")
        act.next_to(panels[1], DOWN, buff=px(28))
        decodes = range(prompt + 2, count + 1)
        for k in decodes:
            new = [FadeIn(act)] if k == prompt + 2 else []
            self.move(12, *new, *row.strip.show(("c" * (k - 1) + "k").ljust(count, ".")))
        self.next_line()
        back = arc(panels[1].get_bottom(), panels[0].get_bottom(), -0.7, "stop")
        label = Label(self.label("back"), 28, "stop").next_to(back, DOWN, buff=px(16))
        self.move(24, *([FadeOut(act)] if decodes else []), FadeIn(paths[1]), FadeIn(notes[1]),
                  row.animate.shift(panels[2].get_center() - panels[1].get_center()))
        self.move(15, FadeIn(back), FadeIn(label))

    @beat(44, 40, 40, anchors="engine/llm_engine.py:49")
    def the_loop(self):
        words = [("schedule", "who", "Scheduler"), ("run", "what", "ModelRunner · Qwen3 · Sampler"),
                 ("postprocess", "next", "Scheduler · Sequence")]
        nodes = [Node(self.label(a), self.label(b), "muted", 430, 160, mono=True)
                 for a, b, _ in words]
        row = VGroup(*nodes).arrange(RIGHT, buff=px(150)).move_to(STAGE.center).shift(UP * px(110))
        ways = [arrow(a, b) for a, b in zip(nodes, nodes[1:])]
        home = arc(nodes[2].get_top(), nodes[0].get_top(), 0.42)
        engine = number("LLMEngine", 28, "ink").next_to(home, UP, buff=px(18))
        self.move(18, FadeIn(row), *map(FadeIn, ways), FadeIn(home))
        for lit, last in zip(nodes + nodes[:1], [None] + nodes):
            self.rest(12)
            self.move(12, lit.light(), *([last.calm()] if last else []))
        self.next_line()
        modules = [number(text, 26, "ink").next_to(node, DOWN, buff=px(26))
                   for node, (_, _, text) in zip(nodes, words)]
        store = Node(self.label("blocks"), self.label("where"), "muted", 430, 160)
        store.next_to(row, DOWN, buff=px(150))
        module = number("BlockManager", 26, "ink").next_to(store, DOWN, buff=px(26))
        self.move(15, FadeIn(store), nodes[0].calm())
        self.move(15, *map(FadeIn, (*modules, module, engine)))
        self.next_line()
        calls = [arrow(modules[i].get_bottom(), store.box.get_edge_center(side), buff=20)
                 for i, side in ((0, LEFT), (2, RIGHT))]
        for node, call in zip((nodes[0], nodes[2]), calls):
            self.move(15, FadeIn(call), node.light())
            self.rest(9)

    @beat(40, 50, 24, source=lambda story: story.contrast)
    def static_batching(self):
        self.static = self._lane(self.story.static, "static", px(170))
        caption, timeline, total, idle = self.static
        key = Key([(Cell("work", "q", "A"), self.label("key_work")),
                   (Cell("stall", "q"), self.label("key_stall")),
                   (Cell("wait", "q"), self.label("key_wait")),
                   (Cell("idle"), self.label("key_idle"))])
        self.key = key.move_to([0, STAGE.bottom + px(14), 0])
        first = next((k for k in range(self.story.static.steps)
                      if any(seat[k] == IDLE for seat in self.story.static.seats)), 1) + 1
        self.move(9, FadeIn(caption), FadeIn(timeline.tags), FadeIn(self.key))
        self.move(36, timeline.reveal(0, first))
        self.next_line()
        self.move(75, timeline.reveal(first))
        self.next_line()
        self.move(15, FadeIn(total, shift=UP * px(10)))
        self.move(15, FadeIn(idle, shift=UP * px(10)))

    @beat(54, 38, anchors="engine/scheduler.py:25", keep=True)
    def continuous_batching(self):
        caption, timeline, total, idle = self._lane(self.story.continuous, "continuous", px(362))
        self.move(24, *(part.animate.shift(UP * px(150)) for part in self.static))
        self.move(9, FadeIn(caption), FadeIn(timeline.tags))
        self.move(54, timeline.reveal())
        self.next_line()
        self.move(15, FadeIn(total, shift=UP * px(10)))
        self.move(15, FadeIn(idle, shift=UP * px(10)))
        saved = self.story.static.steps - self.story.continuous.steps
        if saved > 0:
            pitch = timeline.columns[-1].get_right() - timeline.columns[-2].get_right()
            start = timeline.columns[-1].get_right() + RIGHT * px(8)
            span = DoubleArrow(start, start + pitch * saved, buff=0, stroke_width=4,
                               color=paint("focus"), tip_length=px(20))
            note = Label(self.label("sooner", n=saved), 30, "focus").next_to(span, DOWN, px(20))
            self.move(18, FadeIn(span), FadeIn(note))

    def _lane(self, run, key, drop):
        """Caption, timeline of slots, steps and idle slots of one way to batch."""
        rows = [(self.label("slot", n=k + 1), "muted") for k in range(len(run.seats))]
        cells = [[Cell("idle") if c == IDLE else c and
                  Cell(c[1], ROLES[c[0]], c[0] if c[1] == "work" else "") for c in seat]
                 for seat in run.seats]
        rows.append((self.label("arrive"), "muted"))
        cells.append([self._arrivals(k) for k in range(run.steps)])
        width = min(60, 1580 / self.story.static.steps - 4)
        timeline = Timeline(rows, cells, (), width, min(54, 166 / len(run.seats)))
        top = STAGE.top - drop
        timeline.shift([STAGE.left + px(170), top - px(126), 0])
        caption = Label(self.label(key), 34, weight="semibold")
        caption.move_to([STAGE.left, top - px(20), 0], LEFT)
        total = number(self.label("total", n=run.steps), 34, "ink", "semibold")
        idle = number(self.label("idle", n=run.idle), 34, "stop", "semibold")
        VGroup(total, idle).arrange(RIGHT, buff=px(60)).move_to(
            [STAGE.left + px(560), top - px(20), 0], LEFT)
        return caption, timeline, total, idle

    def _arrivals(self, step):
        """The letter of who arrives before a step, if it is one newcomer."""
        names = [r.name for r in self.params.workload.requests if r.arrival == step and step]
        return Cell("flag", ROLES[names[0]] if len(names) == 1 else "ink", "".join(names)) \
            if names else None
