"""What this machine lacks for rendering, and the command that installs it."""

import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from studio.pins import requirements

__all__ = ["doctor"]

_SETUP = "./setup.sh"
_LEAST_PYTHON, _LEAST_FREE = (3, 11), 1 << 30  # bytes


class _Check(NamedTuple):
    fine: bool
    text: str
    remedy: str = _SETUP


def _check_package(wanted: Requirement) -> _Check:
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return _Check(False, f"{wanted.name} is missing")
    if not wanted.specifier.contains(found, prereleases=True):
        return _Check(False, f"{wanted.name} {found}: {wanted.specifier} is needed")
    return _Check(True, f"{wanted.name} {found}")


def _check_encoder() -> _Check:
    try:
        import av
        av.codec.Codec("libx264", "w")
    except Exception as error:
        return _Check(False, f"H.264 encoder (libx264 in PyAV): {error}")
    return _Check(True, "H.264 encoder: libx264 in PyAV")


def _check_manim() -> _Check:
    try:
        import manim  # noqa: F401
    except Exception as error:  # a missing library of the system: ImportError, OSError, ...
        return _Check(False, f"manim cannot be imported: {error}",
                      f"{_SETUP} (installs pango and cairo)")
    return _Check(True, "manim, cairo and pango load")


def _check_ffmpeg() -> _Check:
    try:
        import imageio_ffmpeg
        return _Check(True, f"ffmpeg: {Path(imageio_ffmpeg.get_ffmpeg_exe()).name}")
    except Exception as error:
        return _Check(False, f"bundled ffmpeg: {error}")


def _check_disk(out: Path) -> _Check:
    folder = next(path for path in [out.absolute(), *out.absolute().parents] if path.exists())
    free = shutil.disk_usage(folder).free
    return _Check(free > _LEAST_FREE, f"{free >> 30} GB free for results in {out}",
                  "make room, or use --out")


def doctor(out: Path) -> tuple[list[str], bool]:
    """(lines to print, whether something is lacking)."""
    python = _Check(sys.version_info >= _LEAST_PYTHON, f"Python {sys.version.split()[0]}",
                    f"install Python {'.'.join(map(str, _LEAST_PYTHON))} or later")
    checks = [python, *map(_check_package, requirements()), _check_manim(), _check_encoder(),
              _check_ffmpeg(), _check_disk(out)]
    lines = [f"{'ok ' if check.fine else 'NO '} {check.text}"
             + ("" if check.fine else f"\n    fix: {check.remedy}") for check in checks]
    return lines, not all(check.fine for check in checks)
