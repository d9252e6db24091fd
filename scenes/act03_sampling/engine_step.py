"""Act 03, fifth part: the engine's step, five stages each time."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act03_counts import Counting
from scenes.kit import STAGE, Chip, Label, Node, Paragraph, Stepper, arc, arrow, number, px
from scenes.stage import beat

__all__ = ["Stepping"]

STAGES = ("schedule", "prepare", "run_model", "sampler", "postprocess")


class Stepping(Counting):
    """generate() and step() on the recorded steps."""

    @beat(40, 52, 50, anchors="engine/llm_engine.py:49", steps=(1, 2, 3))
    def five_stages(self):
        nodes = [Node(key, self.label(key + "_note"), "muted", 320, 150, mono=True, size=34)
                 for key in STAGES]
        VGroup(*nodes).arrange(RIGHT, buff=px(48)).move_to([0, STAGE.center[1] + px(96), 0])
        ways = VGroup(*(arrow(a, b, buff=6) for a, b in zip(nodes, nodes[1:])))
        home = arc(nodes[-1].get_top(), nodes[0].get_top(), 0.26)
        loop = number("generate()", 34, "ink", "semibold")
        until = Label(self.label("until"), 28, "muted")
        title = VGroup(loop, until).arrange(RIGHT, buff=px(24), aligned_edge=DOWN)
        title.move_to([0, STAGE.top - px(30), 0])
        self.move(24, LaggedStart(*map(FadeIn, nodes), lag_ratio=0.2), FadeIn(ways))
        self.move(18, FadeIn(home), FadeIn(title))
        self.stepper = Stepper(self.label("step"))
        self.stepper.move_to([0, STAGE.bottom + px(50), 0])
        self.move(12, FadeIn(self.stepper), *self.stepper.show(1, "prefill"))
        self.values, glosses = VGroup(), self._glosses(nodes)
        glosses[3].add(self._race_used(glosses[3].get_left()[0]))
        self.next_line()
        self._pass(nodes, 0, 14, glosses)
        self.next_line()
        for step in (1, 2):
            self.move(9, *self.stepper.show(step + 1, "decode"), FadeOut(self.values))
            self._pass(nodes, step, 8)

    def _pass(self, nodes, step, frames, glosses=None):
        """One step goes through the stages, one lit at a time; under each what came out of it."""
        self.values = VGroup()
        for k, (node, value) in enumerate(zip(nodes, self._values(step))):
            value.next_to(node, DOWN, buff=px(44))
            self.values.add(value)
            told = [FadeIn(glosses[k])] if glosses else []
            self.move(frames, node.light(), FadeIn(value, shift=DOWN * px(12)), *told)
            self.move(5, node.calm())

    def _glosses(self, nodes):
        """What the words under the stages mean: under each one, at most two lines."""
        rows = VGroup()
        for key, node in zip(STAGES, nodes):
            text = self.label(key + "_gloss") if key != "schedule" else ""
            row = Paragraph(text, 26, "muted") if text else VGroup()
            rows.add(row.move_to([node.get_x(), node.get_bottom()[1] - px(206), 0]))
        return rows

    def _race_used(self, left):
        """The temperature recorded, where the race before had another one."""
        if self.story.facts["used_temperature"] == self.story.facts["temperature"]:
            return VGroup()
        note = Paragraph(self.label("race_used"), 26, "muted")
        return note.move_to([left, self.stepper.get_y(), 0], LEFT)

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


def _span(word, numbers):
    """"slots 0 … 11" for many, "slot 12" for one."""
    one = len(numbers) == 1
    return f"{word} {numbers[0]}" if one else f"{word}s {numbers[0]} … {numbers[-1]}"
