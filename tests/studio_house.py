"""A copy of the project with one small act of its own, for tests that render."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROBE = '''
from dataclasses import dataclass
from types import SimpleNamespace

from manim import DOWN, RIGHT, UP, Circle, Create, FadeIn, FadeOut, LaggedStart, Line, Square
from manim import Transform, VGroup

from scenes.kit.frame import Frame
from scenes.kit.text import Label, number
from scenes.kit.theme import paint
from scenes.stage import Act, Source, beat, param


@dataclass(frozen=True)
class Params:
    count: int = param(4, 2, 8, help="squares")


class Act01(Act):
    number = 1
    Params = Params
    Frame = Frame

    @classmethod
    def tell(cls, params):
        return SimpleNamespace(facts={"count": params.count}, source=Source("SIMULATED"))

    def prepare(self):
        self.patch = Square(3, fill_color=paint("v"), fill_opacity=1, stroke_width=0)
        self.ramp = Square(2, fill_opacity=1).set_color([paint("q"), paint("k")]).shift(3 * RIGHT)
        self.ramp.set_background_stroke(width=9, color=paint("focus"))
        self.row = VGroup(*[
            VGroup(Square(1, color=paint("q"), fill_opacity=0.3, stroke_width=3), number(k, 40))
            for k in range(self.params.count)]).arrange(RIGHT, buff=0.2)
        self.line = Line(UP, DOWN, color=paint("focus")).next_to(self.row, DOWN)

    @beat(10, header=False)
    def opening(self):
        self.add(self.patch)

    @beat(15, 20, anchors="engine/scheduler.py:25", steps=(1, 2))
    def build_row(self):
        self.move(12, LaggedStart(*[FadeIn(m, shift=DOWN * 0.2) for m in self.row],
                                  lag_ratio=0.2))
        self.next_line()
        self.move(9, Create(self.line))
        self.move(15, self.row[0].animate.shift(UP), self.row[1][0].animate.set_fill(opacity=1))

    @beat(20, anchors="engine/scheduler.py:30", keep=True)
    def change(self):
        circle = Circle(0.5, color=paint("v")).move_to(self.row[2 % len(self.row)])
        self.move(15, Transform(self.row[-1][0], circle))
        self.move(9, FadeOut(self.row), FadeOut(self.line), FadeIn(self.ramp, shift=UP))
'''
WORDS = {"en": '''
title: A probe of the studio
labels: {}
beats:
  opening: {title: Probe, lines: ["Look."]}
  build-row:
    title: "{count} squares stand in a row"
    lines: ["Here are {count} squares.", "The first rises; the second is filled."]
  change:
    title: The third becomes a circle
    lines: ["A square becomes a circle, then all of it leaves, for nothing stays."]
''', "zh": '''
title: 工作室的探针
labels: {}
beats:
  opening: {title: 探针, lines: ["看。"]}
  build-row:
    title: "{count} 个方块排成一行"
    lines: ["这里有 {count} 个方块。", "第一个升起，第二个被填满。"]
  change:
    title: 第三个变成圆
    lines: ["方块变成一个圆，然后所有东西都离开了。"]
'''}
BEATS = ("opening", "build-row", "change")


def build(folder: Path) -> Path:
    """Make the project in `folder`."""
    for name in ("studio", "traces", "scenes/kit", "scenes/stage", "scenes/lessons",
                 "scenes/lexicon"):
        shutil.copytree(ROOT / name, folder / name)
    for language, text in WORDS.items():
        words = folder / "scenes" / "words" / language
        words.mkdir(parents=True)
        (words / "act01.yaml").write_text(text, encoding="utf-8")
    (folder / "scenes/__init__.py").touch()
    (folder / "scenes/act01_probe.py").write_text(PROBE)
    shutil.copy(ROOT / "render.py", folder)
    return folder


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
