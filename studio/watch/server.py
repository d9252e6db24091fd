"""The live view's one local address: the page, its state, what was drawn, and choosing."""

import json
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from studio.watch.child import Choice
from studio.watch.live import Live

__all__ = ["PageServer"]

_PAGES = {"/": ("page.html", "text/html"), "/page.css": ("page.css", "text/css"),
          "/page.js": ("page.js", "text/javascript")}
_KINDS = {".png": "image/png", ".mp4": "video/mp4"}
_PATIENCE = 20.0  # seconds that a page's question waits for something new
_MOST_BYTES = 1 << 16  # of a choice


class PageServer(ThreadingHTTPServer):
    """Serves a live view on this machine alone; `address` is what to open."""

    daemon_threads = True

    def __init__(self, live: Live, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.live = live

    @property
    def address(self) -> str:
        """The page's URL."""
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is no fault."""


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        """The page, its state or a drawing."""
        parts = urlsplit(self.path)
        if not self._is_local():
            self.send_error(HTTPStatus.FORBIDDEN)
        elif parts.path in _PAGES:
            name, kind = _PAGES[parts.path]
            self._answer((Path(__file__).parent / name).read_bytes(), f"{kind}; charset=utf-8")
        elif parts.path == "/state":
            after = parse_qs(parts.query).get("after", ["-1"])[0]
            number = int(after) if after.isdecimal() else -1
            self._answer_json(self.server.live.state(number, _PATIENCE))
        else:
            self._answer_drawing(Path(parts.path).name)

    def do_POST(self) -> None:
        """Another beat, language, theme or other parameters: {"beat": "back-to-the-map"}."""
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() else _MOST_BYTES + 1
        try:
            if not self._is_local() or size > _MOST_BYTES:
                raise ValueError
            self.server.live.redraw(_choice(json.loads(self.rfile.read(size)),
                                            self.server.live.choice))
        except (ValueError, KeyError, TypeError, AttributeError):
            self.send_error(HTTPStatus.BAD_REQUEST)
        else:
            self._answer_json({})

    def log_message(self, *_: Any) -> None:
        """Nothing: the terminal is for errors."""

    def _is_local(self) -> bool:
        """Asked for by this machine's name: a page from elsewhere may not."""
        return self.headers.get("Host", "").split(":")[0] in ("127.0.0.1", "localhost") and (
            self.headers.get("Origin", self.server.address[:-1]).split("//")[-1]
            == self.headers["Host"])

    def _answer_drawing(self, name: str) -> None:
        path = self.server.live.folder / name
        if path.suffix in _KINDS and path.is_file():
            self._answer(path.read_bytes(), _KINDS[path.suffix])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def _answer_json(self, data: Any) -> None:
        self._answer(json.dumps(data).encode(), "application/json")

    def _answer(self, data: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)


def _choice(wanted: dict[str, Any], now: Choice) -> Choice:
    """What the page asks for, the rest as it is; wrong names are the drawing's to tell."""
    settings = wanted.get("settings", dict(now.settings)).items()
    return Choice(now.act, str(wanted.get("beat", now.beat)),
                  str(wanted.get("language", now.language)), str(wanted.get("theme", now.theme)),
                  now.quality, tuple(sorted((str(name), str(text)) for name, text in settings)))
