"""One beat drawn on any machine that has this project: a request in, a segment's files out.

`draw_beat` and `find_states` are what a cluster's workers call; they run this file as a process of
its own, as manim's settings are one process's.
"""

import hashlib
import pickle
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from studio.errors import RenderError, one_line
from studio.leash import leashed
from studio.render.order import Order

if TYPE_CHECKING:
    from studio.draw.player import Player
    from studio.render.plan import RenderPlan
    from studio.render.snapshots import Snapshots

__all__ = ["Drawn", "Request", "States", "draw_beat", "find_states"]

_ROOT = Path(__file__).parents[2]
_REQUEST, _MADE = "request", "made"


@dataclass(frozen=True)
class Request:
    """A beat of an order. `sources`: the keys' digest of the machine that asks; `states`: hashes
    of the snapshots at the starts of beats 0 to `beat`; `state`: the last of them, as kept.
    """

    order: Order
    beat: int
    sources: str = ""
    states: tuple[str, ...] = ()
    state: bytes = b""


@dataclass(frozen=True)
class Drawn:
    """A segment, decoded strictly where it was drawn: file name -> contents, and their digest."""

    files: dict[str, bytes]
    digest: str

    @classmethod
    def of(cls, files: dict[str, bytes]) -> "Drawn":
        """With the digest of what these files are now."""
        return cls(files, _digest(files))

    @property
    def whole(self) -> bool:
        """Whether the files are still those that were digested."""
        return _digest(self.files) == self.digest


@dataclass(frozen=True)
class States:
    """Hashes of the snapshots at the starts of beats 0, 1, ...; hash -> the snapshot as kept."""

    hashes: tuple[str, ...]
    packed: dict[str, bytes]


def draw_beat(request: Request) -> Drawn:
    """The beat's segment. RenderError with one line where it cannot be drawn, or this machine's
    project is not the asking one's.
    """
    with tempfile.TemporaryDirectory() as folder:
        _run(Path(folder), request, "draw")
        made = sorted((Path(folder) / _MADE).iterdir())
        return Drawn.of({path.name: path.read_bytes() for path in made})


def find_states(request: Request) -> States:
    """All snapshots up to the start of the request's beat. RenderError as for `draw_beat`."""
    with tempfile.TemporaryDirectory() as folder:
        _run(Path(folder), request, "states")
        return States(*pickle.loads((Path(folder) / _MADE).read_bytes()))


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def _run(folder: Path, request: Request, what: str) -> None:
    (folder / _REQUEST).write_bytes(pickle.dumps(request))
    command = [sys.executable, "-m", "studio.render.remote", str(folder.resolve()), what]
    with leashed(command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                 stderr=subprocess.PIPE) as process:
        said = process.communicate()[1].decode(errors="replace").strip()
    if process.returncode:
        raise RenderError(said.splitlines()[-1] if said else
                          f"a drawing process was killed (exit code {process.returncode})")


def _main(folder: Path, what: str) -> None:
    request: Request = pickle.loads((folder / _REQUEST).read_bytes())
    from studio.draw.player import Player
    from studio.render.plan import RenderPlan
    from studio.render.snapshots import Snapshots

    plan = RenderPlan.of(request.order)
    if plan.keys.sources != request.sources:
        raise RenderError("this worker has other files or packages than the machine that asks; "
                          "give it the same commit and run ./setup.sh there")
    player, snapshots = Player(request.order, folder / "media"), Snapshots(folder, plan.keys)
    if what == "states":
        for _ in snapshots.reach(player, request.beat):
            pass
        hashes = tuple(snapshots.known(request.beat))
        made = hashes, {state: snapshots.packed(state) for state in hashes}
        (folder / _MADE).write_bytes(pickle.dumps(made))
        return
    snapshots.receive(request.states, {request.states[-1]: request.state})
    _draw(plan, request.beat, player, snapshots, folder / _MADE)


def _draw(plan: "RenderPlan", beat: int, player: "Player", snapshots: "Snapshots",
          folder: Path) -> None:
    from studio.render.messages import DrawRun
    from studio.render.worker import RunRecorder

    task = DrawRun(beat, range(plan.frames(beat)))
    recorder = RunRecorder(plan, task, folder, lambda _: None)
    snapshots.draw(player, beat, recorder.select, recorder.on_picture, recorder.stop)
    recorder.finish()


if __name__ == "__main__":
    try:
        _main(Path(sys.argv[1]), sys.argv[2])
    except Exception as error:
        sys.exit(one_line(error))
