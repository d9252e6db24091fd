"""A program that does not outlive whoever started it: it ends when that process does.

The starter holds one end of a pipe; this file, run as a process between the two, holds the other
and ends the program when the pipe closes, which the system sees to however a process ends.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

__all__ = ["leashed"]


@contextmanager
def leashed(command: list[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program as `subprocess.Popen` does; it has ended when the block has."""
    theirs, ours = (os.fdopen(handle, mode, buffering=0)
                    for handle, mode in zip(os.pipe(), ("rb", "wb")))
    with ours, theirs, ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(theirs.fileno()), *command],
            pass_fds=[theirs.fileno()], **options))
        theirs.close()
        stack.enter_context(ours)  # closed first: the program ends, then it is waited for
        yield process


def _main(handle: int, command: list[str]) -> int:
    os.set_inheritable(handle, False)
    program = subprocess.Popen(command)

    def end() -> None:
        os.read(handle, 1)  # nothing is ever written: it returns when the starter is gone
        program.kill()

    threading.Thread(target=end, daemon=True).start()
    return program.wait()


if __name__ == "__main__":
    code = _main(int(sys.argv[1]), sys.argv[2:])
    os._exit(code if code >= 0 else 128 - code)  # as a shell tells signals
