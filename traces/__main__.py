"""``python -m traces list`` · ``show NAME`` · ``verify [NAME …]``."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence

from traces.files import locate
from traces.lock import lock_of, read_lock
from traces.schema import TraceError
from traces.show import one_line, summary
from traces.trace import load
from traces.verify import all_traces, verify

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """0 done, 1 a trace is broken, 2 wrong usage."""
    parser = argparse.ArgumentParser("python -m traces", description="Recorded engine runs.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all committed traces")
    commands.add_parser("show", help="a readable summary").add_argument("name")
    commands.add_parser("verify", help="prove traces, all without a name").add_argument(
        "names", nargs="*", metavar="name")
    options = parser.parse_args(argv)
    asked = [options.name] if options.command == "show" else getattr(options, "names", [])
    try:
        known = all_traces()
    except TraceError as error:
        print(error, file=sys.stderr)
        return 1
    for name in asked:
        if name not in known and not _exists(name):
            near = difflib.get_close_matches(name[:80], known, 3) or known
            print(f"no trace {name[:80]!r}; the nearest: {', '.join(near)}", file=sys.stderr)
            return 2
    return max((_do(options.command, name) for name in asked or known), default=0)


def _exists(name: str) -> bool:
    try:
        return locate(name).exists()
    except (OSError, ValueError):
        return False


def _do(command: str, name: str) -> int:
    try:
        if command == "verify":
            trace = verify(name)
            locked = trace.id in read_lock(lock_of(trace.path))
            print(f"ok  {trace.id}  ({len(trace.events)} events"
                  f"{'' if locked else '; in no lock, not one of the course'})")
        elif command == "show":
            print("\n".join(summary(load(name))))
        else:
            print(one_line(load(name)))
    except TraceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # the reader of a pipe has gone
        sys.stderr.close()
