"""``python -m capture overhead``: what the recorder costs, from the recorded step times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from capture.gpu.guards import Refusal
from traces.schema import read

__all__ = ["report"]


def report(job: Any) -> list[Path]:
    """One line a ``step-times`` trace in ``job.out``; Refusal where there is none."""
    found = sorted(job.out.glob("*-times/trace.jsonl"))
    if not found:
        raise Refusal(f"no step times in {job.out}: record continuous-batching first")
    for path in found:
        _, header, events = read(path)
        cost = next(e for e in events if e.name == "overhead")
        bare, seen = (cost[name]["median"] for name in ("bare_ms", "observed_ms"))
        print(f"{header.workload['trace']:20} {header.provenance['model']:11} "
              f"{cost['steps']:3} steps: bare {bare:7.1f} ms, observed {seen:7.1f} ms; step by "
              f"step {cost['all_percent']:+.2f} % (prefill {cost['prefill_percent']:+.2f}, "
              f"decode {cost['decode_percent']:+.2f})")
    return []
