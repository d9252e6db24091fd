"""How large a cell may be so that all of them have room."""

__all__ = ["fit"]


def fit(count: int, room: float, most: float, gap: float = 0) -> float:
    """The size, in px, of each of `count` things in `room` px; at most `most`, `gap` px apart."""
    return min(most, room / count - gap)
