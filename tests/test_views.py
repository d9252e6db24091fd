"""A view is a trace's twin: its picture, read back from what is drawn, is the recorded state."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim.animation.animation import prepare_animation

from scenes.kit import paint, request_roles
from scenes.views import BlockPoolView, BlockTableView
from traces.reference import play
from traces.state import Pool, State
from traces.trace import load
from traces.workload import EngineConfig, Request, Workload

RECORDED = ["prefix-cache-b4", "preemption-b4", "sched-b6"]


def settle(animations):
    for animation in map(prepare_animation, animations):
        animation.begin()
        animation.finish()


def walk(trace):
    """(state, whether it plans a decode) for every state of a run, the empty one first."""
    yield State(Pool.fresh(trace.config.num_blocks, trace.config.block_size)), False
    for step in trace.steps:
        yield step.before, False
        yield step.planned, step.phase == "decode"
        yield step.after, False


def text(readout):
    """What a figure says, from the one label that is in it."""
    label, = readout
    return label.text


def places(block):
    """One letter a place, from fills and edges: c cached, s in this prefill, d in this decode,

    k known, w kept while free, "." empty.
    """
    letters = ""
    for cell in block.cells:
        filled = {half.get_fill_opacity() for half in (cell.k, cell.v)}
        assert len(filled) == 1, "K and V are written together"
        if cell.stripe.get_fill_opacity() > 0:
            assert filled == {1} and cell.edge.get_stroke_color() == paint("ink")
            letters += "s" if len(cell.stripe.points) < 20 else "d"
        elif filled == {1}:
            strong = cell.k.get_fill_color().to_rgb() - paint("ground").to_rgb()
            whole = paint("k").to_rgb() - paint("ground").to_rgb()
            letters += "c" if abs(strong).sum() > 0.5 * abs(whole).sum() else "w"
        else:
            letters += "k" if cell.edge.get_stroke_width() > 2 else "."
    return letters


def owners(block):
    return [letter[1].text for letter in block.owners]


def findable(block):
    return block.found.get_stroke_width() > 0


def in_layers(block):
    """Animated parts are drawn anew on top: layers keep the frame below, the text above."""
    inside = [part.z_index for group in (block.cells, block.owners, block.found)
              for part in group.get_family() if len(part.points)]
    texts = [label.z_index for label in (block.heading, block.note, *block.mark, *block.refs)]
    return max(block.frame.z_index, block.dashes.z_index) < min(inside) < min(texts)


def expected_places(state, block, decode):
    """The same letters from the state, position by position."""
    size, found = state.pool.block_size, {}
    for request in state.requests:
        for position in range(request.num_tokens):
            index, offset = divmod(position, size)
            if request.block_table[index:index + 1] == (block,):
                now = "d" if decode else "s"
                look = ("c" if position < request.num_cached else
                        now if position < request.num_cached + request.scheduled else "k")
                found[offset] = min(found.get(offset, look), look)
    if not state.holders(block):
        found = dict.fromkeys(range(len(state.pool.content[block])), "w")
    return "".join(found.get(offset, ".") for offset in range(size))


def same_pool(view, state, roles, decode):
    pool = state.pool
    for k, block in enumerate(view.blocks):
        assert places(block) == expected_places(state, k, decode), k
        assert places(block).count(".") + places(block).count("k") + state.fill(k) + sum(
            places(block).count(now) for now in "sd") == pool.block_size
        assert owners(block) == list(state.holders(k))
        assert text(block.refs) == (f"×{pool.refs[k]}" if pool.refs[k] else "")
        assert text(block.mark) == ("" if pool.hash[k] is None else f"#{pool.hash[k]}")
        assert findable(block) == pool.hittable(k) and in_layers(block)
        dashed = block.dashes.get_stroke_width() > 0
        assert dashed == (pool.hittable(k) and pool.refs[k] == 0)
        if pool.refs[k]:
            assert block.frame.get_stroke_color() == paint(roles[state.holders(k)[0]])
    assert view.queue.ids == pool.free


def same_table(view, state, decode):
    table = state[view.request].block_table if view.request in state else ()
    for i, (block, entry) in enumerate(zip(view.blocks, view.entries)):
        inside = i < len(table)
        assert text(entry.value) == (str(table[i]) if inside else "")
        assert (entry.box.get_stroke_color() == paint(view.role)) == inside
        assert (block.frame.get_stroke_color() == paint(view.role)) == inside
        hashed = inside and state.pool.hash[table[i]] is not None
        assert text(block.mark) == (f"#{state.pool.hash[table[i]]}" if hashed else "")
        assert places(block) == (expected_places(state, table[i], decode) if inside
                                 else "." * state.pool.block_size)


def follow(trace):
    """Show every state of a run in both views; each picture must be its state."""
    names = [request.name for request in trace.workload.requests]
    roles, states = request_roles(names), list(walk(trace))
    pool = BlockPoolView(states[0][0], roles, queue="free")
    longest = {name: max(1, *(len(state[name].block_table) for state, _ in states
                              if name in state)) for name in names}
    tables = [BlockTableView(states[0][0], name, roles[name], longest[name], ("blocks", "table"))
              for name in names]
    for state, decode in states:
        settle(pool.to(state, decode))
        same_pool(pool, state, roles, decode)
        for view in tables:
            settle(view.to(state, decode))
            same_table(view, state, decode)
    settle(pool.to(states[-1][0]))
    assert pool.to(states[-1][0]) == [], "what stays the same stays still"


@pytest.mark.parametrize("name", RECORDED)
def test_the_picture_of_every_recorded_state_is_that_state(name):
    follow(load(name))


prompts = st.lists(st.integers(1, 14), min_size=1, max_size=5)


@settings(max_examples=8, deadline=None)
@given(lengths=prompts, data=st.data(), blocks=st.integers(8, 16), size=st.integers(2, 5))
def test_the_picture_of_any_run_is_its_state(lengths, data, blocks, size):
    """Prompts share beginnings, so that blocks are shared, kept, found again and overwritten."""
    requests = tuple(
        Request("ABCDE"[k], tuple(range(length)), data.draw(st.integers(0, 4)),
                data.draw(st.integers(1, 4))) for k, length in enumerate(lengths))
    config = EngineConfig(size, blocks, data.draw(st.integers(4, 20)), 3)
    follow(play(Workload(requests), config, allow_stuck=True))


def test_a_picture_built_in_the_middle_equals_one_that_was_led_there():
    trace = load("prefix-cache-b4")
    roles = request_roles([request.name for request in trace.workload.requests])
    for step in trace.steps[::4]:
        decode = step.phase == "decode"
        view = BlockPoolView(step.planned, roles, queue="free", decode=decode)
        same_pool(view, step.planned, roles, decode)


def test_large_blocks_are_bars_as_long_as_they_are_filled():
    trace = load("prefix-cache-gpu")
    roles = request_roles([request.name for request in trace.workload.requests])
    name = trace.workload.requests[0].name
    view = BlockTableView(trace.states[0], name, roles[name], 9, ("blocks", "table"))
    for step in trace.steps:
        settle(view.to(step.planned, step.phase == "decode"))
        for block, physical in zip(view.blocks, step.planned[name].block_table):
            bar, = block.cells
            part = step.planned[name]
            index = part.block_table.index(physical)
            reach = part.num_cached + part.scheduled - index * trace.config.block_size
            filled = min(max(reach, 0), trace.config.block_size)
            assert bar.k.get_fill_opacity() == float(filled > 0)
            if filled:
                share = bar.k.width / (bar.edge.width - 2 * (bar.k.get_left() - bar.edge.get_left()
                                                             )[0])
                assert share == pytest.approx(filled / trace.config.block_size, abs=0.02)


def test_a_table_longer_than_its_room_is_refused():
    trace = load("prefix-cache-b4")
    view = BlockTableView(trace.states[0], "E", "re", 2, ("blocks", "table"))
    with pytest.raises(ValueError, match="holds 9 blocks, there is room for 2"):
        view.to(trace.steps[9].planned)
