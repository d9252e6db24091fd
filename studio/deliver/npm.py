"""Packages of the npm registry, brought in by npm itself and kept in `build/npm/`."""

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from studio.errors import RenderError
from studio.leash import leashed

__all__ = ["npm_package"]

ROOT = Path(__file__).parents[2] / "build" / "npm"


def npm_package(name: str, version: str, root: Path = ROOT) -> Path:
    """Folder of a package's files; fetched once. RenderError when npm is missing or fails."""
    folder = root / f"{name}-{version}"
    if folder.is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        raise RenderError(f"{name} {version} comes from npm, which is missing: install Node.js "
                          f"(apt-get install npm), or unpack the package into {folder}")
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root) as scratch:
        with leashed([npm, "pack", f"{name}@{version}", "--silent"], cwd=scratch,
                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                     stdin=subprocess.DEVNULL) as process:
            errors = process.communicate()[1].decode(errors="replace")
        archives = list(Path(scratch).glob("*.tgz"))
        if process.returncode or not archives:
            last_line = (errors.strip().splitlines() or ["no message"])[-1]
            raise RenderError(f"npm could not fetch {name} {version}: {last_line}")
        with tarfile.open(archives[0]) as archive:
            archive.extractall(scratch, filter="data")
        if not folder.is_dir():
            (Path(scratch) / "package").rename(folder)
    return folder
