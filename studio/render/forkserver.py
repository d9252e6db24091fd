"""The process from which workers are forked; light to import, so that it can start first."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, get_all_start_methods, get_context
from multiprocessing.context import ForkServerContext, SpawnContext

__all__ = ["ignore_sigint", "start_server", "worker_context"]


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
    context = get_context("forkserver")
    context.set_forkserver_preload(["studio.draw.player", "studio.render.worker"])
    return context


def start_server() -> None:
    """Start the server now: it loads manim while the caller loads and plans the act."""
    if worker_context().get_start_method() == "forkserver":
        with ignore_sigint():
            forkserver.ensure_running()
