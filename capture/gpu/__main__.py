"""``python -m capture.gpu --tiny DIR [--model DIR] --out DIR [NAME …]``: record many at once.

Each scenario runs in its own process with its own time-out; one that fails is reported and the
next one goes on. Every trace is proved where it was made, and all of them end in one archive.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from capture.gpu.base import SCENARIOS, Spec, load_spec
from capture.gpu.guards import Refusal, check_port
from capture.gpu.models import make_seeded

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """0 all recorded and proved, 1 something failed."""
    parser = argparse.ArgumentParser("python -m capture.gpu", description="Record all on a GPU.")
    parser.add_argument("names", nargs="*", help="default: every one-GPU scenario")
    parser.add_argument("--tiny", type=Path, required=True, help="the small trained model")
    parser.add_argument("--model", type=Path, help="a checkpoint; default: seeded random weights")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--timeout", type=int, default=180, help="seconds for each scenario")
    options = parser.parse_args(argv)
    try:
        specs = [load_spec(name) for name in options.names or
                 sorted(path.stem for path in SCENARIOS.glob("*.yaml"))]
    except Refusal as error:
        print(error, file=sys.stderr)
        return 1
    specs = [spec for spec in specs if options.names or spec.gpus == 1]
    options.out.mkdir(parents=True, exist_ok=True)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        real = options.model
        if real is None and any(spec.model not in ("tiny", "none") for spec in specs):
            real = make_seeded("qwen3-0.6b", Path(folder) / "qwen3-0.6b")
        traces = Path(folder) / "traces"
        for spec in specs:
            model = options.tiny if spec.model == "tiny" else real
            if not _one(spec, model, traces, options):
                failed.append(spec.id)
        _pack(traces, options.out / "traces.tar.gz")
    print(f"{len(specs) - len(failed)} of {len(specs)} recorded" +
          (f"; failed: {' '.join(failed)}" if failed else ""), flush=True)
    return 1 if failed else 0


def _one(spec: Spec, model: Path | None, traces: Path, options: argparse.Namespace) -> bool:
    """One scenario in a process group of its own: workers end with it, also on a time-out."""
    begin, command = time.monotonic(), [sys.executable, "-m", "capture", spec.id]
    command += ["--out", str(traces)] + (["--model", str(model)] if model else [])
    _wait_for_port()
    log = traces / spec.id / "log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            code: int | str = process.wait(options.timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = f"over {options.timeout} s"
    proof = _prove(log.read_text().split(), traces) if code == 0 else ""
    last = "" if code == 0 else log.read_text().strip()[-1500:]
    print(f"{spec.id:22} {code} {time.monotonic() - begin:6.1f} s  {proof}{last}", flush=True)
    return code == 0


def _prove(words: list[str], traces: Path) -> str:
    from traces.schema import TraceError
    from traces.verify import verify

    found = []
    for word in words:
        if word.startswith(str(traces)) and word.endswith("trace.jsonl"):
            try:
                verify(word)
                found.append(f"{Path(word).parent.name} proved ({Path(word).stat().st_size} bytes)")
            except TraceError as error:
                found.append(f"NOT PROVED {error}")
    return "; ".join(found)


def _wait_for_port(seconds: int = 20) -> None:
    """The engine before may take a moment to let go of its port."""
    for _ in range(seconds * 2):
        try:
            return check_port()
        except Refusal:
            time.sleep(0.5)


def _pack(traces: Path, target: Path) -> None:
    with tarfile.open(target, "w:gz") as archive:
        for path in sorted(traces.glob("*/*")):
            archive.add(path, f"{path.parent.name}/{path.name}")


if __name__ == "__main__":
    sys.exit(main())
