"""The small project of studio_house.py with four variants of its act rendered, made once a run."""

import atexit
import functools
import http.server
import os
import shutil
import tempfile
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from studio_house import build, calls, script

from studio.deliver.npm import npm_package
from studio.errors import RenderError

RENDER = """
import sys
from pathlib import Path
from studio.pipeline import render
from studio.render.order import Order
if __name__ == "__main__":
    orders = [Order("act01", "tiny"), Order("act01", "tiny", language="zh"),
              Order("act01", "tiny", theme="light"),
              Order("act01", "tiny", settings=(("count", "3"),))]
    render(orders, Path(sys.argv[1]), 2, lambda *_: None)
"""
VARIANTS = ("act01", "act01.zh", "act01.light", "act01.count-3")


@cache
def rendered_house() -> tuple[Path, Path]:
    """(the project's folder, the folder of the renders); both are shared: copy before changing."""
    root = Path(tempfile.mkdtemp(prefix="house-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    house, media = build(root / "house"), root / "it's a \"talk\" 演示 #1"
    script(house, RENDER, media)
    return house, media


@cache
def built_site() -> Path:
    """The gallery of these renders, beside them."""
    house, media = rendered_house()
    out = house.parent / "the course's 网站 #1"
    (code, _, errors), = calls(house, ["site", "--media", media, "--out", out])
    assert code == 0, errors
    return out


@cache
def chromium():
    """A browser, by Playwright; the test is skipped, saying why, where there is none."""
    sync = pytest.importorskip("playwright.sync_api", reason="needs: pip install playwright")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(
        shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("needs: apt-get install chromium")
    manager = sync.sync_playwright()
    player = manager.__enter__()
    browser = player.chromium.launch(executable_path=program, args=["--no-sandbox"])

    def close():
        browser.close()
        manager.__exit__()

    atexit.register(close)
    return browser


class Watched:
    """A page that remembers everything that went wrong in it and all it asked for."""

    def __init__(self, url: str, **context):
        self.context = chromium().new_context(**{"viewport": {"width": 1280, "height": 800},
                                                 "color_scheme": "dark", **context})
        self.page, self.faults, self.asked = self.context.new_page(), [], []
        self.page.on("console", lambda message: self.faults.append(message.text)
                     if message.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("requestfailed", lambda request: self.faults.append(
            f"{request.url}: {request.failure}") if "ABORTED" not in request.failure else None)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(url)

    def close(self):
        self.context.close()


AXE = "axe-core", "4.14.1"


def axe_faults(page) -> list[tuple[str, list[str]]]:
    """What axe finds wrong in a page; the test is skipped where npm cannot bring axe."""
    try:
        axe = (npm_package(*AXE) / "axe.min.js").read_text(encoding="utf-8")
    except RenderError as error:
        pytest.skip(str(error))
    page.evaluate(axe)
    found = page.evaluate("axe.run({ preload: false })")["violations"]  # no styles by XHR from disk
    return [(f["id"], [n["html"] for n in f["nodes"]]) for f in found]


STRICT = "default-src 'self'"  # nothing inline, no data: and no blob: addresses


@contextmanager
def served(folder: Path, policy: str = ""):
    """The address of a plain server of `folder`, without ranges, with a Content-Security-Policy."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self):
            if policy:
                self.send_header("Content-Security-Policy", policy)
            super().end_headers()

        def log_message(self, *_):
            """Say nothing."""

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
