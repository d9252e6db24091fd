"""The engine's map: every node can be lit, entered and left, and nothing is lost on the way."""

import numpy as np
import pytest
from manim import Scene, tempconfig
from manim.animation.animation import prepare_animation

from scenes.geometry import STAGE
from scenes.kit import paint
from scenes.views import NODES, EngineMap

LABELS = {name: name for name in (*NODES, "waiting", "running")}


@pytest.fixture
def scene(tmp_path):
    """A real scene that writes nothing."""
    with tempconfig({"dry_run": True, "pixel_width": 32, "pixel_height": 18, "frame_rate": 10,
                     "progress_bar": "none", "media_dir": tmp_path, "verbosity": "ERROR"}):
        yield Scene()


def look(mobject):
    """Points, opacities and layers of all parts."""
    return [(part.points.copy(), part.get_fill_opacity(), part.get_stroke_opacity(), part.z_index)
            for part in mobject.get_family() if len(part.points)]


def same(one, other):
    return all(np.allclose(a[0], b[0]) and a[1:] == b[1:] for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", NODES)
def test_entering_fills_the_stage_and_leaving_brings_all_back(name, scene):
    engine = EngineMap(LABELS)
    scene.add(engine)
    home, box = look(engine), engine.stations[name].box
    way = engine.enter(name)
    way.begin()
    way.interpolate(0.5)
    assert not same(look(engine), home)
    assert STAGE.width >= box.width > engine.node(name).width * 0.99
    way.finish()
    assert (box.width, box.height) == pytest.approx((STAGE.width, STAGE.height))
    assert all(part[1] == part[2] == 0 for part in look(engine)), "the stage is free"
    way.clean_up_from_scene(scene)
    assert engine not in scene.mobjects and same(look(engine), home)
    scene.play(engine.leave(), run_time=0.3)
    assert engine in scene.mobjects and same(look(engine), home)


@pytest.mark.parametrize("name", NODES)
def test_a_lit_node_is_the_only_one_that_changes(name):
    engine = EngineMap(LABELS)
    others = {n: look(s) for n, s in engine.stations.items() if n != name}
    for way, role in ((engine.light, "focus"), (engine.calm, "muted")):
        animation = prepare_animation(way(name))
        animation.begin()
        animation.finish()
        assert engine.stations[name].box.get_stroke_color() == paint(role)
    assert all(same(look(engine.stations[n]), before) for n, before in others.items())


def test_nodes_lie_side_by_side_over_the_pool():
    engine = EngineMap(LABELS)
    line = [engine.node(name) for name in NODES[:-1]]
    assert all(a.right < b.left for a, b in zip(line, line[1:]))
    assert engine.node("pool").top < min(region.bottom for region in line)
    assert engine.width <= STAGE.width + 0.05 and engine.height <= STAGE.height + 0.05


def test_free_blocks_are_taken_and_a_request_gives_back_its_own():
    pool = EngineMap(LABELS).stations["pool"].icon

    for move in (pool.take("ra", None), *pool.free("rb")):
        animation = prepare_animation(move)
        animation.begin()
        animation.finish()
    for role, (frame, cells) in zip(pool.roles, pool):
        owned = frame.get_stroke_color() == paint(role or "ra")
        assert owned == (role != "rb")
        assert all(cell.slot.name == "CACHED" for cell in cells) or role


def test_what_cannot_be_is_refused():
    with pytest.raises(KeyError, match="running"):
        EngineMap({name: name for name in (*NODES, "waiting")})
    with pytest.raises(ValueError, match="no node"):
        EngineMap(LABELS).leave()
