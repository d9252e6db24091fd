"""Whether a render's cost is linear in its length: `python -m studio.scaling act04`.

Renders a quarter of an act, its half and all of it, each from nothing.
"""

import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from studio.bench import ours
from studio.render.film import cores
from studio.render.order import Order

__all__ = ["scaling"]


def scaling(act: str, quality: str, jobs: int) -> list[dict]:
    """For each part: beats, frames, seconds, CPU seconds (also per frame, ms), peak memory."""
    order = Order(act, quality)
    beats = order.planned().beats
    found = []
    for part in (1, 2, 4):
        names = [beat.name for beat in beats[:-(-len(beats) * part // 4)]]
        frames = sum(beat.frames(order.fps) for beat in beats[:len(names)])
        with tempfile.TemporaryDirectory() as folder:
            run, _ = ours(act, names, jobs, Path(folder), quality)
        found.append({"beats": len(names), "frames": frames, "seconds": run["seconds"],
                      "cpu_seconds": run["cpu_seconds"],
                      "cpu_ms_a_frame": 1000 * run["cpu_seconds"] / frames,
                      "busy": run["cpu_seconds"] / run["seconds"] / jobs,
                      "peak_mb": run["peak_bytes"] / 1e6})
    return found


def main(act: str, quality: str = "hd", jobs: int = 0,
         out: Annotated[Path | None, typer.Option("--json")] = None):
    """Show time and memory of a quarter, a half and the whole of an act."""
    jobs = jobs or cores()
    rows = scaling(act, quality, jobs)
    print(f"{act} {quality}, {jobs} workers")
    for row in rows:
        print(f"{row['beats']:3} beats {row['frames']:6} frames {row['seconds']:7.1f} s "
              f"{row['cpu_seconds']:7.1f} CPU s, {row['cpu_ms_a_frame']:5.2f} ms a frame, "
              f"workers busy {row['busy']:4.0%}, {row['peak_mb']:5.0f} MB at most")
    if out:
        out.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
