"""The process from which workers are forked; light to import, so that it can start first."""

import signal
from contextlib import contextmanager
from multiprocessing import forkserver, get_all_start_methods, get_context

__all__ = ["context", "deaf", "warm"]


@contextmanager
def deaf():
    """Children started here ignore Ctrl-C: the parent ends them, and it alone reports."""
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)


def context():
    """How workers start: forked from a server, or spawned where there is no fork."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    found = get_context("forkserver")
    found.set_forkserver_preload(["studio.draw.player", "studio.render.worker"])
    return found


def warm() -> None:
    """Start the server now: it loads manim while the caller loads and plans the act."""
    if context().get_start_method() == "forkserver":
        with deaf():
            forkserver.ensure_running()
