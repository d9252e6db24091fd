"""Matrix products: two factors and their result in one corner, and one cell written out."""

from collections.abc import Iterable, Sequence

from manim import (
    LEFT,
    RIGHT,
    UP,
    AnimationGroup,
    FadeIn,
    LaggedStart,
    Mobject,
    VGroup,
    smooth,
)
from manim.utils.rate_functions import squish_rate_func

from scenes.geometry import px
from scenes.kit.base.motion import Flight
from scenes.kit.base.text import Label, number
from scenes.kit.tensor.grid import Grid, ring

__all__ = ["Corner", "ProductLine", "bracketed", "raised"]


class ProductLine(VGroup):
    """`0·1 + 1·0 = 0`: `terms` are pairs of texts, `total` a text, `equals` "=" or "≈".

    Parts: `lefts`, `rights`, `signs` (one group a term), `equals`, `total`.
    """

    def __init__(self, terms: Sequence[tuple[object, object]], total: object, size: float = 40,
                 roles: tuple[str, str] = ("ink", "ink"), equals: str = "=") -> None:
        self.lefts = [number(a, size, roles[0]) for a, _ in terms]
        self.rights = [number(b, size, roles[1]) for _, b in terms]
        self.signs = [VGroup(number("·", size, "muted")) for _ in terms]
        pluses = [number("+", size, "muted") for _ in terms[1:]]
        self.equals = number(equals, size, "muted")
        self.total = number(total, size * 1.15, "focus", "bold")
        line = VGroup()
        for k, (a, b, sign) in enumerate(zip(self.lefts, self.rights, self.signs)):
            line.add(VGroup(a, sign[0], b).arrange(RIGHT, buff=px(size * 0.06)))
            if k < len(pluses):
                line.add(pluses[k])
                sign.add(pluses[k])
        line.add(self.equals, self.total).arrange(RIGHT, buff=px(size * 0.42))
        self.total.align_to(self.equals, UP).shift(UP * px(size * 0.05))
        self.total.shift((0, self.lefts[0].get_bottom()[1] - self.total.get_bottom()[1], 0))
        super().__init__(*self.lefts, *self.rights, *self.signs, self.equals, self.total)
        self.set_z_index(3)

    def fly(self, lefts: Iterable[Mobject], rights: Iterable[Mobject], lag: float = 0.4,
            counts: Iterable[bool] | None = None, via: float | None = None,
            rights_via: float | None = None) -> LaggedStart:
        """Animation: the factors travel from where they stand into the line, term by term.

        `counts`: one truth value a term; where it is false (a factor is 0), the term just appears.
        `via`: the height (manim units) of a gutter through which they fly; `rights_via`: of
        another one, for the right factors.
        """
        late = squish_rate_func(smooth, 0.8, 1)  # no sign stands beside a factor that is missing
        terms = zip(lefts, rights, self.lefts, self.rights, self.signs,
                    counts or [True] * len(self.signs))
        return LaggedStart(*(
            AnimationGroup(Flight(a, left, via, layer=2 * k),
                           Flight(b, right, rights_via or via, layer=2 * k + 1),
                           FadeIn(sign, rate_func=late))
            if travels else FadeIn(VGroup(left, right, sign))
            for k, (a, b, left, right, sign, travels) in enumerate(terms)), lag_ratio=lag)

    def add_up(self) -> AnimationGroup:
        """Animation: the sum appears."""
        return AnimationGroup(FadeIn(self.equals), FadeIn(self.total, shift=RIGHT * px(12)))

    def deliver(self, label: Label, via: float | None = None) -> Flight:
        """Animation: the sum flies to the cell that it is the value of."""
        return Flight(self.total, label, via, "focus")


class Corner(VGroup):
    """left [m, k] · top [k, n] = result [m, n]: rows of `left` and columns of `top` meet there.

    The rows of `left` must be as high as those of `result`, the columns of `top` as wide.
    """

    def __init__(self, left: Grid, top: Grid, result: Grid,
                 gap: tuple[float, float] = (90, 60)) -> None:
        self.left_, self.top_, self.result = left, top, result
        left.next_to(result, LEFT, buff=px(gap[0]))
        top.next_to(result, UP, buff=px(gap[1]))
        super().__init__(left, top, result)

    def rings(self, r: int, c: int) -> VGroup:
        """Frames around row r, column c and the cell where they meet."""
        return VGroup(ring(self.left_.row(r)), ring(self.top_.column(c)),
                      ring(self.result.cell(r, c)))

    def factors(self, r: int, c: int) -> tuple[VGroup, VGroup]:
        """The numbers of row r and of column c."""
        return (VGroup(*(label for _, label in self.left_.row(r))),
                VGroup(*(label for _, label in self.top_.column(c))))


def bracketed(lefts: Iterable[str], rights: Iterable[str]) -> list[tuple[str, str]]:
    """Terms of a sum of products as written: negative factors in brackets, but for the first."""
    def factor(text: str) -> str:
        return f"({text})" if text.startswith("−") else text

    return [(factor(a) if k else a, factor(b)) for k, (a, b) in enumerate(zip(lefts, rights))]


def raised(base: str, power: str, size: float = 64, role: str = "focus") -> VGroup:
    """`e` with a raised `x`, in the face of the numbers around it."""
    low, high = number(base, size, role, "bold"), number(power, 0.62 * size, role, "bold")
    return VGroup(low, high.next_to(low, RIGHT, buff=px(3)).shift(UP * px(0.4 * size)))
