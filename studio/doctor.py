"""What this machine lacks for rendering, and the line that mends it."""

import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

__all__ = ["doctor"]

_SETUP = "./setup.sh"
# package -> start of its version, as pyproject.toml pins it
_NEEDED = {"manim": "0.22.", "numpy": "", "pyyaml": "", "av": "18.1.", "ffmpeg-python": "",
           "imageio-ffmpeg": "", "uharfbuzz": "0.57.", "fontpkg-inter": "4.1.post1",
           "fontpkg-jetbrains-mono": "2.211", "manimgx-fonts-cjk": "2026.9.26.post1",
           "typer": "", "rich": ""}


def _package(name: str, start: str):
    try:
        found = version(name)
    except PackageNotFoundError:
        return False, f"{name} is missing", _SETUP
    if not found.startswith(start):
        return False, f"{name} {found}: {start}* is needed", _SETUP
    return True, f"{name} {found}", ""


def _encoder():
    try:
        import av
        av.codec.Codec("libx264", "w")
    except Exception as error:
        return False, f"H.264 encoder (libx264 in PyAV): {error}", _SETUP
    return True, "H.264 encoder: libx264 in PyAV", ""


def _drawing():
    try:
        import manim  # noqa: F401
    except Exception as error:  # a missing library of the system: ImportError, OSError, ...
        return False, f"manim cannot be imported: {error}", f"{_SETUP} (installs pango and cairo)"
    return True, "manim, cairo and pango load", ""


def _ffmpeg():
    try:
        import imageio_ffmpeg
        return True, f"ffmpeg: {Path(imageio_ffmpeg.get_ffmpeg_exe()).name}", ""
    except Exception as error:
        return False, f"bundled ffmpeg: {error}", _SETUP


def _disk(out: Path):
    folder = next(p for p in [out.absolute(), *out.absolute().parents] if p.exists())
    free = shutil.disk_usage(folder).free
    return free > 1 << 30, f"{free >> 30} GB free for results in {out}", "make room, or use --out"


def doctor(out: Path) -> tuple[list[str], bool]:
    """(lines to print, whether something is lacking)."""
    python = (sys.version_info >= (3, 11), f"Python {sys.version.split()[0]}",
              "install Python 3.11 or later")
    checks = [python, *(_package(*item) for item in _NEEDED.items()), _drawing(), _encoder(),
              _ffmpeg(), _disk(out)]
    lines = [f"{'ok ' if fine else 'NO '} {what}" + ("" if fine else f"\n    mend it: {mend}")
             for fine, what, mend in checks]
    return lines, not all(fine for fine, _, _ in checks)
