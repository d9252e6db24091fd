"""Prove traces: format and lock, declared types, relations, equality with the reference model.

A proof is of a digest: once given it can be kept, and a render of the same bytes finds it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from traces.files import DATA, locate, read_bytes
from traces.kinds import checker
from traces.kinds._engine import origin_faults
from traces.kinds.step_times import sibling
from traces.lock import LOCK, read_lock
from traces.schema import TraceError
from traces.trace import Trace, load

__all__ = ["Proof", "all_traces", "digests", "prove", "verify"]


@dataclass(frozen=True, slots=True)
class Proof:
    """That the trace ``id``, a file of this SHA-256, holds all that its kind demands."""

    id: str
    sha256: str
    kind: str
    events: int


def all_traces() -> list[str]:
    """The ids of all committed traces: those in the lock, and whatever else lies beside them."""
    found = {path.parent.name for path in DATA.glob("*/trace.jsonl")}
    return sorted(found | set(read_lock(DATA / LOCK)))


def verify(name: str | Path) -> Trace:
    """Load and prove a trace by id or path; TraceError in one line if anything is wrong."""
    trace = load(name)
    head = trace.header
    check = checker(head.kind)
    if check is None:
        raise TraceError(trace.path, 0, f"kind {head.kind!r} has no checks")
    for message in origin_faults(head):
        raise TraceError(trace.path, 0, message)
    try:
        check(trace)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError,
            ValueError) as error:
        # a checker may stumble over a value it did not expect: that is a finding, too
        raise TraceError(trace.path, None,
                         f"is malformed ({type(error).__name__}: {error})") from None
    return trace


def prove(name: str | Path, kept: Path | None = None) -> Proof:
    """The proof of a trace; TraceError in one line if it cannot be given.

    ``kept``: a folder of proofs. One of the same bytes, by the same checks, is taken from there;
    a new one is put there if the folder can be written.
    """
    path = locate(name)
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    place = kept / f"{_key(path, digest)}.json" if kept else None
    if place and (found := _kept(place, digest)):
        load(name)  # format and lock, and whoever watches is told
        return found
    trace = verify(name)
    proof = Proof(trace.id, digest, trace.header.kind, len(trace.events))
    if place:
        _keep(place, proof)
    return proof


def digests(names: Iterable[str], kept: Path | None = None) -> dict[str, str]:
    """Id → SHA-256 of each trace, proved: what a film's manifest names."""
    return {name: prove(name, kept).sha256 for name in sorted(set(names))}


def _key(path: Path, digest: str) -> str:
    """What a proof depends on: the file's place and bytes, a sibling's, and the checks."""
    parts = [str(path.resolve()), digest, _sources()]
    with contextlib.suppress(TraceError):
        trace = load(path)
        if trace.header.kind == "step-times":
            parts.append(hashlib.sha256(read_bytes(sibling(trace))).hexdigest())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


@cache
def _sources() -> str:
    """Digest of this package's code: other checks, other proofs."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _kept(place: Path, digest: str) -> Proof | None:
    """The proof kept at ``place``; None if there is none, or none of these bytes."""
    try:
        proof = Proof(**json.loads(place.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError):
        return None
    return proof if proof.sha256 == digest else None


def _keep(place: Path, proof: Proof) -> None:
    """Keep a proof, whole or not at all; where that cannot be, it is given anew next time."""
    part = place.with_name(f".{place.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(asdict(proof)), encoding="utf-8")
        part.replace(place)
