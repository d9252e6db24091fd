"""Act 03: from logits to the next token; the last part: what a step leaves."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Rectangle, VGroup

from scenes.act03_logits import across
from scenes.act03_steps import Stepping
from scenes.kit import (
    STAGE,
    Chip,
    Chips,
    Label,
    Panel,
    Remember,
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

PROMPT_SHOWN, WRITTEN_SHOWN = 2, 7
LAYERS_SHOWN = 6


class Act03(Stepping):
    """What lasts beyond a step: ids, and K and V."""

    @beat(45, 50, 54, anchors="engine/model_runner.py:172",
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
        glosses = self._looked_up()
        for gloss in glosses:
            self.move(15, FadeIn(gloss, shift=RIGHT * px(16)))
        note = Label(self.label("no_kv"), 30, "focus", "medium")
        self.next_line()
        self.move(9, FadeOut(glosses))
        self._sampled(before, note)
        self.rest(18)
        self._decode(before, note, 15)
        self.next_line()
        for k in range(before + 1, before + len(steps) - 1):
            self._decode(k, note, 10)

    def _looked_up(self):
        """What K and V are for, beside the first ones."""
        keys = self.cells[PROMPT_SHOWN - 1][1]
        glosses = VGroup(*(Label(self.label(key), 32, role, "medium") for key, role in
                           (("key_gloss", "k"), ("value_gloss", "v"))))
        for gloss, half in zip(glosses, keys):
            gloss.next_to(half, RIGHT, buff=px(60))
        return glosses

    def _cell(self, k, token, token_id, slot):
        """A column: [chip and id], [K, V and slot], [the empty places of K and V]."""
        x, y = 300 + 164 * k + 82, STAGE.center[1]
        chip = Chip(visible(token, 9), "k", "q", 28, 84, width=156)
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
        boxes.arrange(DOWN, buff=px(16)).move_to([STAGE.left, STAGE.center[1] + px(34), 0], LEFT)
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
        way = arrow(boxes[5].get_right(), [request.get_left()[0], boxes[5].get_y(), 0], "focus")
        self.move(24, FadeIn(way), FadeOut(boxes[5].copy(), target_position=ids[1], scale=0.4),
                  FadeIn(ids[1]))
        self.next_line()
        cost = Label(self.label("bytes"), 36, "ink", "semibold")
        self.move(18, FadeIn(cost.move_to([0, STAGE.bottom + px(22), 0])))

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
        self.recall(Remember)
