"""Snapshots of an act between beats, on disk, so that a beat starts without playing those before.

`snapshots/<key of a transition>` holds the content hash of the snapshot in which a beat ends,
`snapshots/<hash>.snapshot` that snapshot, each sealed with its name. The hash is of what it
contains, not of its pickle: the same whether the act played on or was restored.
"""

import contextlib
import pickle
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.draw.content_hash import content_hash
from studio.render import sealed
from studio.render.keys import CacheKeys
from studio.render.sources import module_digest

if TYPE_CHECKING:
    from studio.draw.player import Player
    from studio.draw.renderer import OnPicture, SelectFrames

__all__ = ["Snapshots"]

class Snapshots:
    """The snapshots of one act's variant."""

    def __init__(self, root: Path, keys: CacheKeys) -> None:
        """`root`: that of the store."""
        self._folder, self._keys = Path(root) / "snapshots", keys
        self._position: int | None = None  # the beat at whose start the player stands

    def known(self, last: int) -> list[str]:
        """Hashes of the snapshots at the starts of beats 0, 1, ..., `last`, as far as known."""
        found: list[str] = []
        snapshot = self._read_hash(self._keys.start)
        while snapshot:
            found.append(snapshot)
            if len(found) > last:
                break
            snapshot = self._read_hash(self._keys.transition(len(found) - 1, snapshot))
        return found

    def reach(self, player: "Player", index: int) -> Iterator[None]:
        """Bring the player to the start of a beat by the shortest way, keeping new snapshots.

        Yields after every snapshot that was not known before.
        """
        hashes = self.known(index)
        if self._position is None or self._position > index:
            self._position = self._restore(player, hashes)
        while True:
            if self._position >= len(hashes):
                self._keep(player, hashes)
                hashes = self.known(index)
                yield
            if self._position == index:
                return
            furthest = self._furthest_kept(hashes, index)
            if furthest > self._position:
                self._position = self._restore(player, hashes[:furthest + 1])
            else:
                player.play(self._position)
                self._position += 1

    def draw(self, player: "Player", index: int, select: "SelectFrames",
             on_picture: "OnPicture", stop: int | None = None) -> None:
        """Reach a beat, draw it, and keep the snapshot at its end, if it is played to there."""
        for _ in self.reach(player, index):
            pass
        self._position = None
        player.play(index, select, on_picture, stop)
        if stop is not None:
            return
        self._position = index + 1
        hashes = self.known(self._position)
        if len(hashes) == self._position:
            self._keep(player, hashes)

    def packed(self, snapshot: str) -> bytes:
        """A snapshot as it is kept, b"" where it is not: for another machine's `receive`."""
        return sealed.read(self._path(snapshot), f"snapshot {snapshot}") or b""

    def receive(self, hashes: Sequence[str], packed: Mapping[str, bytes]) -> None:
        """Take over another machine's hashes of the snapshots at the starts of beats 0, 1, ...,
        and those of the snapshots that it gives, by hash.
        """
        keys = [self._keys.start, *(self._keys.transition(beat, snapshot)
                                    for beat, snapshot in enumerate(hashes[:-1]))]
        for key, snapshot in zip(keys, hashes):
            sealed.write(self._folder / key, key, snapshot.encode())
        for snapshot, data in packed.items():
            if data:
                sealed.write(self._path(snapshot), f"snapshot {snapshot}", data)

    def _read_hash(self, key: str) -> str | None:
        data = sealed.read(self._folder / key, key)
        return data.decode() if data else None

    def _path(self, snapshot: str) -> Path:
        return self._folder / f"{snapshot}.snapshot"

    def _furthest_kept(self, hashes: list[str], index: int) -> int:
        """The furthest beat, at most `index`, the snapshot at whose start is kept."""
        return max((beat for beat in range(min(len(hashes), index + 1))
                    if sealed.is_plain_file(self._path(hashes[beat]))), default=0)

    def _restore(self, player: "Player", hashes: list[str]) -> int:
        """Restore the last of these snapshots that can be; the beat that starts there."""
        for beat in reversed(range(len(hashes))):
            snapshot = self._load(hashes[beat])
            if snapshot is not None:
                player.restore(snapshot)
                return beat
        player.start()
        return 0

    def _load(self, name: str) -> Any:
        """The snapshot of that hash; None, and it is forgotten, when it cannot be restored."""
        packed = sealed.read(self._path(name), f"snapshot {name}")
        try:
            return pickle.loads(zlib.decompress(packed)) if packed else None
        except Exception:  # whatever unpickling may raise: it is made anew
            sealed.discard(self._path(name))
            return None

    def _keep(self, player: "Player", hashes: list[str]) -> None:
        """Record where the player stands as what follows the snapshot that is known last."""
        snapshot = player.snapshot()
        found = content_hash(snapshot, module_digest)
        key = (self._keys.transition(len(hashes) - 1, hashes[-1]) if hashes
               else self._keys.start)
        if not sealed.is_plain_file(self._path(found)):
            # a snapshot that cannot be pickled is reached by playing
            with contextlib.suppress(pickle.PicklingError, TypeError, AttributeError):
                packed = zlib.compress(pickle.dumps(snapshot, protocol=5), 1)
                sealed.write(self._path(found), f"snapshot {found}", packed)
        sealed.write(self._folder / key, key, found.encode())
