"""One beat drawn on any machine that has this project: a request in, a segment's files out.

`draw_beat` is what a cluster's worker calls; it runs this file as a process of its own, as manim's
settings are one process's.
"""

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

__all__ = ["Request", "draw_beat", "known_states"]

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


def draw_beat(request: Request) -> dict[str, bytes]:
    """File name -> contents of the beat's segment. RenderError with one line where it cannot be
    drawn, or this machine's project is not the asking one's.
    """
    with tempfile.TemporaryDirectory() as folder:
        _run(Path(folder), request)
        return {path.name: path.read_bytes() for path in (Path(folder) / _MADE).iterdir()}


def known_states(order: Order, beat: int, root: Path) -> None:
    """Let all snapshots up to the start of a beat be kept in the store at `root`."""
    with tempfile.TemporaryDirectory() as folder:
        _run(Path(folder), Request(order, beat), str(root.resolve()))


def _run(folder: Path, request: Request, *arguments: str) -> None:
    (folder / _REQUEST).write_bytes(pickle.dumps(request))
    command = [sys.executable, "-m", "studio.render.remote", str(folder.resolve()), *arguments]
    with leashed(command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                 stderr=subprocess.PIPE) as process:
        said = process.communicate()[1].decode(errors="replace").strip()
    if process.returncode:
        raise RenderError(said.splitlines()[-1] if said else
                          f"a drawing process was killed (exit code {process.returncode})")


def _main(folder: Path, root: Path | None) -> None:
    request: Request = pickle.loads((folder / _REQUEST).read_bytes())
    from studio.draw.player import Player
    from studio.render.plan import RenderPlan
    from studio.render.snapshots import Snapshots

    plan = RenderPlan.of(request.order)
    player = Player(request.order, folder / "media")
    snapshots = Snapshots(root or folder, plan.keys)
    if root:
        for _ in snapshots.reach(player, request.beat):
            pass
        return
    if plan.keys.sources != request.sources:
        raise RenderError("this worker has other files or packages than the machine that asks; "
                          "give it the same commit and run ./setup.sh there")
    snapshots.receive(request.states, request.state)
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
        _main(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None)
    except Exception as error:
        sys.exit(one_line(error))
