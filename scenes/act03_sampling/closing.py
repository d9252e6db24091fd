"""The closing lines' replays, large: gaps that change, a race, a hole that moves on."""

from manim import RIGHT, FadeIn, FadeOut, VGroup

from scenes.act03_sampling.newest import Sentence
from scenes.act03_sampling.rows import FOOT, LIFT, PITCH, ROLES, START, dimmed, name_rows, row
from scenes.act03_sampling.story import LANES
from scenes.kit import Bars, KVCell, Label, Race, Slot, paint, px, ring

__all__ = ["replays"]

_MIDDLE = 1480  # px: the temperature stands around this line
_MORE = 2  # steps that are seen once more


def gaps(act, room):
    """The tokens at three temperatures."""
    story = act.story
    rows = [story.shares(heat)[:LANES] for heat in story.heats]
    bars = Bars([], rows[1], roles=ROLES[:LANES], length=1200, thickness=48, pitch=PITCH,
                full=max(map(max, rows))).stand(row(0, FOOT) + LIFT)
    told = VGroup(*(Label(act.label("at", t=f"{heat:g}"), 72, "ink" if k == 1 else "muted",
                          "semibold").move_to(row(2 + 1.6 * k, _MIDDLE) + LIFT)
                    for k, heat in enumerate(story.heats)))
    yield VGroup(name_rows(act)[:LANES].shift(LIFT), bars, told)
    for old, new in ((1, 0), (0, 2)):
        yield [*bars.to(rows[new]), told[old].animate.set_fill(paint("muted")),
               told[new].animate.set_fill(paint("ink"))]


def race(act, room):
    """The race that is lost by the favourite, once more."""
    contest, drawn, names = act.story.contest, act.story.contest.second, name_rows(act)
    runners = Race([], drawn.exponentials.tolist(), contest.limit, ROLES, 1140, PITCH - 4,
                   runner=20).stand(row(0, START) + LIFT)
    for k, name in enumerate(names):
        name.move_to(runners.at(k) + RIGHT * px(FOOT - START + 200), RIGHT)
    yield VGroup(names, runners)
    for share in (0.5, 1):  # two movements at one speed
        yield runners.run(contest.field.tolist(), share * float(drawn.times[drawn.winner]))
    yield ring(names[drawn.winner], buff=12, corner=8)


def newest(act, room):
    """The hole is filled, and the next token has the next one."""
    sentence = Sentence(act)
    first, shown = sentence.known, sentence.known + _MORE + 1
    room.place(VGroup(*(part[:shown] for part in sentence)), fill=0.94)
    cells = VGroup(*(KVCell(Slot.CACHED, cell.width / px(1), cell.height / px(1)).move_to(cell)
                     for cell in sentence.cells[:shown]))
    yield VGroup(sentence.chips[:first + 1], cells[:first], sentence.holes[first])
    for at in range(first, first + _MORE):
        yield [FadeOut(sentence.holes[at]), FadeIn(cells[at]),
               *map(dimmed, sentence.chips[:at + 1])]
        yield [FadeIn(sentence.chips[at + 1]), FadeIn(sentence.holes[at + 1])]


replays = (gaps, race, newest)
