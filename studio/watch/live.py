"""The state of the live view: what is shown, what is being drawn, what went wrong last."""

import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from studio.render.forkserver import start_server, worker_context
from studio.watch.child import WARM, Choice, draw

__all__ = ["Live"]


class Live:
    """Draws a choice anew whenever it is told to; what was drawn last stays until then.

    Every change of `state` has a number, for which a page can wait.
    """

    def __init__(self, choice: Choice, store: Path, folder: Path) -> None:
        """`store`: root of the store; `folder`: scratch, where pictures and films are put."""
        self.folder, self._store = folder, store
        self._choice, self._drawings = choice, 0
        self._changed = threading.Condition()
        self._number = 0
        self._state: dict[str, Any] = {"plan": None, "still": "", "film": "", "pace": [],
                                       "moves": [], "error": "", "drawing": True}
        self._process: BaseProcess | None = None
        self._context = worker_context()
        start_server(WARM)

    @property
    def choice(self) -> Choice:
        """What is shown."""
        return self._choice

    def redraw(self, choice: Choice | None = None) -> None:
        """Draw the choice, or another one, with the files as they are now."""
        with self._changed:
            self._choice = choice or self._choice
            self._drawings += 1
            self._end()
            ours, theirs = self._context.Pipe(duplex=False)
            self._process = self._context.Process(
                target=draw, daemon=True,
                args=(self._choice, self._store, self.folder, self._drawings, theirs))
            self._process.start()
            theirs.close()
            self._tell(drawing=True)
            threading.Thread(target=self._listen, args=(self._drawings, ours),
                             daemon=True).start()

    def state(self, after: int = -1, seconds: float = 0.0) -> dict[str, Any]:
        """The state as soon as its number is greater than `after`, or as it is after a while."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > after, timeout=seconds)
            return {"number": self._number, **self._state}

    def close(self) -> None:
        """End what is being drawn."""
        with self._changed:
            self._drawings += 1
            self._end()

    def _end(self) -> None:
        if self._process:
            self._process.kill()
            self._process.join()

    def _tell(self, **news: Any) -> None:
        with self._changed:
            self._number += 1
            self._state.update(news)
            self._changed.notify_all()

    def _listen(self, drawing: int, pipe: "Connection[None, tuple[str, Any]]") -> None:
        """Take in what a drawing sends, until it ends or another one has begun."""
        finished = False
        with suppress(EOFError, OSError):
            while not finished:
                kind, value = pipe.recv()
                with self._changed:
                    if drawing != self._drawings:
                        return
                    finished = kind in ("beat", "error")
                    self._take(kind, value)
        with self._changed:
            if not finished and drawing == self._drawings:
                self._tell(drawing=False, error="the process that draws has ended; the terminal "
                                                "says why; save a file to draw again")

    def _take(self, kind: str, value: Any) -> None:
        if kind == "plan":
            self._tell(plan=value)
        elif kind == "still":
            self._tell(still=value, film="", pace=[], moves=[], error="")
        elif kind == "beat":
            self._tell(**value, drawing=False)
        else:
            self._tell(error=value, drawing=False)
