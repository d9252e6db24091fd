"""The reference model plays a trace's workload once more, as far as that is a small matter."""

from __future__ import annotations

from pathlib import Path

from traces.reference import play
from traces.schema import TraceError
from traces.trace import Trace
from traces.workload import EngineConfig, Workload, WorkloadError

__all__ = ["replay"]

_MOST_TOKENS, _MOST_BLOCKS = 20_000, 4096


def replay(path: Path, workload: Workload, config: EngineConfig) -> Trace:
    """The played run; TraceError where it cannot be played, or would take more than a moment."""
    tokens = sum(len(r.prompt) + r.max_tokens for r in workload.requests)
    if tokens > _MOST_TOKENS or config.num_blocks > _MOST_BLOCKS:
        raise TraceError(path, 0, f"{tokens} tokens in {config.num_blocks} blocks are more than "
                                  f"{_MOST_TOKENS} in {_MOST_BLOCKS}: too large to be played")
    try:
        return play(workload, config)
    except WorkloadError as error:
        raise TraceError(path, 0, str(error)) from None
