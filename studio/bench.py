"""Stock manim and the studio on the same beats, interleaved: `python -m studio.bench act04`.

Stock is `manim render -qh` with its default settings on a subclass that draws the chosen beats.
Linux only: processor time and memory of a whole process tree are read from /proc.
"""

import contextlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Annotated

import av
import numpy as np
import typer

from studio.breakdown import stages
from studio.render.film import cores
from studio.render.keys import ROOT, versions
from studio.render.order import Order

_SCENE = """
from scenes.stage import load_act

class Bench(load_act({act!r})):
    def __init__(self, **options):
        super().__init__(beats=range({first}, {last}), **options)
"""
_OURS = """
import sys
from pathlib import Path
from studio.render.film import clip
from studio.render.order import Order
if __name__ == "__main__":
    act, quality, jobs, out, names = sys.argv[1:]
    clip(Order(act, quality), names.split(","), Path(out), int(jobs), lambda *_: None)
"""
SAMPLE = 15  # every 15th frame is compared


def _tree(root: int) -> list[int]:
    """The process and all its descendants."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


class _Watch(threading.Thread):
    """Samples a process tree: peak proportional memory, and the processor time of each process.

    Time is summed over processes, as workers forked from a server are nobody's waited children.
    Samples are few, memory's fewest: they take time from what is measured on busy cores.
    """

    def __init__(self, root: int):
        super().__init__(daemon=True)
        self.peak, self._root, self._times, self._end = 0, root, {}, threading.Event()

    def run(self):
        for tick in itertools.count():
            if self._end.wait(0.25):
                return
            pids = _tree(self._root)
            for pid in pids:
                with contextlib.suppress(OSError, IndexError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    self._times[pid] = int(fields[11]) + int(fields[12])  # user and system ticks
            if tick % 4 == 0:
                self.peak = max(self.peak, sum(map(self._memory, pids)))

    def _memory(self, pid) -> int:
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
            return next(int(line.split()[1]) for line in text.splitlines()
                        if line.startswith("Pss:")) << 10
        except (OSError, StopIteration):
            return 0

    def stop(self) -> float:
        """Seconds of processor time of the whole tree."""
        self._end.set()
        self.join()
        return sum(self._times.values()) / os.sysconf("SC_CLK_TCK")


def measured(command, cwd: Path) -> dict:
    """Run a command: seconds, CPU seconds and peak memory of its process tree."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, env={**os.environ, "PYTHONPATH": str(ROOT)},
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    watch = _Watch(process.pid)
    watch.start()
    errors = process.communicate()[1]
    if process.returncode:
        raise RuntimeError(errors.decode(errors="replace")[-2000:])
    return {"seconds": time.perf_counter() - start, "cpu_seconds": watch.stop(),
            "peak_bytes": watch.peak}


def _stock(act, first, last, folder: Path):
    (folder / "bench_scene.py").write_text(_SCENE.format(act=act, first=first, last=last))
    run = measured([sys.executable, "-m", "manim", "render", "-qh", "--media_dir", "media",
                    "bench_scene.py", "Bench"], folder)
    return run, next((folder / "media").rglob("1080p60/Bench.mp4"))


def ours(act, names, jobs, folder: Path, quality="hd") -> tuple[dict, Path]:
    """Render beats with `jobs` workers into an empty folder: what it took, and the film."""
    (folder / "bench_ours.py").write_text(_OURS)
    run = measured([sys.executable, "bench_ours.py", act, quality, str(jobs), str(folder),
                    ",".join(names)], folder)
    return run, next(folder.glob("*.mp4"))


def _drawn(order, places) -> tuple[dict[int, np.ndarray], int]:
    """Every SAMPLE-th drawn frame of the film of these beats; how many frames repeat a picture."""
    from studio.drawing import draw

    beats = order.planned().beats
    zero = beats[places[0]].start_frame(order.fps)
    starts = {beats[i].name: beats[i].start_frame(order.fps) - zero for i in places}
    found, still = {}, 0

    def take(beat, frame, pixels, repeat, boxes):
        nonlocal still
        still += repeat - 1 + (boxes == [])
        first = starts[beat] + frame
        wanted = [at for at in range(first, first + repeat) if at % SAMPLE == 0]
        if wanted:
            found.update(dict.fromkeys(wanted, pixels.copy()))

    with tempfile.TemporaryDirectory() as media:
        draw(order, places, take, media)
    return found, still


def psnr(path: Path, drawn, convert) -> tuple[float, float]:
    """Mean and least PSNR-Y of the sampled frames, dB; `convert` gives a drawn frame's luma."""
    values = []
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        stream.thread_type = "AUTO"
        for index, frame in enumerate(film.decode(stream)):
            if index in drawn:
                plane = np.frombuffer(frame.planes[0], np.uint8)
                luma = plane.reshape(frame.height, -1)[:, :frame.width].astype(np.float32)
                error = float(((luma - convert(drawn[index])) ** 2).mean())
                values.append(10 * np.log10(255 ** 2 / max(error, 1e-4)))
    return statistics.mean(values), min(values)


def _luma_601(pixels):
    frame = av.VideoFrame.from_ndarray(pixels, format="rgba").reformat(format="yuv420p")
    return frame.to_ndarray()[:pixels.shape[0]]


def _luma_709(pixels):
    from studio.stream.encoder import _Converter

    converter = _Converter(pixels.shape[1::-1])
    converter.convert(pixels, None)
    return converter.frame.to_ndarray()[:pixels.shape[0]]


def _summary(runs, frames) -> dict:
    seconds = [run["seconds"] for run in runs]
    middle = statistics.median(seconds)
    return {"seconds": middle, "seconds_spread": [min(seconds), max(seconds)],
            "fps": frames / middle,
            "cpu_seconds": statistics.median(run["cpu_seconds"] for run in runs),
            "peak_mb": max(run["peak_bytes"] for run in runs) / 1e6}


def bench(act: str, names: list[str], rounds: int, jobs: int) -> dict:
    """Run both `rounds` times in turn on consecutive beats and compare what they made."""
    order = Order(act, "hd")
    planned = order.planned()
    places = sorted(order.beat_index(planned, name) for name in names)
    places = range(places[0], places[-1] + 1)
    names = [planned.beats[i].name for i in places]
    frames = sum(planned.beats[i].frames(60) for i in places)
    runs, sizes = {"stock": [], "ours": []}, {}
    with tempfile.TemporaryDirectory() as root:
        for k in range(rounds):
            films = {}
            for name in ("stock", "ours"):
                folder = Path(root, f"{name}-{k}")
                folder.mkdir()
                os.sync()  # what the run before has left to write is not this one's work
                run, films[name] = (_stock(act, places.start, places.stop, folder)
                                    if name == "stock" else ours(act, names, jobs, folder))
                runs[name].append(run)
                sizes[name] = films[name].stat().st_size
                print(f"round {k + 1}: {name} {run['seconds']:.1f} s", file=sys.stderr)
        drawn, still = _drawn(order, places)
        quality = {"stock": psnr(films["stock"], drawn, _luma_601),
                   "ours": psnr(films["ours"], drawn, _luma_709)}
    result = {name: {**_summary(runs[name], frames), "bytes": sizes[name],
                     "psnr_y": quality[name][0], "psnr_y_least": quality[name][1]}
              for name in runs}
    ratios = [a["seconds"] / b["seconds"] for a, b in zip(runs["stock"], runs["ours"])]
    return {"act": act, "beats": names, "frames": frames, "still": still, "rounds": rounds,
            "jobs": jobs, "cores": cores(), "versions": versions(),
            "breakdown": stages(order, places), **result, "fps": result["ours"]["fps"],
            "speedup_over_stock": statistics.median(ratios), "speedups": ratios}


def main(act: str, beats: str = "", rounds: int = 3, jobs: int = 0,
         out: Annotated[Path | None, typer.Option("--json")] = None):
    """Compare stock manim and the studio at hd on an act, or on consecutive beats of it."""
    planned = Order(act, "hd").planned()
    names = [name for name in beats.split(",") if name] or [beat.name for beat in planned.beats]
    found = bench(act, names, rounds, jobs or cores())
    print(f"{act}: {found['frames']} frames, {found['still'] / found['frames']:.0%} of them still; "
          f"{found['rounds']} rounds, {found['jobs']} workers")
    for name in ("stock", "ours"):
        row = found[name]
        low, high = row["seconds_spread"]
        print(f"{name:>6} {row['seconds']:7.1f} s ({low:.1f}-{high:.1f}) {row['fps']:6.1f} fps "
              f"{row['cpu_seconds']:7.1f} CPU s {row['peak_mb']:6.0f} MB "
              f"{row['bytes'] / 1e6:6.2f} MB file  PSNR-Y {row['psnr_y']:.2f} dB "
              f"(least {row['psnr_y_least']:.2f})")
    spent = sorted(found["breakdown"].items(), key=lambda item: -item[1])
    print(f" ratio {found['speedup_over_stock']:.2f}; processor seconds of one worker: "
          + ", ".join(f"{label} {value:.1f}" for label, value in spent))
    if out:
        out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
