"""A hash of objects by what they contain, not by how they are pickled.

The same for an object that was built and for one that was restored from disk; another one when the
source of a class or function in it changed, for what it will do is part of what it is.
"""

import hashlib
from collections.abc import Callable
from enum import Enum
from functools import partial
from itertools import count
from pathlib import PurePath
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

__all__ = ["content_hash"]

_BY_NAME = (type, FunctionType, BuiltinFunctionType)
_SCALARS = (int, float, complex, bool, str, bytes, type(None))


def content_hash(value: Any, code_digest: Callable[[str], str] = lambda module: "") -> str:
    """32 hex digits over plain data, arrays and objects.

    `code_digest(module name)` stands for the source of the classes and functions met.
    """
    writer = _Writer(code_digest)
    writer.add(value)
    return hashlib.sha256(b"".join(writer.parts)).hexdigest()[:32]


class _Writer:
    """Writes down, part by part, what a value contains."""

    def __init__(self, code_digest: Callable[[str], str]) -> None:
        self.parts: list[bytes] = []
        self._numbers_by_id: dict[int, int] = {}
        self._numbers = count()
        self._code_digest = code_digest

    def add(self, value: Any) -> None:
        write, kind = self.parts.append, type(value)
        if kind in _SCALARS:
            write(f"{kind.__name__}:{value!r};".encode())
        elif kind is np.ndarray:
            write(f"array:{value.dtype.str}{value.shape}".encode())
            self.add(value.tolist()) if value.dtype == object else write(value.tobytes())
        elif isinstance(value, PurePath):
            write(value.name.encode())  # drawings of formulas lie in each worker's own folder
        elif kind in (list, tuple):
            write(f"{kind.__name__}{len(value)}[".encode())
            for item in value:
                self.add(item)
        elif isinstance(value, dict):
            write(f"dict{len(value)}[".encode())
            for key, item in value.items():
                self.add(key)
                self.add(item)
        elif isinstance(value, (set, frozenset)):
            hashes = sorted(content_hash(item, self._code_digest) for item in value)
            write(f"set:{hashes}".encode())
        elif isinstance(value, Enum | np.generic | range):
            write(f"{kind.__qualname__}:{value!r};".encode())
        elif isinstance(value, _BY_NAME):
            self._add_named(value)
        elif isinstance(value, partial | MethodType):
            self.add([getattr(value, name, None) for name in ("func", "args", "keywords",
                                                              "__func__", "__self__")])
        else:
            self._add_object(value, kind)

    def _add_named(self, value: Any) -> None:
        self.parts.append(f"{self._name(value)};".encode())
        if isinstance(value, FunctionType):  # one made inside a beat is of no class's source
            scalars = [item for item in value.__code__.co_consts if type(item) in _SCALARS]
            self.parts.append(value.__code__.co_code + repr(scalars).encode())

    def _name(self, thing: Any) -> str:
        module = thing.__module__ or ""
        return f"{module}{self._code_digest(module)}.{thing.__qualname__}"

    def _add_object(self, value: Any, kind: type) -> None:
        """Mobjects are written once and then referred to; other objects each time."""
        write, numbers = self.parts.append, self._numbers_by_id
        write(f"{self._name(kind)}@".encode())
        fields = dict(getattr(value, "__dict__", {}))
        number = numbers.get(id(value))
        if number is not None:
            write(f"{number};".encode())
            return
        is_mobject = "submobjects" in fields
        numbers[id(value)] = next(self._numbers) if is_mobject else -1
        fields.pop("original_id", None)  # manim's note of an address
        slots = [name for cls in kind.__mro__ for name in getattr(cls, "__slots__", ())]
        fields.update((name, getattr(value, name, None)) for name in slots
                      if name not in ("__dict__", "__weakref__"))
        for name in sorted(fields):
            item = fields[name]
            if type(item) in _SCALARS:
                write(f"{name}={item!r};".encode())
            else:
                write(name.encode())
                self.add(item)
        if not is_mobject:
            del numbers[id(value)]
