"""One example of each kit piece and view: what the golden stills show."""

from pieces import base, chart, engine, tensor, views

__all__ = ["PIECES"]

PIECES = {name: make for room in (base, chart, engine, tensor, views)
          for name, make in room.PIECES.items()}
