"""What this machine lacks for rendering, and the command that installs it."""

import fcntl
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement

from scenes.fontfiles import FAMILIES, FontError, face
from studio.pins import requirements
from studio.render.store import LIMIT, Store
from studio.voice.base import VOICES

__all__ = ["doctor"]

_SETUP = "./setup.sh"
_LEAST_PYTHON, _LEAST_FREE = (3, 11), 1 << 30  # bytes
_CLOCK_SLACK = 3600.0  # seconds that files may be ahead of the clock


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
    if free <= _LEAST_FREE:
        return _Check(False, f"{free >> 20} MB free for results in {out}",
                      "make room, or use --out")
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            fcntl.flock(probe, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return _Check(False, f"{folder}: {error.strerror}", "use --out with a folder of your own")
    return _Check(True, f"{free >> 30} GB free for results in {out}, which can be written")


def _check_cache(out: Path) -> _Check:
    store = Store.beside(out)
    size, limit = sum(size for _, size, _ in store.entries()), LIMIT
    return _Check(size <= limit, f"{size / 1e6:.0f} MB kept in {store.root} to render faster, of "
                  f"at most {limit >> 30} GB", f"render.py clean --out {out}")


def _check_clock(out: Path) -> _Check:
    """What was used last is kept longest: a clock that is wrong keeps the wrong things."""
    newest = max((used for used, _, _ in Store.beside(out).entries()), default=0.0)
    oldest = Path(__file__).stat().st_mtime
    now = time.time()
    fine = now > max(newest, oldest) - _CLOCK_SLACK
    return _Check(fine, f"clock: {time.strftime('%Y-%m-%d %H:%M', time.localtime(now))}"
                  + ("" if fine else ", earlier than files that are here"),
                  "set the clock (timedatectl set-ntp true)")


def _check_other_manims() -> _Check:
    """Another manim would be imported, or its settings read, in the place of the pinned one."""
    found = [name for name in ("manimlib", "manimgl", "manimce") if find_spec(name)]
    settings = [path for path in (Path("manim.cfg"), Path.home() / ".config/manim/manim.cfg")
                if path.is_file()]
    if found:
        return _Check(False, f"another manim beside ours: {', '.join(found)}",
                      f"pip uninstall {' '.join(found)}, or a .venv of its own ({_SETUP})")
    if settings:
        return _Check(True, f"manim: no other one; {', '.join(map(str, settings))} is not used")
    return _Check(True, "manim: no other one beside it, no settings of its own")


def _check_fonts() -> _Check:
    try:
        for font in FAMILIES:
            face(font)
    except (FontError, MemoryError) as error:
        return _Check(False, str(error))
    return _Check(True, f"fonts: {', '.join(FAMILIES.values())}")


def _check_voices() -> list[_Check]:
    """A film without a voice is silent, not wrong: never a fault."""
    return [_Check(True, f"voice {info.name} ({info.language}): {info.missing() or 'installed'}")
            for info in VOICES.values()]


def _safely(check: Callable[..., _Check], *arguments: Any) -> _Check:
    try:
        return check(*arguments)
    except Exception as error:  # a doctor does not fall ill
        text = " ".join(str(error).split())
        return _Check(False, f"{check.__name__.removeprefix('_check_')}: "
                             f"{type(error).__name__}: {text}")


def doctor(out: Path) -> tuple[list[str], bool]:
    """(lines to print, whether something is lacking)."""
    python = _Check(sys.version_info >= _LEAST_PYTHON, f"Python {sys.version.split()[0]}",
                    f"install Python {'.'.join(map(str, _LEAST_PYTHON))} or later")
    checks = [python, *map(_check_package, requirements()), *map(_safely, (
        _check_manim, _check_other_manims, _check_encoder, _check_ffmpeg, _check_fonts)),
        *(_safely(check, out) for check in (_check_disk, _check_cache, _check_clock)),
        *_check_voices()]
    lines = [f"{'ok ' if check.fine else 'NO '} {check.text}"
             + ("" if check.fine else f"\n    fix: {check.remedy}") for check in checks]
    return lines, not all(check.fine for check in checks)
