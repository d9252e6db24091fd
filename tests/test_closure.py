"""What a beat's key depends on: the import closure of its module, and nothing beside it."""

import shutil
from pathlib import Path

import pytest
from studio_house import build, script

from studio.draw.content_hash import content_hash
from studio.render.closure import ImportGraph

FILES = {
    "kit/__init__.py": "from kit.grid import Grid\nfrom kit.base import Line as Thin\nRATE = 3\n",
    "kit/grid.py": "from kit.base import Line\nclass Grid(Line): pass\n",
    "kit/base.py": "import os\nclass Line: pass\n",
    "kit/other.py": "class Other: pass\n",
    "act/__init__.py": "from act import one, two, story\n",
    "act/one.py": "from typing import TYPE_CHECKING\nfrom kit import Grid\n"
                  "if TYPE_CHECKING:\n    from kit.other import Other\n",
    "act/two.py": "def play():\n    from . import story\n    return story.tell('trace-b6')\n",
    "act/story.py": "import kit.base\n",
    "whole.py": "import kit\n",
    "named.py": "from kit import Thin\n",
    "constant.py": "from kit import RATE\n",
    "outer/__init__.py": "",
    "outer/kit/__init__.py": "from outer.kit.a import A\nfrom outer.kit.b import B\n",
    "outer/kit/a.py": "class A: pass\n", "outer/kit/b.py": "class B: pass\n",
    "uses_a.py": "from outer import kit\nprint(kit.A)\n",
    "hands_on.py": "from outer import kit\nprint(kit)\n",
}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    root = tmp_path_factory.mktemp("repo")
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return ImportGraph(root)


@pytest.mark.parametrize("module, wanted", [
    ("act/one.py", {"kit/grid.py", "kit/base.py"}),  # through the package, not all of it
    ("act/two.py", {"act/story.py", "kit/base.py"}),  # inside a function, relative
    ("named.py", {"kit/base.py"}),  # under another name
    ("constant.py", {"kit/__init__.py", "kit/grid.py", "kit/base.py"}),
    ("whole.py", {"kit/__init__.py", "kit/grid.py", "kit/base.py"}),
    ("uses_a.py", {"outer/kit/a.py"}),
    ("hands_on.py", {"outer/kit/__init__.py", "outer/kit/a.py", "outer/kit/b.py"}),
])
def test_the_closure_of_a_module(graph, module, wanted):
    found = graph.closure(graph.root / module)
    assert {path.relative_to(graph.root).as_posix() for path in found} == wanted | {module}


def test_sections_that_are_only_listed_are_left_out(graph):
    entry, sections = graph.root / "act/__init__.py", [graph.root / f"act/{n}.py"
                                                       for n in ("one", "two")]
    found = graph.closure(entry, frozenset(sections))
    assert {path.name for path in found} == {"__init__.py", "story.py", "base.py"}
    assert "trace-b6" in graph.strings(sections[1])


def test_a_content_hash_sees_values_and_code():
    class Thing:
        def __init__(self, value):
            self.value = value

    assert content_hash(Thing([1, 2])) == content_hash(Thing([1, 2]))
    assert content_hash(Thing([1, 2])) != content_hash(Thing([2, 1]))
    assert content_hash(Thing(1), lambda module: "a") != content_hash(Thing(1), lambda module: "b")
    assert content_hash(lambda x: x + 1) != content_hash(lambda x: x + 2)
    assert content_hash(lambda x: x + 1) == content_hash(lambda x: x + 1)


KEYS = """
from studio.render.order import Order
from studio.render.plan import RenderPlan
keys = RenderPlan.of(Order("act01", "tiny")).keys
print(*[keys.segment(index, "") for index in range(4)])
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("keys"))


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_only_beats_that_use_what_was_edited_get_another_key(house, tmp_path):
    house = Path(shutil.copytree(house, tmp_path / "house"))
    before = script(house, KEYS).split()
    (house / "scenes/kit/brand_new.py").write_text("class Piece: pass\n")
    with (house / "scenes/kit/__init__.py").open("a") as file:
        file.write("\nfrom scenes.kit.brand_new import Piece\n")
    shutil.copytree(house / "traces/data/sched-b6", house / "traces/data/another")
    assert script(house, KEYS).split() == before, "a new piece or trace redraws something"
    edit(house / "scenes/act01_probe/beats.py", "Create(line), pace=9", "Create(line), pace=8")
    after = script(house, KEYS).split()
    assert [a == b for a, b in zip(after, before)] == [True, False, True, True]
    edit(house / "scenes/act01_probe/en.yaml", "A row of squares,", "A row of objects,")
    assert [a == b for a, b in zip(script(house, KEYS).split(), after)] == [True] * 3 + [False]
    with (house / "scenes/kit/base/theme.py").open("a") as file:
        file.write("\n# an edit in a file that the act uses\n")
    assert not set(script(house, KEYS).split()) & set(after)
