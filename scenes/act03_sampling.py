"""Act 03: from logits to the next token."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Rectangle, VGroup

from scenes.act03_race import Racing, across
from scenes.kit import (
    STAGE,
    Chip,
    Chips,
    Label,
    Node,
    Panel,
    Remember,
    Stepper,
    arc,
    arrow,
    mix,
    number,
    paint,
    place,
    px,
    visible,
)
from scenes.stage import beat

__all__ = ["Act03"]

STAGES = ("schedule", "prepare", "run_model", "sampler", "postprocess")
PROMPT_SHOWN, WRITTEN_SHOWN = 3, 7
LAYERS_SHOWN = 6


class Act03(Racing):
    """The engine's step, and what lasts beyond it."""

    @beat(40, 45, 45, anchors="engine/llm_engine.py:49", steps=(1, 2, 3))
    def five_stages(self):
        nodes = [Node(key, self.label(key + "_note"), "muted", 320, 150, mono=True, size=34)
                 for key in STAGES]
        VGroup(*nodes).arrange(RIGHT, buff=px(48)).move_to([0, STAGE.center[1] + px(70), 0])
        ways = VGroup(*(arrow(a, b, buff=6) for a, b in zip(nodes, nodes[1:])))
        home = arc(nodes[-1].get_top(), nodes[0].get_top(), 0.26)
        loop = number("generate()", 34, "ink", "semibold")
        until = Label(self.label("until"), 28, "muted")
        title = VGroup(loop, until).arrange(RIGHT, buff=px(24), aligned_edge=DOWN)
        title.move_to([0, STAGE.top - px(30), 0])
        self.move(24, LaggedStart(*map(FadeIn, nodes), lag_ratio=0.2), FadeIn(ways))
        self.move(18, FadeIn(home), FadeIn(title))
        self.stepper = Stepper(self.label("step"))
        self.stepper.move_to([0, STAGE.bottom + px(56), 0])
        self.move(12, FadeIn(self.stepper), *self.stepper.show(1, "prefill"))
        self.values = [VGroup() for _ in nodes]
        self.next_line()
        self._pass(nodes, 0, 15)
        self.next_line()
        for step in (1, 2):
            self.move(9, *self.stepper.show(step + 1, "decode"))
            self._pass(nodes, step, 10)

    def _pass(self, nodes, step, frames):
        """One step goes through the stages; under each one what came out of it."""
        for k, (node, value) in enumerate(zip(nodes, self._values(step))):
            value.next_to(node, DOWN, buff=px(44))
            old, self.values[k] = self.values[k], value
            calm = [nodes[k - 1].calm()] if k else []
            self.move(frames, node.light(), *calm, *([FadeOut(old)] if len(old) else []),
                      FadeIn(value, shift=DOWN * px(12)))
        self.move(6, nodes[-1].calm())

    def _values(self, step):
        """What a real step put out, stage by stage: two lines each."""
        seen = self.story.steps[step]
        ids, known = seen["ids"], seen["before"]["known"]
        lines = [
            (self.label("tokens_in" if len(ids) > 1 else "token_in", n=len(ids)), seen["phase"]),
            (f"ids [{len(ids)}]" if len(ids) > 1 else f"id {ids[0]}", _span("slot", seen["slots"])),
            ("logits", str(self.story.shape("logits", step))),
            (None, f"id {seen['sampled']}"),
            (f"known {known} → {seen['after']['known']}",
             f"cached {seen['before']['cached']} → {seen['after']['cached']}"),
        ]
        return [VGroup(number(a, 28) if a else Chip(seen["sampled_text"], "k", "q", 28, 52),
                       number(b, 28, "muted")).arrange(DOWN, buff=px(26)) for a, b in lines]

    @beat(45, 40, 60, anchors="engine/model_runner.py:172",
          steps=lambda story: range(1, len(story.steps) + 1))
    def id_without_kv(self):
        story, known = self.story, self.story.facts["known"]
        before = min(PROMPT_SHOWN, known)
        steps = story.steps[:WRITTEN_SHOWN]
        ids = [*story.prompt["ids"][known - before:], *(s["sampled"] for s in steps)]
        texts = story.texts[known - before: known + len(steps)]
        slots = [*steps[0]["slots"][-before:], *(s["slots"][-1] for s in steps[1:])]
        self.cells = [self._cell(k, *cell) for k, cell in
                      enumerate(zip(texts, ids, [*slots, None]))]
        captions = self._captions(known - before)
        shelf = Rectangle(width=px(1500), height=px(250), stroke_width=2,
                          stroke_color=paint("line"), fill_color=paint("panel"), fill_opacity=1)
        shelf.move_to(across(1042, self.cells[0][1].get_y() - px(24)))
        self.move(18, FadeIn(shelf), FadeIn(captions),
                  *(FadeIn(cell[0]) for cell in self.cells[:before]))
        self.move(15, *(m for cell in self.cells[:before] for m in cell[0][0].to("s")))
        self.move(18, *(m for cell in self.cells[:before] for m in cell[0][0].to("c")),
                  *(FadeIn(cell[1], shift=DOWN * px(20)) for cell in self.cells[:before]))
        note = Label(self.label("no_kv"), 30, "focus", "medium")
        self._sampled(before, note)
        self.next_line()
        self._decode(before, note, 18)
        self.next_line()
        for k in range(before + 1, before + len(steps) - 1):
            self._decode(k, note, 11)

    def _cell(self, k, token, token_id, slot):
        """A column: [chip and id], [K, V and slot], [the empty places of K and V]."""
        x, y = 300 + 148 * k + 74, STAGE.center[1]
        chip = Chip(visible(token, 7), "k", "q", 28, 84, width=138)
        chip.move_to(across(x, y + px(190)))
        head = VGroup(chip, number(token_id, 28, "muted").next_to(chip, DOWN, buff=px(26)))
        keys = VGroup(*(self._half(letter, role) for letter, role in (("K", "k"), ("V", "v"))))
        keys.arrange(DOWN, buff=px(8)).move_to(across(x, y - px(70)))
        if slot is not None:
            keys.add(number(slot, 28, "muted").next_to(keys, DOWN, buff=px(26)))
        empty = VGroup(*(place(132, 60, "focus") for _ in "KV"))
        empty.arrange(DOWN, buff=px(8)).move_to(across(x, y - px(70)))
        return head, keys, empty

    def _half(self, letter, role):
        box = Rectangle(width=px(132), height=px(60), stroke_width=2, stroke_color=paint(role),
                        fill_color=mix(role, 0.45), fill_opacity=1)
        return VGroup(box, number(letter, 28, "ink", "semibold").move_to(box).set_z_index(1))

    def _captions(self, earlier):
        """Names of the rows, left; how many prompt tokens stand before those shown."""
        head, keys, _ = self.cells[0]
        rows = VGroup(*(Label(self.label(key), 28, "muted").move_to(across(0, target.get_y()), LEFT)
                        for key, target in (("token", head[0]), ("token_id", head[1]),
                                            ("in_cache", keys[:2]), ("slot", keys[2]))))
        if earlier:
            rows.add(Label(self.label("earlier", n=earlier), 28, "muted").move_to(
                across(280, head[0].get_y()), RIGHT))
        return rows

    def _sampled(self, k, note, frames=15):
        """A token is sampled: it has an id; the places of its K and V are empty."""
        head, _, empty = self.cells[k]
        note.next_to(empty, DOWN, buff=px(70))
        note.set_x(min(empty.get_x(), STAGE.right - note.width / 2))
        self.move(frames, FadeIn(head, shift=RIGHT * px(30)), FadeIn(empty), FadeIn(note))

    def _decode(self, k, note, frames):
        """One decode step: the id is read, its K and V are written, the next one is sampled."""
        head, keys, empty = self.cells[k]
        self.move(frames, *head[0].to("s"), FadeOut(note))
        self.move(frames, *head[0].to("c"), FadeOut(empty), FadeIn(keys, shift=DOWN * px(20)))
        self._sampled(k + 1, note, frames)

    @beat(45, 40, 36, anchors="layers/attention.py:63", steps=(2,))
    def what_the_cache_keeps(self):
        story = self.story
        rows = [("hidden_states", "muted", "norm"), ("Q", "q", "q"), ("K", "k", "k"),
                ("V", "v", "k"), ("logits", "muted", "logits"), ("token_id", "focus", "token")]
        boxes = VGroup(*(self._tensor(key, role, story.shape(name, 1)) for key, role, name in rows))
        boxes.arrange(DOWN, buff=px(22)).move_to([STAGE.left, STAGE.center[1] - px(10), 0], LEFT)
        cache = Panel(self.label("cache_panel"), 900, 400)
        cache.move_to([STAGE.right, boxes.get_top()[1], 0], RIGHT + UP)
        request = Panel(self.label("answer"), 900, 170)
        request.move_to([STAGE.right, boxes.get_bottom()[1], 0], RIGHT + DOWN)
        before = story.steps[1]["before"]["cached"]
        strips = self._layers(cache, before)
        ids = Chips([str(s["sampled"]) for s in story.steps[:2]], "k", "q", 800, 30, 60)
        ids.move_to(request.slot(0, 0) + DOWN * px(14), LEFT).set_z_index(1)
        ways = VGroup(*(arrow(boxes[k].get_right(), [cache.get_left()[0], boxes[k].get_y(), 0],
                              role) for k, role in ((2, "k"), (3, "v"))))
        self.move(24, *map(FadeIn, (boxes, cache, strips, request, ids[0])))
        self.move(9, FadeIn(ways))
        self._store(boxes[2], boxes[3], strips, before)
        self.next_line()
        gone = VGroup(*(Label(self.label("gone"), 30, "muted").next_to(boxes[k], RIGHT, px(40))
                        for k in (0, 1, 4)))
        self.move(24, *(boxes[k].animate.set_opacity(0.3) for k in (0, 1, 4)), FadeIn(gone))
        self.move(24, FadeOut(boxes[5].copy(), target_position=ids[1], scale=0.4),
                  FadeIn(ids[1]))
        self.next_line()
        cost = number(self.label("bytes"), 34, "ink", "semibold")
        cost.move_to(cache.box.get_corner(RIGHT + UP) + [-px(32), -px(42), 0], RIGHT)
        self.move(18, FadeIn(cost.set_z_index(1)))

    def _tensor(self, key, role, shape):
        """A tensor of this step: its name and its shape in one layer."""
        box = Rectangle(width=px(560), height=px(84), stroke_width=2.5, stroke_color=paint(role),
                        fill_color=mix(role, 0.14), fill_opacity=1)
        name = (number(key, 32, "ink", "semibold") if len(key) == 1
                else Label(self.label(key), 30)).set_z_index(1)
        size = number(str(shape), 30).set_z_index(1)
        name.move_to(box.get_left() + RIGHT * px(28), LEFT)
        return VGroup(box, name, size.move_to(box.get_right() + LEFT * px(28), RIGHT))

    def _layers(self, cache, tokens):
        """K and V of every layer as bars, as long as the tokens cached."""
        layers = min(self.story.facts["layers"], LAYERS_SHOWN)
        self.pitch = min(44, 660 / (tokens + 1))
        strips = VGroup()
        for k in range(layers):
            left = cache.slot(0, 0) + [px(150), -px(20 + 48 * k), 0]
            pair = VGroup(*(self._strip(role, tokens).move_to(left + DOWN * px(18 * i), LEFT)
                            for i, role in enumerate("kv")))
            tag = number(k, 26, "muted").move_to(pair.get_left() + LEFT * px(40))
            strips.add(VGroup(pair, tag.set_z_index(1)))
        word = Label(self.label("layer"), 26, "muted").set_z_index(1)
        strips.add(word.next_to(strips[0][1], LEFT, buff=px(20)))
        return strips

    def _strip(self, role, tokens):
        return Rectangle(width=px(self.pitch * tokens), height=px(15), stroke_width=0,
                         fill_color=paint(role), fill_opacity=1).set_z_index(1)

    def _store(self, key, value, strips, before):
        """The new K and V travel into every layer's bars, which grow by one token."""
        news = []
        for pair, *_ in strips[:-1]:
            for source, strip in zip((key, value), pair):
                cell = Rectangle(width=px(self.pitch - 3), height=px(15), stroke_width=0,
                                 fill_color=strip.get_fill_color(), fill_opacity=1)
                cell.next_to(strip, RIGHT, buff=px(3)).set_z_index(1)
                news.append(FadeIn(cell, target_position=source, scale=3))
        self.move(36, LaggedStart(*news, lag_ratio=0.08))

    @beat(20, 20, 20)
    def remember(self):
        lines = Remember(self.spoken, self.words.leaves_out)
        for k in range(len(lines)):
            if k:
                self.next_line()
            self.move(15, *lines.line(k))


def _span(word, numbers):
    """"slots 0 … 11" for many, "slot 12" for one."""
    one = len(numbers) == 1
    return f"{word} {numbers[0]}" if one else f"{word}s {numbers[0]} … {numbers[-1]}"
