"""A sound track beside the pictures: packets of a file that was coded and checked before."""

from fractions import Fraction
from pathlib import Path

import av

__all__ = ["CopiedSound"]


class CopiedSound:
    """A track that was coded before, its packets copied into a film that is being written."""

    def __init__(self, film: av.container.OutputContainer, path: Path) -> None:
        self._film, self._file = film, av.open(f"file:{path}")
        source = self._file.streams.audio[0]
        time_base = source.time_base or Fraction(1, source.rate)
        self._stream = film.add_stream_from_template(source)
        self._stream.metadata.update({"language": source.language or "und"})
        self._packets = ((packet.pts * time_base, packet)
                         for packet in self._file.demux(source) if packet.pts is not None)
        self._next = next(self._packets, None)

    def until(self, seconds: float | Fraction) -> None:
        """Write what is heard before a time."""
        while self._next is not None and self._next[0] < seconds:
            packet = self._next[1]
            packet.stream = self._stream
            self._film.mux_one(packet)
            self._next = next(self._packets, None)

    def close(self) -> None:
        """Write the rest."""
        self.until(float("inf"))
        self._file.close()
