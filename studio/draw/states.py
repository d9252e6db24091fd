"""States between beats, kept on disk, so that a beat starts without playing those before it.

`states/<key of a turn>` holds the digest of the state a beat ends in, `states/<digest>.state` that
state. The digest is of what the state means, not of its pickle: the same whether the act played
on or was restored.
"""

import contextlib
import hashlib
import os
import pickle
import tempfile
import zlib
from enum import Enum
from functools import partial
from itertools import count
from pathlib import Path, PurePath
from types import BuiltinFunctionType, FunctionType, MethodType

import numpy as np

from studio.render.keys import Keys

__all__ = ["States", "meaning"]

_NAMED = (type, FunctionType, BuiltinFunctionType)
_PLAIN = (int, float, complex, bool, str, bytes, type(None))


def meaning(value) -> str:
    """A digest of plain data, arrays and objects by their contents."""
    walker = _Walker()
    walker.walk(value)
    return hashlib.sha256(b"".join(walker.parts)).hexdigest()[:32]


class _Walker:
    """Writes down what a value means, part by part."""

    def __init__(self):
        self.parts, self._seen, self._numbers = [], {}, count()

    def walk(self, value):
        put, kind = self.parts.append, type(value)
        if kind in _PLAIN:
            put(f"{kind.__name__}:{value!r};".encode())
        elif kind is np.ndarray:
            put(f"array:{value.dtype.str}{value.shape}".encode())
            self.walk(value.tolist()) if value.dtype == object else put(value.tobytes())
        elif isinstance(value, PurePath):
            put(value.name.encode())  # drawings of formulas lie in a worker's own folder
        elif kind in (list, tuple):
            put(f"{kind.__name__}{len(value)}[".encode())
            for item in value:
                self.walk(item)
        elif isinstance(value, dict):
            put(f"dict{len(value)}[".encode())
            for key, item in value.items():
                self.walk(key)
                self.walk(item)
        elif isinstance(value, (set, frozenset)):
            put(f"set:{sorted(map(meaning, value))}".encode())
        elif isinstance(value, Enum | np.generic | range):
            put(f"{kind.__qualname__}:{value!r};".encode())
        elif isinstance(value, _NAMED):
            put(f"{value.__module__}.{value.__qualname__};".encode())
        elif isinstance(value, partial | MethodType):
            self.walk([getattr(value, name, None) for name in ("func", "args", "keywords",
                                                               "__func__", "__self__")])
        else:
            self._object(value, kind)

    def _object(self, value, kind):
        """Mobjects count once, wherever they are met; other objects count by their contents."""
        put, seen = self.parts.append, self._seen
        put(f"{kind.__module__}.{kind.__qualname__}@".encode())
        inside = dict(getattr(value, "__dict__", {}))
        met = seen.get(id(value))
        if met is not None:
            put(f"{met};".encode())
            return
        seen[id(value)] = next(self._numbers) if "submobjects" in inside else -1
        inside.pop("original_id", None)  # manim's note of an address
        slots = [name for cls in kind.__mro__ for name in getattr(cls, "__slots__", ())]
        inside.update((name, getattr(value, name, None)) for name in slots
                      if name not in ("__dict__", "__weakref__"))
        for name in sorted(inside):
            item = inside[name]
            put(f"{name}={item!r};".encode() if type(item) in _PLAIN else name.encode())
            if type(item) not in _PLAIN:
                self.walk(item)
        if seen[id(value)] < 0:
            del seen[id(value)]


class States:
    """The states of one act's variant. `player` in the calls below is a Player."""

    def __init__(self, root: Path, keys: Keys):
        self._folder, self._keys = Path(root) / "states", keys
        self._place = None  # the beat at whose start the player stands

    def _read(self, key: str) -> str | None:
        try:
            text = (self._folder / key).read_text()
        except OSError:
            return None
        return text if len(text) == 32 else None

    def known(self, last: int) -> list[str]:
        """Digests of the states at the starts of beats 0, 1, ... as far as they are known."""
        found, digest = [], self._read(self._keys.start)
        while digest:
            found.append(digest)
            if len(found) > last:
                break
            digest = self._read(self._keys.turn(len(found) - 1, digest))
        return found

    def reach(self, player, index: int):
        """Bring the player to the start of a beat by the shortest way, keeping new states.

        Yields after every state that was not known before.
        """
        digests = self.known(index)
        if self._place is None or not self._place <= index:
            self._place = self._restore(player, digests)
        while True:
            if self._place >= len(digests):
                self._keep(player, digests)
                digests = self.known(index)
                yield
            if self._place == index:
                return
            ahead = self._ahead(digests, index)
            if ahead > self._place:
                self._place = self._restore(player, digests[:ahead + 1])
            else:
                player.play(self._place)
                self._place += 1

    def draw(self, player, index: int, want, take, stop: int | None = None) -> None:
        """Reach a beat, draw it, and keep the state in which it ends, if it is played to there."""
        for _ in self.reach(player, index):
            pass
        self._place = None
        player.play(index, want, take, stop)
        if stop is not None:
            return
        self._place = index + 1
        digests = self.known(self._place)
        if len(digests) == self._place:
            self._keep(player, digests)

    def _ahead(self, digests, index) -> int:
        """The furthest place whose state is kept, at most `index`."""
        return max((place for place in range(min(len(digests), index + 1))
                    if (self._folder / f"{digests[place]}.state").exists()), default=0)

    def _restore(self, player, digests) -> int:
        for place in reversed(range(len(digests))):
            state = self._load(digests[place])
            if state is not None:
                player.restore(state)
                return place
        player.start()
        return 0

    def _load(self, digest: str):
        path = self._folder / f"{digest}.state"
        try:
            data = path.read_bytes()
            if hashlib.sha256(data[32:]).digest() == data[:32]:
                os.utime(path)
                return pickle.loads(zlib.decompress(data[32:]))
        except FileNotFoundError:
            return None
        except (OSError, zlib.error, pickle.PickleError, AttributeError, ImportError, EOFError):
            pass
        path.unlink(missing_ok=True)
        return None

    def _keep(self, player, digests) -> None:
        """Record where the player stands as what follows the state that is known last."""
        state = player.state()
        digest = meaning(state)
        key = self._keys.turn(len(digests) - 1, digests[-1]) if digests else self._keys.start
        if not (self._folder / f"{digest}.state").exists():
            # a state that cannot be pickled is reached by playing
            with contextlib.suppress(pickle.PicklingError, TypeError, AttributeError):
                data = zlib.compress(pickle.dumps(state, protocol=5), 1)
                self._write(f"{digest}.state", hashlib.sha256(data).digest() + data)
        self._write(key, digest.encode())

    def _write(self, name: str, data: bytes) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        handle, path = tempfile.mkstemp(dir=self._folder, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(path, self._folder / name)
        except BaseException:
            Path(path).unlink(missing_ok=True)
            raise
