"""The lab's page for everyone: keys, small screens, both languages and themes, strict servers."""

import pytest
from lab_house import LAB, built_lab, drawn, opened
from rendered_house import STRICT, axe_faults, served


@pytest.mark.parametrize("settings", ["step=5", "num_blocks=7&step=7", "num_blocks=3&step=4",
                                      "budget=99"])
@pytest.mark.parametrize("theme, locale", [("dark", "en-US"), ("light", "zh-CN")])
def test_axe_finds_nothing(settings, theme, locale):
    watched = opened(settings, color_scheme=theme, locale=locale)
    assert axe_faults(watched.page) == []
    watched.close()


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("settings", ["", "max_num_seqs=1&budget=4", "block_size=8&shared=8",
                                      "block_size=2&max_tokens=12,12,12,12,12", "num_blocks=3"])
def test_nothing_is_cut_at_any_width(width, settings):
    watched = opened(settings, viewport={"width": width, "height": 640}, locale="zh-CN")
    page = watched.page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    wide = page.evaluate("""(box => box.scrollWidth - box.clientWidth)
        (document.querySelector(".wide"))""")
    assert wide <= 0, "the counters"
    for part in ("scroll", "pool", "tags"):
        inner = page.evaluate("""part => { const box = document.getElementById("lab-" + part);
            return [box.firstChild.getBoundingClientRect().width, box.clientWidth]; }""", part)
        assert part == "scroll" or inner[0] <= inner[1] + 1, part
    smallest = page.evaluate("""() => Math.min(...[...document.querySelectorAll(
        "#lab-scroll svg > g > g > .cell > .work")].map(node => node.getBoundingClientRect().width))
        """)
    assert smallest >= 30
    page.locator("#lab-step").press("End")
    last = page.locator("#lab-scroll .ring.chosen").bounding_box()
    seen = page.locator("#lab-scroll").bounding_box()
    assert last["x"] + last["width"] <= seen["x"] + seen["width"] + 1, "the last step is in view"
    watched.close()


def test_on_a_phone_the_run_stays_in_view_while_its_fields_are_changed():
    watched = opened(viewport={"width": 320, "height": 640})
    watched.page.locator("#lab-form").evaluate("node => node.scrollIntoView()")
    box = watched.page.locator("#lab-scroll").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 640
    watched.close()


def test_everything_is_reached_by_tab_and_the_arrows_change_a_number():
    watched = opened(reduced_motion="reduce")
    page, reached = watched.page, []
    for _ in range(50):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("""(e => e.id || e.getAttribute("aria-labelledby")
            || e.dataset.say || "")(document.activeElement)"""))
        if reached[-1] == "lab-embed":
            break
    sliders = {f"lab-set-{field['name']}" for field in LAB.fields if "least" not in field}
    assert sliders | {"lab-set-requests", "lab-step", "lab-after", "lab-copy", "lab-embed",
                      "lab-copy-command", "lab_example_film", "language", "theme"} <= set(reached)
    assert sum(name.startswith("lab-set-prompts ") for name in reached) == 5
    before = drawn(page)
    page.locator("#lab-set-budget").focus()
    page.keyboard.press("ArrowRight")
    assert drawn(page) != before
    page.wait_for_url("**#budget=7")
    page.locator("[aria-labelledby='lab-set-arrivals lab-of-D']").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**arrivals=0,0,0,8,9")
    watched.close()


def test_both_languages_say_all_and_a_change_of_language_keeps_the_run():
    watched = opened("num_blocks=7&step=7")
    page = watched.page
    lacks = page.evaluate("""() => { const keys = o => Object.entries(o).flatMap(([key, value]) =>
        typeof value === "string" ? [key] : keys(value).map(each => key + "." + each));
        const [en, zh] = [keys(Words.en), keys(Words.zh)];
        return [...en.filter(k => !zh.includes(k)), ...zh.filter(k => !en.includes(k))]; }""")
    assert lacks == []
    before = drawn(page)
    english = page.locator("#lab").inner_text()
    page.select_option("#language", "zh")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.wait_for_function(
        "document.getElementById('lab-moment').textContent.startsWith('第 7 步')")
    chinese = page.locator("#lab").inner_text()
    assert "抢占：C" in chinese and "Preempted: C" in english and drawn(page) == before
    for text in (english, chinese):
        assert "undefined" not in text and "{0}" not in text
    left = set(english.split("\n")) & set(chinese.split("\n"))
    spoken = [line for line in left if len(line.split()) > 2 and line.split() != list("ABCDE")]
    assert spoken == [".venv/bin/python render.py act04"]
    watched.close()


@pytest.mark.parametrize("search", ["", "?embed"])
def test_a_strict_policy_blocks_nothing_and_no_network_is_asked(search):
    with served(built_lab(), STRICT) as url:
        watched = opened("num_blocks=7", url, search, locale="zh-CN")
        page = watched.page
        page.locator("[data-say=lab_example_alike]").click()
        box = page.locator("#lab-scroll svg > g").nth(3).bounding_box()
        page.mouse.move(box["x"] + 10, box["y"] + 80)
        page.mouse.move(box["x"] + 12, box["y"] + 82)
        assert page.locator("#lab-tip").is_visible()
        page.locator("#lab-copy").click()
        page.wait_for_timeout(200)
        assert not watched.faults
        assert all(asked.startswith(url) for asked in watched.asked)
        assert page.locator(".bar").is_visible() == (not search)
        watched.close()


@pytest.mark.parametrize("outcome, said", [("resolve", "已复制"),
                                           ("reject", "未能自动复制，请手动复制选中的文字。")])
def test_a_link_says_whether_it_was_copied_and_stands_selected(outcome, said):
    watched = opened("step=3", locale="zh-CN")
    page = watched.page
    page.evaluate("""outcome => Object.defineProperty(navigator, "clipboard",
        { value: { writeText: () => Promise[outcome]() } })""", outcome)
    page.locator("#lab-copy").click()
    page.wait_for_function("document.getElementById('lab-said').textContent")
    assert page.locator("#lab-said").inner_text() == said
    assert page.locator("#lab-shared").evaluate(
        "field => field.value.slice(field.selectionStart, field.selectionEnd)").endswith("#step=3")
    watched.close()


def test_the_code_to_embed_shows_the_same_run_in_another_page(tmp_path):
    watched = opened("num_blocks=7&step=7")
    watched.page.locator("#lab-embed").click()
    code = watched.page.locator("#lab-shared").input_value()
    before = drawn(watched.page)
    (tmp_path / "slide.html").write_text(f"<!doctype html>{code}", encoding="utf-8")
    watched.page.goto((tmp_path / "slide.html").as_uri())
    frame = watched.page.frame_locator("iframe")
    frame.locator("#lab-scroll svg").wait_for()
    assert frame.locator(".bar").is_hidden()
    shown = frame.locator("#lab-scroll .band").evaluate_all(
        "nodes => nodes.map(node => node.classList[1])")
    assert shown == [column["phase"] for column in before]
    watched.close()


def test_without_scripts_the_page_says_what_it_needs():
    watched = opened(java_script_enabled=False)
    said = watched.page.locator("noscript")
    assert "needs JavaScript" in said.inner_text()
    assert said.locator("[lang=zh-Hans]").inner_text() == "实验需要 JavaScript。"
    assert said.locator("[lang=zh-Hans]").is_visible()
    watched.close()
