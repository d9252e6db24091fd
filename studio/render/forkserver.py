"""The process from which workers are forked; light to import, so that it can start first."""

import os
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import forkserver, get_all_start_methods, get_context
from multiprocessing.context import ForkServerContext, SpawnContext
from pathlib import Path

__all__ = ["ignore_sigint", "start_server", "worker_context"]

PRELOADED = ("studio.draw.player", "studio.render.worker")
_LONGEST_TMPDIR = 60  # bytes: a socket's whole name may have 104


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """Children started here ignore Ctrl-C: the parent ends them, and it alone reports."""
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)


def worker_context() -> ForkServerContext | SpawnContext:
    """How workers start: forked from a server, or spawned where there is no fork."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    return get_context("forkserver")


def start_server(modules: Sequence[str] = PRELOADED) -> None:
    """Start the server now: it loads manim while the caller loads and plans the act."""
    context = worker_context()
    if context.get_start_method() == "forkserver":
        context.set_forkserver_preload([*modules])
        with ignore_sigint(), _own_modules(), _short_names():
            forkserver.ensure_running()


@contextmanager
def _own_modules() -> Iterator[None]:
    """A Python started here imports this repository's modules, not the current folder's."""
    before = {name: os.environ.get(name) for name in ("PYTHONSAFEPATH", "PYTHONPATH")}
    path = [str(Path(__file__).parents[2]), *filter(None, [before["PYTHONPATH"]])]
    os.environ.update({"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path)})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _short_names() -> Iterator[None]:
    """Sockets lie below a folder whose name is short enough for one, whatever TMPDIR says."""
    if len(os.fsencode(tempfile.gettempdir())) <= _LONGEST_TMPDIR:
        yield
        return
    before, tempfile.tempdir = tempfile.tempdir, "/tmp"
    try:
        yield
    finally:
        tempfile.tempdir = before
