"""The lab's page in a browser: fields, picture, step, links, bad input."""

import shlex
from dataclasses import asdict

import pytest
from lab_house import LAB, drawn, expected, opened, reference

from scenes.kit.base.theme import THEMES
from scenes.stage import parse
from traces import WorkloadError, load


@pytest.fixture
def page(request):
    """The page at the settings that the test is marked with; nothing went wrong in it."""
    watched = opened(getattr(request, "param", ""))
    yield watched.page
    assert not watched.faults
    assert all(url.startswith("file:") for url in watched.asked)
    watched.close()


def at(example):
    """The settings of an example as a link has them."""
    return "&".join(f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"
                    for name, value in LAB.examples[example].items())


def slide(page, name, value):
    """Move a slider as a hand does."""
    page.locator(f"#lab-set-{name}").evaluate(
        "(node, value) => { node.value = value; "
        "node.dispatchEvent(new Event('input', { bubbles: true })); }", value)


def numbers(page, name, values):
    for k, value in enumerate(values):
        page.locator(f"[aria-labelledby^='lab-set-{name} ']").nth(k).fill(str(value))


def figures(page):
    return [int(text) for text in page.locator("#lab-figures dd").all_inner_texts()]


def test_the_page_begins_with_the_recorded_run_of_the_film(page):
    trace = load("sched-b6")
    assert drawn(page) == expected(trace, trace.workload, trace.config.max_num_seqs)
    assert page.locator("#lab-step").get_attribute("max") == str(len(trace.steps))
    assert page.locator("#lab-command").inner_text() == ".venv/bin/python render.py act04"


@pytest.mark.parametrize("example", LAB.examples)
def test_an_example_a_link_and_the_fields_themselves_give_the_references_run(page, example):
    params, memory = LAB.settings(example)
    trace, workload = reference(params, memory)
    wanted = expected(trace, workload, params.max_num_seqs)
    page.locator(f"[data-say=lab_example_{example}]").click()
    assert drawn(page) == wanted
    page.locator("[data-say=lab_example_film]").click()
    linked = opened(at(example))
    assert drawn(linked.page) == wanted
    linked.close()
    for name, value in (asdict(params) | asdict(memory)).items():
        if isinstance(value, tuple):
            numbers(page, name, value)
        else:
            slide(page, name, value)
    assert drawn(page) == wanted


def test_every_example_shows_what_its_name_says():
    runs = {example: reference(*LAB.settings(example))[0] for example in LAB.examples}
    chunks = {name: any(part.is_chunk for step in run.steps for part in step.scheduled)
              for name, run in runs.items()}
    assert chunks["film"] and not chunks["whole"]
    assert all(len(step.scheduled) == 1 for step in runs["alone"].steps)
    assert any(step.preempted for step in runs["preempted"].steps)
    assert any(given.hit for step in runs["alike"].steps for given in step.allocated)
    assert {name for name, run in runs.items() if run.stuck} == {"outgrown"}


def test_fewer_requests_and_back_again(page):
    slide(page, "requests", 2)
    params, memory = LAB.settings("film")
    two = type(params)(prompts=params.prompts[:2], max_tokens=params.max_tokens[:2],
                       arrivals=params.arrivals[:2])
    assert drawn(page) == expected(*reference(two, memory), two.max_num_seqs)
    slide(page, "requests", 5)
    assert drawn(page) == expected(*reference(params, memory), params.max_num_seqs)


@pytest.mark.parametrize("field", LAB.fields, ids=lambda f: f["name"])
def test_a_fields_range_is_that_of_the_parameter(page, field):
    found = page.locator(f"#lab-set-{field['name']}" if "least" not in field else
                         f"[aria-labelledby^='lab-set-{field['name']} ']").first
    assert (found.get_attribute("min"), found.get_attribute("max")) == (
        str(field["low"]), str(field["high"]))
    cls = LAB.film if field["film"] else LAB.memory
    bounds = cls.__dataclass_fields__[field["name"]].metadata["bounds"]
    assert (bounds.low, bounds.high) == (field["low"], field["high"])


@pytest.mark.parametrize("typed", ["", "0", "13", "1.5", "-2"])
def test_a_wrong_number_gives_one_line_and_keeps_the_last_good_picture(page, typed):
    slide(page, "budget", 8)
    page.wait_for_url("**#budget=8")
    before, figures_before, address = drawn(page), figures(page), page.url
    field = page.locator("[aria-labelledby^='lab-set-prompts ']").nth(1)
    field.fill(typed)
    said = page.locator("#lab-fault").inner_text()
    assert said.startswith("Prompt tokens, request B: a whole number from 1 to 12")
    assert "\n" not in said and field.get_attribute("aria-invalid") == "true"
    assert (drawn(page), figures(page), page.url) == (before, figures_before, address)
    field.fill("9")
    assert page.locator("#lab-fault").is_hidden() and drawn(page) != before
    assert field.get_attribute("aria-invalid") is None


@pytest.mark.parametrize("link, says", [
    ("budget=99", "Token budget of a prefill step: a whole number from 4 to 24"),
    ("budget=six", "Token budget of a prefill step: a whole number"),
    ("prompts=1,2,3", "Prompt tokens, Tokens to generate (max_tokens), Arrives after step: one "
     "number for each request"),
    ("prompts=1", "Prompt tokens: 2 to 5 numbers"),
    ("arrivals=0,0,0,7,99", "Arrives after step, request E: a whole number from 0 to 20"),
    ("seats=3", "There is no setting “seats”"), ("requests=3", "There is no setting “requests”")])
def test_a_wrong_link_gives_one_line_and_the_films_run(link, says):
    watched = opened(link)
    assert watched.page.locator("#lab-fault").inner_text().startswith(says)
    params, memory = LAB.settings("film")
    assert drawn(watched.page) == expected(*reference(params, memory), params.max_num_seqs)
    assert not watched.faults
    watched.close()


def test_a_request_larger_than_the_pool_says_what_this_engine_does(page):
    slide(page, "num_blocks", 3)
    params, memory = LAB.settings("outgrown")
    trace, workload = reference(params, memory)
    with pytest.raises(WorkloadError) as error:
        workload.check(trace.config)
    said = page.locator("#lab-note").inner_text()
    plain = said.replace(" tokens, but", ",").replace("has only", "has").lower()
    assert plain.startswith(str(error.value).lower())
    assert "does not refuse it" in said and "AssertionError that says nothing" in said
    assert drawn(page) == expected(trace, workload, params.max_num_seqs)
    page.locator("#lab-step").press("End")
    assert page.locator("#lab-moment").inner_text() == "Nothing can be scheduled"
    slide(page, "num_blocks", 32)
    assert page.locator("#lab-note").is_hidden()


def counters(page):
    rows = page.locator("#lab-counters tr").all()
    return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]


def wanted_counters(step, workload):
    rows = []
    for asked in workload.requests:
        if asked.name not in step.planned:
            rows.append([asked.name, "not here yet", *"––––"])
            continue
        r = step.planned[asked.name]
        numbers = ["–", "–"] if r.status == "finished" else [str(r.num_cached), str(r.scheduled)]
        table = " ".join(map(str, r.block_table)) or "–"
        rows.append([r.name, r.status, str(r.num_tokens), *numbers, table])
    return rows


@pytest.mark.parametrize("page", [at("preempted")], indirect=True)
def test_keys_walk_through_the_steps_and_each_shows_its_counters_and_blocks(page):
    trace, workload = reference(*LAB.settings("preempted"))
    page.locator("#lab-step").focus()
    for step in trace.steps:
        assert [row[:6] for row in counters(page)] == wanted_counters(step, workload)
        held = page.locator("#lab-pool .frame").evaluate_all(
            "nodes => nodes.map(node => node.classList.contains('held'))")
        assert held == [refs > 0 for refs in step.planned.pool.refs]
        owners = page.locator("#lab-pool svg > g").evaluate_all(
            "blocks => blocks.map(b => [...b.querySelectorAll('.owner text')]"
            ".map(text => text.textContent).join(''))")
        assert owners == ["".join(step.planned.holders(b))
                          for b in range(step.planned.pool.num_blocks)]
        queue = page.locator("#lab-queue li").all_inner_texts()
        assert queue == ([str(b) for b in step.planned.pool.free] or ["none free"])
        assert f"Step {step.index + 1} of {len(trace.steps)}" in page.locator(
            "#lab-step").get_attribute("aria-valuetext")
        page.keyboard.press("ArrowRight")


def test_pointing_at_a_cell_shows_its_requests_counters_and_leaving_goes_back(page):
    trace = load("sched-b6")
    box = page.locator("#lab-scroll svg > g").nth(7).bounding_box()
    cell = page.locator("#lab-scroll svg > g").nth(7).locator(".cell").nth(1).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, cell["y"] + cell["height"] / 2)
    assert page.locator("#lab-moment").inner_text() == "Step 8 of 18 · prefill"
    b = trace.steps[7].planned["B"]
    assert page.locator("#lab-tip").inner_text().split("\n")[:5] == [
        "B", "running", f"known: {b.num_tokens}", f"cached: {b.num_cached}", "scheduled: 0"]
    page.mouse.move(5, 5)
    assert page.locator("#lab-tip").is_hidden()
    assert page.locator("#lab-moment").inner_text().startswith("Step 1 of 18")
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.move(5, 5)
    assert page.locator("#lab-moment").inner_text().startswith("Step 8 of 18")


def test_the_link_carries_the_settings_and_the_step_and_the_command_is_the_films(page):
    page.locator("[data-say=lab_example_alike]").click()
    slide(page, "max_num_seqs", 2)
    page.locator("#lab-after").click()
    before = drawn(page)
    page.locator("#lab-copy").click()
    link = page.locator("#lab-shared").input_value()
    page.wait_for_url(link)
    for step in (2, 22):  # more steps than the film has
        again = opened(link.partition("#")[2].replace("step=2", f"step={step}"))
        assert drawn(again.page) == before
        assert again.page.locator("#lab-moment").inner_text().startswith(f"Step {step} of")
        again.close()
    words = shlex.split(page.locator("#lab-command").inner_text())
    assert words[:3] == [".venv/bin/python", "render.py", "act04"]
    given = dict(word.split("=") for word in words[4::2])
    params, _ = LAB.settings("alike")
    assert set(words[3::2]) == {"--set"}
    assert parse(LAB.film, given) == type(params)(**asdict(params) | {"max_num_seqs": 2})
    assert page.locator("#lab-beyond").inner_text().endswith(
        ": Shared tokens at the start of all prompts = 8")
    page.locator("[data-say=lab_example_film]").click()
    page.wait_for_url("**/act04.lab.html#")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_colours_are_the_films(theme):
    watched = opened(color_scheme=theme)
    wanted = {".work": THEMES[theme].ra, ".pause": THEMES[theme].stop, ".band": THEMES[theme].muted,
              ".slot.now .key": THEMES[theme].k, ".slot.now .value": THEMES[theme].v}
    for part, colour in wanted.items():
        node = watched.page.locator(f"#lab-scroll {part}, #lab-pool {part}").first
        kind = "stroke" if part == ".pause" else "fill"
        shown = node.evaluate(f"node => getComputedStyle(node).{kind}")
        assert shown == "rgb({}, {}, {})".format(*bytes.fromhex(colour[1:])), part
    watched.close()
