"""Who may import whom, and what an act may not say: the rules of the house."""

import ast
import re
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"capture", "traces", "scenes", "studio", "render"}
# room -> the outside packages and rooms that it may import, besides the standard library
ALLOWED = {
    "traces": {"msgspec", "numpy", "traces"},
    "capture": {"numpy", "torch", "transformers", "safetensors", "nanovllm", "flash_attn",
                "tokenizers", "xxhash", "yaml", "traces", "capture"},
    "scenes/lessons": {"numpy", "scenes.lessons"},
    "scenes/geometry.py": set(),
    "scenes/fontfiles.py": {"uharfbuzz"},
    "scenes/kit": {"manim", "numpy", "uharfbuzz", "scenes.kit", "scenes.geometry",
                   "scenes.fontfiles"},
    "scenes/views": {"manim", "numpy", "scenes.kit", "scenes.views", "scenes.geometry", "traces"},
    "scenes/stage": {"manim", "yaml", "scenes.stage", "scenes.geometry"},
    "scenes/act": {"manim", "numpy", "scenes.kit", "scenes.views", "scenes.geometry",
                   "scenes.stage", "scenes.lessons", "traces"},
}
FORBIDDEN = {"studio": {"capture", "torch", "nanovllm", "scenes.kit", "scenes.lessons"},
             "render.py": {"capture", "traces", "scenes", "manim", "torch"}}
NEVER_IN_AN_ACT = {"play", "wait", "add_updater"}
SOURCES = sorted(path for path in ROOT.rglob("*.py")
                 if path.relative_to(ROOT).parts[0] in OURS | {"tests", "render.py"})


def imports(path, root=ROOT):
    """Dotted names that a file imports, stars included as `name.*`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = path.relative_to(root).with_suffix("").parts[:-node.level or None]
            base = ".".join([*parts] * bool(node.level) + [node.module or ""]).strip(".")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def room_of(path):
    name = path.relative_to(ROOT).as_posix()
    if re.match(r"scenes/act\d\d_", name):
        return "scenes/act"
    return next((room for room in ALLOWED if name == room or name.startswith(room + "/")), None)


def is_act(path):
    """An act's methods are its beats: their number is the lecture's, not the class's."""
    return room_of(path) == "scenes/act"


def foreign(path, name):
    """Whether an import breaks the table of rooms."""
    top = name.split(".")[0]
    if top in sys.stdlib_module_names or top == "__future__":
        return False
    room = room_of(path)
    if room == "scenes/act" and name.startswith(f"scenes.{path.relative_to(ROOT).parts[1][:5]}_"):
        return False  # an act's own story and parts
    if room:
        return not any(name == ok or name.startswith(ok + ".") for ok in ALLOWED[room])
    first = path.relative_to(ROOT).parts[0]
    return any(name == no or name.startswith(no + ".") for no in FORBIDDEN.get(first, ()))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_file_keeps_the_house_rules(path):
    text = path.read_text(encoding="utf-8")
    wrong = [name for name in imports(path) if foreign(path, name) or name.endswith(".*")]
    assert not wrong, f"imports {wrong}"
    assert text.count("\n") <= 250, "longer than 250 lines: split it"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 40, f"{node.name} is longer than 40 lines"
        if isinstance(node, ast.ClassDef) and not is_act(path) and node.name[0] != "_":
            public = [m.name for m in node.body
                      if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
            assert len(public) <= 10, f"{node.name} has {len(public)} public methods"


@pytest.mark.parametrize("path", [p for p in SOURCES if is_act(p)],
                         ids=lambda p: p.stem)
def test_an_act_leaves_time_to_the_stage(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in NEVER_IN_AN_ACT, f"line {node.lineno}: {node.func.attr}"
        if isinstance(node, ast.keyword):
            assert node.arg != "run_time", "an act gives no seconds"
        if isinstance(node, ast.Name | ast.Attribute):
            assert getattr(node, "id", getattr(node, "attr", "")) != "random"


def test_stage_touches_manim_in_one_file():
    stage = [p for p in SOURCES if room_of(p) == "scenes/stage"]
    assert [p.name for p in stage if any(n.startswith("manim") for n in imports(p))] == ["act.py"]


def module_file(name, root):
    """The file of the module that a dotted name is or is in, or None for one from elsewhere."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        base = root.joinpath(*parts[:end])
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if file.is_file():
                return file
    return None


def circle(paths, root):
    """Files that import each other in a circle, functions' imports included, or None."""
    graph = {path: {module_file(name, root) for name in imports(path, root)} - {None, path}
             for path in paths}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [path.relative_to(root).as_posix() for path in error.args[1]]
    return None


def test_no_files_import_each_other_in_a_circle(tmp_path):
    assert circle(SOURCES, ROOT) is None
    (tmp_path / "a.py").write_text("from b import thing")
    (tmp_path / "b.py").write_text("def thing():\n    import c")
    (tmp_path / "c.py").write_text("import a")
    assert set(circle(sorted(tmp_path.glob("*.py")), tmp_path)) == {"a.py", "b.py", "c.py"}


def test_the_rules_see_a_breach(tmp_path):
    """The table refuses what design.md forbids."""
    kit, act, trace = (ROOT / p for p in ("scenes/kit/x.py", "scenes/act04_x.py", "traces/x.py"))
    view, plain = ROOT / "scenes/views/x.py", ROOT / "scenes/geometry.py"
    assert foreign(view, "scenes.stage.beat") and foreign(view, "scenes.lessons.rope")
    assert not foreign(view, "traces.state.State") and foreign(kit, "scenes.views.cache")
    assert not foreign(kit, "scenes.geometry.px") and foreign(plain, "numpy")
    assert foreign(kit, "traces.load") and not foreign(kit, "scenes.kit.base.theme")
    assert foreign(act, "studio.pipeline") and foreign(act, "scenes.act05_cache.Act05")
    assert not foreign(act, "scenes.act04_story.Story") and foreign(trace, "torch")
    assert foreign(ROOT / "render.py", "scenes.stage") and foreign(ROOT / "studio/x.py", "capture")


def test_no_path_of_a_machine_in_the_repository():
    """Neither code nor words nor traces hold an absolute path of somebody's machine."""
    for path in [*SOURCES, *ROOT.glob("traces/data/*/*"), *ROOT.glob("scenes/**/*.yaml")]:
        found = re.search(r"(?<![\w.])/(work|home|root|Users)/\w", path.read_text(encoding="utf-8"))
        assert not found, f"{path}: {found.group()}"
