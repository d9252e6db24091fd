"""The two sub-layers on the residual stream, and the norm before each."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Rectangle
from manim import ReplacementTransform, RoundedRectangle, VGroup, VMobject

from scenes.act02_layer.thread import detailed, look, plain
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Formula, Grid, Label, NamedRows, Row, Stream, arrow, gather
from scenes.kit import in_turn, mix, number, paint, px, ring
from scenes.kit.base.motion import Along
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["rms_norm", "the_residual", "why_normalise"]

# Rows of the norm's computation: shown digits, role.
NORM = {"x": (0, "ra"), "squares": (0, "ink"), "normalised": (2, "ink"), "weight": (1, "d"),
        "output": (2, "ra")}


@beat(anchors=("models/qwen3.py:156", "layers/layernorm.py:35"), carries="row",
      least={2: 65, 3: 50})
def the_residual(act: Act) -> None:
    # One row of the batch becomes x, on the stream.
    row, stream = act.kept.row, plain(act)
    x = _pill("x").next_to(stream.line.get_start(), RIGHT, buff=px(4))
    act.cue("row")
    act.move(ReplacementTransform(row, x[0]), pace=30)
    act.move(FadeIn(x[1]), FadeIn(stream.line), pace=BRISK)
    name = Label(act.label("stream"), LEAD, "muted").next_to(
        stream.line, UP, buff=px(40)).set_x(stream.at("attention")[0])
    act.move(name, pace=QUICK)
    # A copy goes through norm and attention, and comes back as a; then the MLP gives m.
    total = _sub_layer(act, stream, 0, x, ("copy", "attention", "add"), "a", "x + a")
    last = _sub_layer(act, stream, 1, total, ("", "mlp", "sum"), "m", "x + a + m")
    act.cue("says")
    note = Label(act.label("correction"), LEAD, "focus").next_to(last, LEFT, buff=px(40))
    act.move(ring(last, "focus", 4, 8), note, pace=30)
    # In the engine a sum is done together with the norm that follows it.
    act.cue("waits")
    act.move((ring(plus, "focus", 5, 10) for plus in stream.sums), pace=30)
    act.cue("kernel")
    frame = ring(VGroup(stream.sums[0], stream.boxes["norm2"]), "focus", 5, 7)
    fused = Label(act.label("fused"), BODY, "focus").next_to(frame, DOWN, buff=px(16))
    act.move(Create(frame), fused, pace=SLOW)
    act.keep(big=stream)


def _pill(name: str) -> VGroup:
    """A row on its way: an opaque pill with the row's name."""
    label = number(name, 34, weight="semibold").set_z_index(4)
    box = RoundedRectangle(corner_radius=px(12), width=label.width + px(36), height=px(60),
                           stroke_width=3, stroke_color=paint("ra"), fill_color=mix("ra", 0.3),
                           fill_opacity=1).set_z_index(3)
    return VGroup(box, label.move_to(box))


def _way(*points: object) -> VMobject:
    return VMobject().set_points_as_corners(list(points))


def _sub_layer(act: Act, stream: Stream, k: int, x: VGroup, cues: tuple[str, str, str],
               result: str, total: str) -> VGroup:
    """A copy of x dips through sub-layer k, whose result is added; the sum's pill."""
    norm, work = f"norm{k + 1}", ("attention", "mlp")[k]
    copy, path = x.copy(), stream.dips[k]
    for part, layer in zip(copy, (5, 6)):  # above the row that it leaves
        part.set_z_index(layer)
    corners = path.get_anchors()
    turn, low = corners[0], path.get_bottom()[1]
    door = stream.boxes[norm].get_left() + LEFT * px(34)  # before the box, its name in sight
    if cues[0]:
        act.cue(cues[0])
    act.move(path, stream.sums[k], stream.boxes[norm], stream.boxes[work], pace=QUICK)
    act.move(Along(copy, _way(x.get_center(), turn, [turn[0], low, 0],
                                      door)), pace=21)
    act.cue(cues[1])
    act.move(Along(copy, _way(door, stream.boxes[work].get_left() + RIGHT * px(60))),
             stream.boxes[work][0].animate.set_stroke(paint("focus"), 4), pace=EASY)
    out = _pill(result).move_to(stream.boxes[work].get_right() + LEFT * px(60))
    act.move(FadeOut(copy), FadeIn(out), pace=QUICK)
    act.cue(cues[2])
    right = path.get_right()[0]
    end = stream.sums[k].get_center()
    act.move(Along(out, _way(out.get_center(), [right, low, 0], [right, 
             (low + end[1]) / 2, 0])), pace=BRISK)
    whole = _pill(total).next_to(stream.sums[k], RIGHT, buff=px(14))
    edge = stream.region.right - px(14)
    if whole.get_right()[0] > edge:
        whole.next_to(stream.sums[k], UP, buff=px(14)).shift(RIGHT * (edge - whole.get_right()[0]))
    act.move(gather([x], whole), stream.boxes[work][0].animate.set_stroke(
        paint(stream.boxes[work].role), 2.5), pace=BRISK)
    return whole


@beat(anchors="layers/layernorm.py:23", carries="big")
def why_normalise(act: Act) -> None:
    # The stream shrinks to a strip, which stays from now on.
    strip = detailed(act)
    _shrink(act, act.kept.big, strip)
    act.keep(stream=strip)
    # One row after each addition, and its size as a bar.
    growth, sizes = act.story.growth, act.story.row_sizes
    *places, side = strip.room.inset(top=10).columns(*[1] * len(growth), 2.2, gap=40)
    steps = []
    for row, size, place in zip(growth, sizes, places):
        grid = place.place(Grid([[text(shown(v, 0))] for v in row], "ra", (120, 58), 36), DOWN)
        bar = _size_bar(float(size), "ra").next_to(grid, UP, buff=px(14))
        steps.append(VGroup(grid, bar, number(size, 34, weight="semibold")
                            .next_to(bar, UP, buff=px(14))))
    act.cue("start")
    act.move(steps[0], Label(act.label("size"), BODY, "muted").next_to(
        steps[0][2], UP, buff=px(24)), pace=EASY)
    act.cue("grow")
    act.move(in_turn(steps[1:], 0.7), pace=75)
    stale = _passed_on(act, steps, side)
    # A copy is brought to size 1; the stream's own row stays.
    act.cue("norm")
    act.move(map(FadeOut, stale), strip.look("norm1"), pace=QUICK)
    one = _size_bar(float(sizes[-1]), "ra").move_to(side.at(0, 0, DOWN), DOWN)
    act.move(ReplacementTransform(steps[-1][1].copy(), one), pace=EASY)
    act.move(one.animate.stretch_to_fit_height(px(_UNIT), about_edge=DOWN), Label(
        act.label("brought"), LEAD).move_to(side.at(0, _UNIT + 40, DOWN)), pace=EASY)
    act.cue("stays")
    act.move(ring(steps[-1][0], "focus", 5, 4), pace=BRISK)
    act.keep(row=steps[-1][0])


def _passed_on(act: Act, steps: list[VGroup], side: Region) -> list:
    """A matrix passes the size of what enters on; what this drew."""
    sizes = act.story.row_sizes
    act.cue("large")
    results = [_size_bar(float(sizes[k]), "d").move_to(side.at(x, 0, DOWN), DOWN)
               for k, x in ((0, -170), (-1, 40))]
    names = Label(act.label("times_matrix"), LEAD, "d").move_to(side.at(0, -40, UP))
    act.move(names, pace=QUICK)
    act.move((ReplacementTransform(step[1].copy(), bar)
              for step, bar in zip((steps[0], steps[-1]), results)), pace=SLOW)
    act.cue("far")
    larger = Label(act.label("larger", n=act.story.facts["growth"]), LEAD).next_to(
        results[1], UP, buff=px(24))
    act.move(larger, pace=SLOW)
    act.cue("away")
    away = arrow(results[1].get_right() + RIGHT * px(40), larger.get_right() + RIGHT * px(40)
                 + UP * px(60), "stop", 0, 6)
    away.set_x(side.right - px(50))
    act.move(Create(away), pace=SLOW)
    return [*results, larger, names, away]


_UNIT = 92  # px of size 1


def _size_bar(size: float, role: str) -> Rectangle:
    return Rectangle(width=px(120), height=px(_UNIT * size), stroke_width=2,
                     stroke_color=paint(role), fill_color=mix(role, 0.6), fill_opacity=1)


def _shrink(act: Act, big: Stream, strip: Stream) -> None:
    """The large stream becomes the strip; its two sub-layers open into their boxes."""
    same = [(big.line, strip.line), *zip(big.dips, strip.dips), *zip(big.sums, strip.sums),
            *((big.boxes[key], strip.boxes[key]) for key in ("norm1", "norm2"))]
    inner = [box for key, box in strip.boxes.items() if not key.startswith("norm")]
    act.move((ReplacementTransform(a, b) for a, b in same),
             (FadeOut(big.boxes[key]) for key in ("attention", "mlp")), pace=SLOW)
    act.move(map(FadeIn, inner), pace=QUICK)


@beat(anchors="layers/layernorm.py:23", carries="stream row")
def rms_norm(act: Act) -> None:
    # The row turns from a column into a line.
    norm = act.story.norm
    rows = NamedRows([Row(act.label(f"norm_{key}"),
                          [text(shown(v, digits)) for v in getattr(norm, key)], role)
                      for key, (digits, role) in NORM.items()], (150, 74), 40, 38)
    room = look(act, "norm1").room
    x, squares, normalised, weight, _ = rows.put(2, room.at(250, -20, LEFT)).grids
    act.move((cell.animate.become(place) for cell, place in zip(act.kept.row, x)),
             rows.names[0], pace=EASY)
    act.remove(act.kept.row)
    act.add(x)
    # Its size: the root of the mean of its squares.
    mean = Label(act.label("mean"), 42).next_to(squares, RIGHT, buff=px(80))
    root = Label(act.label("root"), 46, "focus").next_to(normalised, RIGHT, buff=px(80))
    size = number(significant(norm.root), 48, "focus", "semibold").next_to(
        root, RIGHT, buff=px(24))
    act.cue("square")
    act.move(rows.computed(1, 0), pace=BRISK)
    act.cue("mean")
    act.move(gather(squares.labels, mean), pace=SLOW)
    act.cue("root")
    act.move(gather([mean], VGroup(root, size)), pace=EASY)
    # Every number is divided by it and multiplied by its own weight.
    act.cue("divide")
    act.move(normalised.boxes, rows.names[2],
             (gather([a, size], b, layer=2 * k)
              for k, (a, b) in enumerate(zip(x.labels, normalised.labels))), pace=SLOW)
    act.cue("weight")
    act.move(FadeIn(weight, shift=UP * px(16)), rows.names[3])
    act.move(rows.computed(4, 2, 3), pace=EASY)
    # The rule, with what the numbers leave out.
    act.cue("eps")
    formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 66)
    formula.next_to(weight, RIGHT, buff=px(80)).shift(DOWN * px(36))
    guard = Label(act.label("epsilon"), BODY, "muted").next_to(formula, DOWN, buff=px(14))
    act.move(FadeIn(formula, shift=UP * px(12)), guard.align_to(formula, LEFT), pace=EASY)
