"""What an author may write wrongly in a words file: told when planning, with file and line."""

import pytest
from studio_house import build, calls

ACT = "scenes/act01_probe"
WRONG = [
    ('lines: ["Look."]', "lines: []", "en.yaml:6: beat opening has no lines"),
    ('lines: ["Look."]', 'lines: [""]', "en.yaml:6: an empty text"),
    ("title: Probe,", 'title: "",', "en.yaml:6: beat opening has no title"),
    ("title: Probe,", 'title: "a\\nb",', "en.yaml:6: 'a\\nb' holds a line break"),
    ('lines: ["Look."]', f'lines: ["{"x" * 120}"]', "en.yaml:6: xxxxxxxxxxxxxxxxxxxx… has no"),
    ("title: The third", "title: One\n    title: The third", "en.yaml:12: the key 'title' stands"),
    ("row of squares", "row of 😀 squares", "en.yaml:13: nothing says '😀' (U+1F600)"),
    ("{count} squares stand", "{cuont} squares stand", "en.yaml:8: no fact 'cuont'"),
    ("labels: {}", "labels: {", "en.yaml:6: did not find"),
]


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("words"))


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=lambda text: text[:30])
def test_a_wrong_text_is_one_line_with_its_place(house, old, new, message):
    path = house / ACT / "en.yaml"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace(old, new), encoding="utf-8")
    try:
        (code, out, errors), = calls(house, ["script", "act01"])
    finally:
        path.write_text(before, encoding="utf-8")
    assert (code, out, errors.count("\n")) == (1, "", 1), errors
    assert f"{ACT}/{message}" in errors


def test_bytes_that_are_no_utf_8_are_one_line(house, tmp_path):
    path = house / ACT / "en.yaml"
    before = path.read_bytes()
    path.write_bytes(before.replace(b"Look.", b"L\xf6\xf6k."))
    try:
        (code, _, errors), = calls(house, ["script", "act01"])
    finally:
        path.write_bytes(before)
    assert code == 1 and f"{ACT}/en.yaml:6: not UTF-8" in errors


def test_a_second_act_of_a_number_is_refused(house):
    second = house / "scenes/act01_zwei"
    second.mkdir()
    (second / "__init__.py").touch()
    try:
        (code, _, errors), = calls(house, ["list"])
    finally:
        (second / "__init__.py").unlink()
        second.rmdir()
    assert code == 2 and "scenes/act01_zwei: act01 is scenes/act01_probe already" in errors


def test_another_act_that_cannot_be_read_stops_only_itself(house):
    second = house / "scenes/act02_broken"
    second.mkdir()
    (second / "__init__.py").write_bytes(b"x = '\xff\xfe'\n")
    try:
        one, other = calls(house, ["script", "act01"], ["script", "act02"])
    finally:
        (second / "__init__.py").unlink()
        second.rmdir()
    assert one[0] == 0, one
    assert other[0] == 1 and "scenes/act02_broken/__init__.py" in other[2], other
