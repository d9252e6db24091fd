"""What a scenario hands back: a header and its events, not yet in any file."""

from __future__ import annotations

from typing import NamedTuple

from traces.schema import Event, Header

__all__ = ["Recording"]


class Recording(NamedTuple):
    """One trace as it was recorded; :func:`capture.save.save` proves and writes it."""

    header: Header
    events: tuple[Event, ...]
