"""Act 02, first part: the question, the way from ids to logits, and the widths."""

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    FadeOut,
    LaggedStart,
    Rectangle,
    RoundedRectangle,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_story import PROMPTS, Params, shape, tell
from scenes.kit import (
    STAGE,
    Frame,
    Label,
    Part,
    ScaleBar,
    TitleCard,
    TokenStrip,
    arrow,
    mix,
    number,
    paint,
    px,
    ring,
)
from scenes.stage import Act, beat

__all__ = ["Path"]

ROLES = ("q", "k")  # of the two prompts
UNIT, GAP = 0.158, 300  # px at 1080p a number of a row is wide; room for a matrix's name
BAR = {"ids": 44, "embedding": 150, "layers": 150, "norm": 150, "last rows": 150, "logits": 270}


class Path(Act):
    number = 2
    Params = Params
    Frame = Frame
    tell = staticmethod(tell)

    @beat(30, header=False)
    def the_question(self):
        layers = VGroup(*(RoundedRectangle(
            corner_radius=px(5), width=px(30), height=px(150), stroke_width=2.5,
            stroke_color=paint("focus" if k == 0 else "muted"),
            fill_color=mix("focus" if k == 0 else "muted", 0.25), fill_opacity=1)
            for k in range(self.story.widths.layers))).arrange(RIGHT, buff=px(14))
        token = TokenStrip(1, "c", "q", 56).next_to(layers, LEFT, buff=px(40))
        after = TokenStrip(1, "c", "q", 56).next_to(layers, RIGHT, buff=px(40))
        other = "en" if self.language == "zh" else "zh"
        card = TitleCard(self.frame.act_line, self.beat.title[self.language],
                         self.beat.title[other], VGroup(token, layers, after))
        self.add(card.act)
        self.move(30, card.rise())

    @beat(38, 40, 32, anchors=("models/qwen3.py:173", "layers/embed_head.py:59"))
    def from_ids_to_logits(self):
        stations = self._stations()
        names = list(stations)
        ids = stations["ids"]
        batch = self._ragged()
        self.move(15, FadeIn(batch, shift=RIGHT * px(20)))
        self.rest(15)
        cells = [cell for strip in batch[1] for cell in strip]
        self.move(30, LaggedStart(*(cell.animate.move_to(row).set_width(row.width)
                                    for cell, row in zip(cells, ids[1])), lag_ratio=0.05),
                  FadeOut(batch[0]))
        self.add(ids[1])
        self.remove(batch, *cells)
        self.move(9, FadeIn(ids[0]), FadeIn(ids[2]))
        self.next_line()
        for before, name in zip(names, names[1:4]):
            self._travel(stations, before, name, range(len(ids[1])), 30)
        self.next_line()
        last = [end - 1 for end in (PROMPTS[0], sum(PROMPTS))]
        rings = VGroup(*(ring(stations["norm"][1][row], buff=3) for row in last))
        self.move(12, FadeIn(rings))
        self._travel(stations, "norm", "last rows", last, 27)
        self._travel(stations, "last rows", "logits", range(len(last)), 27)

    def _ragged(self):
        """Two prompts of different length, each on a row of its own, with their names."""
        strips = VGroup(*(TokenStrip(n, "c" * n, role, 56, 8) for n, role in zip(PROMPTS, ROLES)))
        strips.arrange(DOWN, buff=px(40), aligned_edge=LEFT).move_to(STAGE.center)
        names = VGroup(*(Label(self.label("prompt", n=n), 32, role, "semibold")
                         .next_to(strip, LEFT, buff=px(32))
                         for n, role, strip in zip(PROMPTS, ROLES, strips)))
        return VGroup(names, strips)

    def _stations(self) -> dict:
        """Name -> heading, rows (one a token) and shape, side by side over the stage."""
        stations, columns = {}, VGroup()
        for name, sizes in self.story.checkpoints:
            rows = VGroup(*(RoundedRectangle(
                corner_radius=px(5), width=px(BAR[name]), height=px(56), stroke_width=2,
                stroke_color=paint(role), fill_color=mix(role, 0.6), fill_opacity=1)
                for role in self._row_roles(sizes[0]))).arrange(DOWN, buff=px(9))
            part = VGroup(Label(self.label(name), 30, weight="semibold"), rows,
                          number(shape(sizes), 28, "muted"))
            stations[name] = part
            columns.add(rows)
        columns.arrange(RIGHT, buff=px(146)).move_to(STAGE.center)
        top, foot = columns.get_top()[1], columns.get_bottom()[1]
        for head, rows, sizes in stations.values():
            head.move_to([rows.get_x(), top + px(62), 0], DOWN)
            sizes.move_to([rows.get_x(), foot - px(42), 0], UP)
        return stations

    def _row_roles(self, count):
        return [role for n, role in zip(PROMPTS, ROLES) for _ in range(n)] if count > 2 else ROLES

    def _travel(self, stations, before, name, rows, frames):
        """Copies of `rows` of one station become the rows of the next one."""
        old, (head, new, sizes) = stations[before][1], stations[name]
        way = arrow(old.get_right() * RIGHT + new.get_y() * UP,
                    new.get_left() * RIGHT + new.get_y() * UP, "muted", 22)
        self.move(frames, FadeIn(way), FadeIn(head), LaggedStart(
            *(TransformFromCopy(old[r], row) for r, row in zip(rows, new)), lag_ratio=0.06))
        self.move(9, FadeIn(sizes))

    @beat(38, 36, 48, anchors=("models/qwen3.py:36", "models/qwen3.py:42"))
    def the_widths(self):
        w, rows = self.story.widths, self._matrices()
        self.move(15, FadeIn(rows["qkv_proj"]["in"]))
        self._widen(rows["qkv_proj"], 27)
        wide = rows["qkv_proj"]["out"]
        self.next_line()
        heads = VGroup(*(Label(self.label(key), 30) for key in ("heads", "each_wide"))).arrange(
            DOWN, buff=px(22), aligned_edge=LEFT).next_to(wide, RIGHT, buff=px(28))
        self.move(15, FadeIn(heads))
        ghost = Rectangle(width=px(w.hidden * UNIT), height=px(20), stroke_width=2.5,
                          stroke_color=paint("stop"), fill_color=mix("stop", 0.3), fill_opacity=1)
        ghost.next_to(wide, DOWN, buff=px(12)).align_to(wide, LEFT)
        note = Label(self.label("ghost"), 30, "stop").next_to(ghost, RIGHT, buff=px(24))
        self.move(24, TransformFromCopy(rows["qkv_proj"]["in"].boxes[0], ghost), FadeIn(note))
        self.next_line()
        feeds = {"o_proj": wide, "down_proj": rows["gate_up_proj"]["out"]}
        for name in list(rows)[1:]:
            row, bar = rows[name], rows[name]["in"]
            enter = [TransformFromCopy(feeds[name].boxes[0], bar.boxes[0])] if name in feeds else [
                FadeIn(bar.boxes)]
            self.move(15, *enter)
            self.move(6, FadeIn(bar.cuts), FadeIn(bar.labels))
            self._widen(row, 18)

    def _matrices(self) -> dict:
        """Name -> a row of the table: what enters a matrix, its name, what leaves it, to scale."""
        w = self.story.widths
        token = Part(w.hidden, "ink", str(w.hidden))
        bars = {
            "qkv_proj": ([token], [Part(w.q, "q", f"q {w.q}", w.query_heads),
                                   Part(w.kv, "k", f"k {w.kv}", w.kv_heads),
                                   Part(w.kv, "v", f"v {w.kv}", w.kv_heads)]),
            "o_proj": ([Part(w.q, "q", str(w.q), w.query_heads)], [token]),
            "gate_up_proj": ([token], [Part(w.intermediate, "d", f"gate {w.intermediate}"),
                                       Part(w.intermediate, "e", f"up {w.intermediate}")]),
            "down_proj": ([Part(w.intermediate, "d", str(w.intermediate))], [token]),
        }
        rows, left = {}, STAGE.left + px(w.intermediate * UNIT)
        for k, (name, (enters, leaves)) in enumerate(bars.items()):
            y = STAGE.top - px(60 + 182 * k)
            before = ScaleBar(enters, UNIT, 84, 30).move_to([left, y, 0], RIGHT)
            after = ScaleBar(leaves, UNIT, 84, 30).move_to([left + px(GAP), y, 0], LEFT)
            way = arrow(before.get_right(), after.get_left(), "ink", 14)
            tag = number(name, 30, "ink", "semibold").next_to(way, UP, buff=px(14))
            does = Label(self.label(name), 28, "muted").next_to(way, DOWN, buff=px(22))
            rows[name] = {"in": before, "name": VGroup(way, tag, does), "out": after}
            if len(leaves) == 1:
                rows[name]["name"].add(Label(self.label("back"), 30, "muted").next_to(
                    after, RIGHT, buff=px(28)))
        return rows

    def _widen(self, row, frames):
        """One projection: what enters it becomes what leaves it, of another width."""
        self.move(frames, FadeIn(row["name"]),
                  TransformFromCopy(row["in"].boxes, row["out"].boxes))
        self.move(6, FadeIn(row["out"].cuts), FadeIn(row["out"].labels))
