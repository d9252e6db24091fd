"""``python -m capture list`` · ``python -m capture NAME [--model PATH] [--out DIR]``."""

from __future__ import annotations

import argparse
import difflib
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from capture.engine import EngineUnavailable
from capture.gpu.guards import Refusal
from capture.scenarios import Job, Scenario, scenarios
from traces.schema import DATA, TraceError
from traces.workload import WorkloadError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """0 recorded, 1 it cannot be recorded here, 2 wrong usage."""
    parser = argparse.ArgumentParser("python -m capture", description="Record the real engine.")
    parser.add_argument("name", help="'list', or a scenario (see 'list')")
    parser.add_argument("--model", type=Path, help="folder of a dense Qwen3 checkpoint (GPU)")
    parser.add_argument("--out", type=Path, default=DATA, help="default: traces/data")
    options = parser.parse_args(argv)
    known = scenarios()
    if options.name == "list":
        for scenario in known.values():
            needs = f"{scenario.gpus} GPU" if scenario.gpus else "CPU"
            print(f"{scenario.name:24} {needs:6} {scenario.summary}")
        return 0
    if options.name not in known:
        near = difflib.get_close_matches(options.name, known, 3) or list(known)
        print(f"no scenario {options.name!r}; the nearest: {', '.join(near)}", file=sys.stderr)
        return 2
    command = shlex.join(["python", "-m", "capture", *(argv or sys.argv[1:])])
    return _record(known[options.name], Job(options.model, options.out, command))


def _record(scenario: Scenario, job: Job) -> int:
    try:
        for path in scenario.record(job):
            print(path)
    except (EngineUnavailable, Refusal, TraceError, WorkloadError) as error:
        print(f"{scenario.name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
