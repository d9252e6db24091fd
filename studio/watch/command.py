"""`render.py watch act04`: serve the live view and draw again whenever a file is saved."""

import threading
from collections.abc import Callable
from pathlib import Path

from watchfiles import DefaultFilter, watch

from studio.errors import UsageError
from studio.render.scratch import scratch_folder
from studio.render.sources import ROOT
from studio.render.store import Store
from studio.watch.child import Choice
from studio.watch.live import Live
from studio.watch.server import PageServer

__all__ = ["serve"]

_FOLDERS = ("scenes", "studio", "traces")
_SUFFIXES = frozenset((".py", ".yaml", ".json", ".jsonl"))
_SETTLE = 60  # milliseconds without a change, after which the changes before are looked at


class _Sources(DefaultFilter):
    """Changes that may change a picture."""

    def __call__(self, change: object, path: str) -> bool:
        """Whether a change counts."""
        return Path(path).suffix in _SUFFIXES and super().__call__(change, path)  # type: ignore


def _page_server(live: Live, port: int) -> PageServer:
    try:
        return PageServer(live, port)
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror}; --port 0 takes a free one") from None


def serve(choice: Choice, out: Path, port: int, told: Callable[[str], None]) -> None:
    """Serve until interrupted; `told(address)` when the page can be opened."""
    with scratch_folder(out) as scratch:
        live = Live(choice, Store.beside(out).root, scratch)
        ended = threading.Event()
        with _page_server(live, port) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            live.redraw()
            told(server.address)
            try:
                for _ in watch(*(ROOT / name for name in _FOLDERS), watch_filter=_Sources(),
                               debounce=4 * _SETTLE, step=_SETTLE, stop_event=ended,
                               raise_interrupt=True):
                    live.redraw()
            finally:
                live.close()
                server.shutdown()
