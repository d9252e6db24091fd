"""Whole runs as timelines: one column a step; rows are slots, requests, or tokens."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from scenes.kit import Cell, Timeline, TokenStacks
from traces import Step
from traces.seats import IDLE, Seat, Seating, Share

__all__ = ["request_timeline", "slot_timeline", "token_stacks"]

Roles = Mapping[str, str]  # request -> role


def slot_timeline(seating: Seating, roles: Roles, label: Callable[..., str], width: float,
                  height: float) -> Timeline:
    """A row for each slot, and below them who arrives before a step (the first one aside).

    All that sit there without a token wait alike, whatever they wait for.
    `label` has words for slot (numbered n) and arrive. `width`, `height`: px of a cell.
    """
    rows = [label("slot", n=k + 1) for k in range(len(seating.seats))] + [label("arrive")]
    cells = [[_seat(seat, roles) for seat in row] for row in seating.seats]
    newcomers = [_newcomers(names, roles) for names in ((), *seating.arrived[1:])]
    return Timeline([(row, "muted") for row in rows], [*cells, newcomers], (), width, height)


def request_timeline(shares: Sequence[Mapping[str, Share]], roles: Roles, width: float,
                     height: float) -> Timeline:
    """A row for each request in `roles`: how many tokens of a prompt, a decode, or a stall."""
    cells = [[_share(step.get(name), role) for step in shares] for name, role in roles.items()]
    return Timeline(list(roles.items()), cells, (), width, height)


def token_stacks(steps: Iterable[Step], roles: Roles, width: float, height: float,
                 limit: int) -> TokenStacks:
    """A column for each step: the tokens that it computes, under the budget's line."""
    return TokenStacks([(step.phase, [(roles[part.request], part.count)
                                      for part in step.scheduled]) for step in steps],
                       limit, width, height)


def _seat(seat: Seat | None, roles: Roles) -> Cell | None:
    if seat is None or seat == IDLE:
        return seat and Cell("idle")
    working = seat.kind == "work"
    return Cell("work" if working else "wait", roles[seat.request], seat.request * working)


def _newcomers(names: Sequence[str], roles: Roles) -> Cell | None:
    if not names:
        return None
    return Cell("flag", roles[names[0]] if len(names) == 1 else "ink", "".join(names))


def _share(share: Share | None, role: str) -> Cell | None:
    if share is None or share.kind == "stall":
        return share and Cell("stall", role)
    return Cell("work", role, str(share.tokens) if share.kind == "prefill" else "")
