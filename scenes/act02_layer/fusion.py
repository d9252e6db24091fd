"""What a fused kernel saves: every trip of a row between memory and kernel is counted."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut
from manim import ReplacementTransform, RoundedRectangle, VGroup

from scenes.act02_layer.thread import chip, detailed
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Label, Readout, Stream, arrow, in_turn, mix, paint, px
from scenes.kit.base.motion import Flight
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["one_kernel"]

# Where a row stands, as a share of the width; the sum is written on its left, read on its right.
PLACES = {"x": 0.1, "a": 0.25, "sum": 0.43, "sum again": 0.6, "y": 0.77}
# A row's trips in order, and whether it is read or written; fused, the sum is not read again.
TRIPS = {"x": True, "a": True, "sum": False, "sum again": True, "y": False}
FUSED = {name: reads for name, reads in TRIPS.items() if name != "sum again"}
APART = {"add": (0.04, 0.5), "norm": (0.54, 0.84)}  # the kernels' ends


class Traffic(VGroup):
    """Memory above, kernels below, and a count of the trips between them.

    Parts: `memory`, `kernels` (name -> box and name), `held` (place -> the row in a kernel).
    """

    def __init__(self, act: Act, room: Region) -> None:
        self.room, self.trips, self.size = room, 0, act.story.facts["row_kib"]
        self.high, self.low = room.at(0, -78, UP)[1], room.at(0, 176, DOWN)[1]
        self.memory = self._box(act.label("memory"), 0, 1, self.high, 130, RIGHT)
        self.kernels = {name: self._box(act.label(f"kernel_{name}"), *ends, self.low, 160, DOWN)
                        for name, ends in APART.items()}
        ends = APART["add"][0], APART["norm"][1]
        self.one = self._box(act.label("kernel_one"), *ends, self.low, 160, DOWN)
        self.held = {name: self._row(name).move_to([self.x(share), self.low + px(24), 0])
                     for name, share in PLACES.items()}
        middle = (self.x(PLACES["sum"]) + self.x(PLACES["sum again"])) / 2
        stored = self._row("sum").move_to([middle, self.high, 0])
        self.stored = {name: self._row(name).move_to([self.x(share), self.high, 0])
                       for name, share in PLACES.items()} | {"sum": stored, "sum again": stored}
        self.ways: dict[str, VGroup] = {}
        self.counts = [Readout(self._written(0), 40, "ink", "semibold"),
                       Readout("0", 40, "ink", "semibold")]
        self.names = [Label(act.label(key), LEAD, "muted") for key in ("traffic", "launches")]
        for name, count, x in zip(self.names, self.counts, (0, 1180)):
            name.move_to(room.at(x, 30, DOWN + LEFT), LEFT)
            count.next_to(name, RIGHT, buff=px(24))
        self.row = VGroup(*(Label(act.label(f"row_{key}"), BODY) for key in "abcd"))
        self.row.arrange(DOWN, buff=px(20), aligned_edge=RIGHT)
        self.row.move_to([room.right, self.low, 0], RIGHT)
        super().__init__(self.memory, *self.names, *self.counts)

    def x(self, share: float) -> float:
        """Where a share of the width lies, in manim units from the middle."""
        return self.room.left + share * self.room.width

    def _box(self, name: str, start: float, end: float, y: float, high: float,
             side: object) -> VGroup:
        box = RoundedRectangle(corner_radius=px(12), width=(end - start) * self.room.width,
                               height=px(high), stroke_width=3, stroke_color=paint("muted"),
                               fill_color=mix("muted", 0.14), fill_opacity=1)
        box.move_to([(self.x(start) + self.x(end)) / 2, y, 0])
        label = Label(name, LEAD, "ink", "semibold").move_to(box)
        return VGroup(box, label.align_to(box, side).shift(-px(18) * side))

    @staticmethod
    def _row(name: str) -> VGroup:
        return chip("x+a" if name.startswith("sum") else name)

    def _written(self, trips: int) -> str:
        return f"{trips} × {self.size} KiB = {trips * self.size} KiB"

    def trip(self, name: str) -> list:
        """Animations: a row is read into its kernel, or written from there; the count goes on."""
        x, reads = self.x(PLACES[name]), TRIPS[name]
        top, foot = self.high - px(68), self.low + px(84)
        ends = ([x, top, 0], [x, foot, 0]) if reads else ([x, foot, 0], [x, top, 0])
        self.ways[name] = arrow(*ends, "ink", 4, 5)
        rows = self.stored[name], self.held[name]
        self.trips += 1
        return [Create(self.ways[name]), Flight(*(rows if reads else rows[::-1])),
                *self.counts[0].to(self._written(self.trips))]

    def launch(self, kernels: int) -> list:
        """Animations: this many kernels have been launched so far."""
        return self.counts[1].to(f"{kernels}")

    def merge(self) -> list:
        """Animations: two kernels become one, which is launched once."""
        return [ReplacementTransform(self.kernels["add"][0], self.one[0]),
                FadeOut(self.kernels["norm"][0]), FadeIn(self.one[1]),
                *(FadeOut(kernel[1]) for kernel in self.kernels.values()),
                *self.counts[1].to("1")]

    def keep_sum(self) -> list:
        """Animations: the sum is still at hand: its second read falls away."""
        return [FadeOut(self.ways["sum again"], shift=UP * px(20)),
                FadeOut(self.held["sum again"]), *self.counts[0].to(self._written(len(FUSED)))]

    def save(self) -> list:
        """Animations: both counts, now smaller by one, are what to look at."""
        return [*self.counts[0].to(self._written(len(FUSED)), "focus"),
                *self.counts[1].to("1", "focus")]


@beat(anchors="layers/layernorm.py:28", carries="big")
def one_kernel(act: Act) -> None:
    # The stream shrinks to a strip, which stays from now on.
    strip = detailed(act)
    act.cue("waits")
    _shrink(act, act.kept.big, strip)
    act.keep(stream=strip)
    plus = strip.sums[0][0]
    traffic = Traffic(act, strip.room)
    act.move(strip.look("norm2"), plus.animate.set_stroke(paint("focus"), 5), traffic.memory,
             traffic.stored["x"], traffic.stored["a"], pace=EASY)
    # Two kernels: the sum is stored, and at once fetched again.
    act.cue("apart")
    act.move(*traffic.kernels.values(), *traffic.names, *traffic.counts, pace=EASY)
    act.cue("fetch")
    for name in "xa":
        act.move(traffic.trip(name), traffic.launch(1) if name == "x" else None, pace=BRISK)
    act.cue("bytes")
    act.move(in_turn(traffic.row, 0.6), pace=SLOW)
    act.cue("store")
    act.move(traffic.held["sum"], pace=QUICK)
    act.move(traffic.trip("sum"), pace=BRISK)
    act.cue("again")
    act.move(traffic.trip("sum again"), traffic.launch(2), pace=EASY)
    act.cue("end")
    act.move(traffic.held["y"], pace=QUICK)
    act.move(traffic.trip("y"), pace=BRISK)
    # One kernel: nothing is fetched twice.
    act.cue("one")
    act.move(traffic.merge(), pace=SLOW)
    act.cue("hand")
    act.move(traffic.keep_sum(), pace=SLOW)
    act.cue("saved")
    act.move(traffic.save(), pace=EASY)
    plus.set_stroke(paint("muted"), 4)


def _shrink(act: Act, big: Stream, strip: Stream) -> None:
    """The large stream becomes the strip; its two sub-layers open into their boxes."""
    same = [(big.line, strip.line), *zip(big.dips, strip.dips), *zip(big.sums, strip.sums),
            *((big.boxes[key], strip.boxes[key]) for key in ("norm1", "norm2"))]
    inner = [box for key, box in strip.boxes.items() if not key.startswith("norm")]
    stale = [*(big.boxes[key] for key in ("attention", "mlp"))]
    act.move((ReplacementTransform(a, b) for a, b in same), map(FadeOut, stale), pace=SLOW)
    act.move(map(FadeIn, inner), pace=QUICK)
