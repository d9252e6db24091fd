"""Stock manim and the studio on the same beats, in turn: `python -m studio.bench act04`.

Stock is `manim render -qh` with its default settings on a subclass that draws the chosen beats.
"""

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from studio.render.keys import versions
from studio.render.order import Order
from studio.render.pool import available_cores
from studio.render.sources import ROOT
from studio.tools.breakdown import cpu_breakdown
from studio.tools.fidelity import luma_601, luma_709, psnr, sample_frames
from studio.tools.usage import Usage, measure

__all__ = ["bench", "measure_studio"]

_STOCK_SCENE = """
from scenes.stage import Act, load_act

class StockFilm(Act):
    def __init__(self, **options):
        super().__init__(load_act({act!r}), beats=range({first}, {end}), **options)
"""
_STUDIO_SCRIPT = """
import sys
from pathlib import Path
from studio.pipeline import clip
from studio.render.order import Order
if __name__ == "__main__":
    act, quality, jobs, out, names = sys.argv[1:]
    clip(Order(act, quality), names.split(","), Path(out), int(jobs), lambda *_: None)
"""


@dataclass(frozen=True)
class Run:
    """One measured run and the film that it made."""

    usage: Usage
    film: Path


def _measure_stock(act: str, beats: range, folder: Path) -> Run:
    scene = _STOCK_SCENE.format(act=act, first=beats.start, end=beats.stop)
    (folder / "stock_film.py").write_text(scene)
    usage = measure([sys.executable, "-m", "manim", "render", "-qh", "--media_dir", "media",
                     "stock_film.py", "StockFilm"], folder, ROOT)
    return Run(usage, next((folder / "media").rglob("1080p60/StockFilm.mp4")))


def measure_studio(act: str, names: Sequence[str], jobs: int, folder: Path,
                   quality: str = "hd") -> Run:
    """Render beats with `jobs` workers into an empty folder."""
    (folder / "studio_film.py").write_text(_STUDIO_SCRIPT)
    usage = measure([sys.executable, "studio_film.py", act, quality, str(jobs), str(folder),
                     ",".join(names)], folder, ROOT)
    return Run(usage, next(folder.glob("*.mp4")))


def _measure_rounds(act: str, beats: range, names: Sequence[str], rounds: int, jobs: int,
                    root: Path) -> dict[str, list[Run]]:
    runs: dict[str, list[Run]] = {"stock": [], "ours": []}
    for k in range(rounds):
        for who, done in runs.items():
            folder = root / f"{who}-{k}"
            folder.mkdir()
            os.sync()  # what the run before has left to write is not this one's work
            run = (_measure_stock(act, beats, folder) if who == "stock"
                   else measure_studio(act, names, jobs, folder))
            done.append(run)
            print(f"round {k + 1}: {who} {run.usage.seconds:.1f} s", file=sys.stderr)
    return runs


def _summary(runs: list[Run], frames: int, quality: tuple[float, float]) -> dict[str, Any]:
    seconds = [run.usage.seconds for run in runs]
    median = statistics.median(seconds)
    return {"seconds": median, "seconds_spread": [min(seconds), max(seconds)],
            "fps": frames / median,
            "cpu_seconds": statistics.median(run.usage.cpu_seconds for run in runs),
            "peak_mb": max(run.usage.peak_bytes for run in runs) / 1e6,
            "bytes": runs[-1].film.stat().st_size,
            "psnr_y": quality[0], "psnr_y_least": quality[1]}


def bench(act: str, names: Sequence[str], rounds: int, jobs: int) -> dict[str, Any]:
    """Run both `rounds` times in turn on consecutive beats and compare what they made."""
    order = Order(act, "hd")
    plan = order.planned()
    indices = sorted(order.beat_index(plan, name) for name in names)
    beats = range(indices[0], indices[-1] + 1)
    names = [plan.beats[k].name for k in beats]
    frames = sum(plan.beats[k].frames(order.fps) for k in beats)
    with tempfile.TemporaryDirectory() as root:
        runs = _measure_rounds(act, beats, names, rounds, jobs, Path(root))
        samples, still = sample_frames(order, beats)
        rows = {who: _summary(runs[who], frames, psnr(runs[who][-1].film, samples, luma))
                for who, luma in (("stock", luma_601), ("ours", luma_709))}
    speedups = [stock.usage.seconds / ours.usage.seconds
                for stock, ours in zip(runs["stock"], runs["ours"])]
    return {"act": act, "beats": names, "frames": frames, "still": still, "rounds": rounds,
            "jobs": jobs, "cores": available_cores(), "versions": versions(),
            "breakdown": cpu_breakdown(order, beats), **rows, "fps": rows["ours"]["fps"],
            "speedup_over_stock": statistics.median(speedups), "speedups": speedups}


def _print(found: dict[str, Any]) -> None:
    print(f"{found['act']}: {found['frames']} frames, "
          f"{found['still'] / found['frames']:.0%} of them still; "
          f"{found['rounds']} rounds, {found['jobs']} workers")
    for who in ("stock", "ours"):
        row = found[who]
        low, high = row["seconds_spread"]
        print(f"{who:>6} {row['seconds']:7.1f} s ({low:.1f}-{high:.1f}) {row['fps']:6.1f} fps "
              f"{row['cpu_seconds']:7.1f} CPU s {row['peak_mb']:6.0f} MB "
              f"{row['bytes'] / 1e6:6.2f} MB file  PSNR-Y {row['psnr_y']:.2f} dB "
              f"(least {row['psnr_y_least']:.2f})")
    spent = sorted(found["breakdown"].items(), key=lambda item: -item[1])
    print(f" ratio {found['speedup_over_stock']:.2f}; processor seconds of one worker: "
          + ", ".join(f"{label} {value:.1f}" for label, value in spent))


def main(act: str, beats: str = "", rounds: int = 3, jobs: int = 0,
         out: Annotated[Path | None, typer.Option("--json")] = None) -> None:
    """Compare stock manim and the studio at hd on an act, or on consecutive beats of it."""
    plan = Order(act, "hd").planned()
    names = [name for name in beats.split(",") if name] or [beat.name for beat in plan.beats]
    found = bench(act, names, rounds, jobs or available_cores())
    _print(found)
    if out:
        out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
