"""``python -m capture overhead``: what the recorder costs, from the recorded step times."""

from __future__ import annotations

from typing import Any

from capture.gpu.guards import Refusal
from traces.files import read

__all__ = ["report"]


def report(job: Any) -> list[Any]:
    """One line a ``step-times`` trace in ``job.out``; Refusal where there is none."""
    found = sorted(job.out.glob("*-times/trace.jsonl"))
    if not found:
        raise Refusal(f"no step times in {job.out}: record continuous-batching first")
    for path in found:
        header, events, _ = read(path)
        cost = next(e for e in events if e.name == "overhead")
        bare, seen = (cost[f"{way}_ms"]["median"] for way in ("bare", "recorded"))
        percent = cost["percent"]["recorded"]
        print(f"{header.workload['trace']:20} {header.provenance['model']:11} "
              f"{cost['steps']:3} steps: bare {bare:6.1f} ms, recorded {seen:6.1f} ms; step by "
              f"step {percent['all']:+.2f} % (prefill {percent['prefill']:+.2f}, "
              f"decode {percent['decode']:+.2f})")
    return []
