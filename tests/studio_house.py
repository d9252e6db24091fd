"""A copy of the project with one small act of its own, for tests that render."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
LECTURE = '''
from dataclasses import dataclass
from types import SimpleNamespace

from scenes.act01_probe import beats
from scenes.kit.look import LOOK
from scenes.stage import Lecture, Source, param


@dataclass(frozen=True)
class Params:
    count: int = param(4, 2, 8, help="squares")


def tell(params):
    return SimpleNamespace(facts={"count": params.count}, source=Source("SIMULATED"))


lecture = Lecture(number=1, params=Params, tell=tell, sections=(beats,), look=LOOK)
'''
BEATS_FILE = "scenes/act01_probe/beats.py"
PROBE = '''
from manim import DOWN, RIGHT, UP, Circle, Create, FadeIn, FadeOut, LaggedStart, Line, Square
from manim import Transform, VGroup

from scenes.kit.base.text import number
from scenes.kit.base.theme import paint
from scenes.stage import EVERYTHING, beat


@beat(header=False)
def opening(act):
    act.add(Square(3, fill_color=paint("v"), fill_opacity=1, stroke_width=0))


@beat("engine/scheduler.py:25", steps=(1, 2), least={2: 20})
def build_row(act):
    row = VGroup(*[
        VGroup(Square(1, color=paint("q"), fill_opacity=0.3, stroke_width=3), number(k, 40))
        for k in range(act.params.count)]).arrange(RIGHT, buff=0.2)
    line = Line(UP, DOWN, color=paint("focus")).next_to(row, DOWN)
    act.cue("row")
    act.move(LaggedStart(*[FadeIn(m, shift=DOWN * 0.2) for m in row], lag_ratio=0.2), pace=12)
    act.cue("rise")
    act.move(Create(line), pace=9)
    act.move(row[0].animate.shift(UP), row[1][0].animate.set_fill(opacity=1))
    act.keep(row=row, line=line)


@beat("engine/scheduler.py:30", carries=EVERYTHING)
def change(act):
    row, ramp = act.kept.row, Square(2, fill_opacity=1).shift(3 * RIGHT)
    ramp.set_color([paint("q"), paint("k")]).set_background_stroke(width=9, color=paint("focus"))
    circle = Circle(0.5, color=paint("v")).move_to(row[2 % len(row)])
    act.move(Transform(row[-1][0], circle))
    act.move(FadeOut(row), FadeOut(act.kept.line), FadeIn(ramp, shift=UP), pace=9)
'''
WORDS = {"en": '''
title: A probe of the studio
leaves_out: All else.
labels: {}
beats:
  opening: {title: Probe, lines: ["Look."]}
  build-row:
    title: "{count} squares stand in a row"
    lines: ["Here are [row] {count} squares.", "[rise] The first rises; the second is filled."]
  change:
    title: The third becomes a circle
    lines: ["A square becomes a circle, then all of it leaves, for nothing stays."]
  remember: {title: What stays, lines: ["A row of squares, and what became of it."]}
''', "zh": '''
title: 工作室的探针
leaves_out: 其余一切。
labels: {}
beats:
  opening: {title: 探针, lines: ["看。"]}
  build-row:
    title: "{count} 个方块排成一行"
    lines: ["这里有[row]{count} 个方块。", "[rise]第一个升起，第二个被填满。"]
  change:
    title: 第三个变成圆
    lines: ["方块变成一个圆，然后所有东西都离开了。"]
  remember: {title: 留下什么, lines: ["一排方块，还有它们后来的样子。"]}
'''}
BEATS = ("opening", "build-row", "change", "remember")


def build(folder: Path) -> Path:
    """Make the project in `folder`."""
    for name in ("studio", "traces", "scenes/kit", "scenes/stage", "scenes/lessons",
                 "scenes/lexicon"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("render.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    for path in (ROOT / "scenes").glob("*.py"):
        shutil.copy(path, folder / "scenes")
    act = folder / "scenes" / "act01_probe"
    act.mkdir()
    (act / "__init__.py").write_text(LECTURE, encoding="utf-8")
    (folder / BEATS_FILE).write_text(PROBE, encoding="utf-8")
    for language, text in WORDS.items():
        (act / f"{language}.yaml").write_text(text, encoding="utf-8")
    return folder


def outlives(group: int, seconds: float = 20) -> bool:
    """Whether a process of this group still lives when the time is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True


def command(*arguments) -> list[str]:
    return [sys.executable, "render.py", *map(str, arguments)]


def call(folder: Path, *arguments, **options) -> subprocess.CompletedProcess:
    """Run `render.py` there; what it printed is in `stdout` and `stderr`."""
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "300"}, timeout=120, **options)


def script(folder: Path, text: str, *arguments) -> str:
    """Run Python code inside the project; what it printed."""
    done = subprocess.run([sys.executable, "-c", text, *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


RUNS = """
import json, sys
from typer.testing import CliRunner
from render import app
if __name__ == "__main__":
    done = [CliRunner().invoke(app, arguments) for arguments in json.loads(sys.argv[1])]
    print(json.dumps([(d.exit_code, d.stdout, d.stderr) for d in done]))
"""


def calls(folder: Path, *lines) -> list[tuple[int, str, str]]:
    """Run `render.py` once for every list of arguments, all in one process:
    (exit code, stdout, stderr) of each."""
    lines = [[str(argument) for argument in line] for line in lines]
    return [tuple(done) for done in json.loads(script(folder, RUNS, json.dumps(lines)))]
