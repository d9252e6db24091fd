"""``python -m capture list`` · ``NAME [--model PATH] [--out DIR]`` · ``all [--model PATH]``."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from capture.engine import EngineUnavailable
from capture.everything import Everything, record_all
from capture.gpu.guards import Refusal
from capture.save import save
from capture.scenarios import Job, Scenario, scenarios
from traces.files import DATA
from traces.schema import TraceError
from traces.workload import WorkloadError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """0 recorded, 1 it cannot be recorded here, 2 wrong usage."""
    options = _parser().parse_args(argv)
    known = scenarios()
    if options.name == "list":
        for scenario in known.values():
            needs = f"{scenario.gpus} GPU" if scenario.gpus else "CPU"
            print(f"{scenario.name:24} {needs:6} {scenario.summary}")
        return 0
    if options.name == "all":
        try:
            return record_all(Everything(options.model, options.tiny, options.out,
                                         options.timeout))
        except (Refusal, TraceError) as error:
            print(f"all: {error}", file=sys.stderr)
            return 1
    if options.name not in known:
        near = difflib.get_close_matches(options.name, known, 3) or list(known)
        print(f"no scenario {options.name!r}; the nearest: {', '.join(near)}", file=sys.stderr)
        return 2
    scenario = known[options.name]
    model = options.tiny if scenario.model == "tiny" and options.tiny else options.model
    return _record(scenario, Job(model, options.out))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m capture", description="Record the real engine.")
    parser.add_argument("name", help="'list', 'all', or a scenario (see 'list')")
    parser.add_argument("--model", type=Path, help="folder of a dense Qwen3 checkpoint (GPU)")
    parser.add_argument("--tiny", type=Path,
                        help="folder of the small trained model, for the scenarios made for it")
    parser.add_argument("--out", type=Path, default=DATA, help="default: traces/data")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS",
                        help="of each scenario of 'all' (default: 300)")
    return parser


def _record(scenario: Scenario, job: Job) -> int:
    try:
        for path in save(scenario.record(job), job.out):
            print(path)
    except (EngineUnavailable, Refusal, TraceError, WorkloadError) as error:
        print(f"{scenario.name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
