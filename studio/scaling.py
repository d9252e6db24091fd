"""Whether a render's cost is linear in its length: `python -m studio.scaling act04`.

Renders a quarter of an act, its half and all of it, each from nothing.
"""

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from studio.bench import measure_studio
from studio.render.order import Order
from studio.render.pool import available_cores

__all__ = ["scaling"]


def scaling(act: str, quality: str, jobs: int) -> list[dict[str, Any]]:
    """For each part: beats, frames, seconds, CPU seconds (also per frame, ms), peak memory."""
    order = Order(act, quality)
    beats = order.planned().beats
    rows = []
    for quarters in (1, 2, 4):
        names = [beat.name for beat in beats[:-(-len(beats) * quarters // 4)]]
        frames = sum(beat.frames(order.fps) for beat in beats[:len(names)])
        with tempfile.TemporaryDirectory() as folder:
            usage = measure_studio(act, names, jobs, Path(folder), quality).usage
        rows.append({"beats": len(names), "frames": frames, "seconds": usage.seconds,
                     "cpu_seconds": usage.cpu_seconds,
                     "cpu_ms_a_frame": 1000 * usage.cpu_seconds / frames,
                     "busy": usage.cpu_seconds / usage.seconds / jobs,
                     "peak_mb": usage.peak_bytes / 1e6})
    return rows


def main(act: str, quality: str = "hd", jobs: int = 0,
         out: Annotated[Path | None, typer.Option("--json")] = None) -> None:
    """Show time and memory of a quarter, a half and the whole of an act."""
    jobs = jobs or available_cores()
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
