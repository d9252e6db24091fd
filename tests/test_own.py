"""What was not made here, or was edited since, is never replaced."""

import pytest
from rendered_house import rendered_house
from studio_house import calls

from studio.errors import UsageError
from studio.render.files import publish
from studio.render.own import write_list


def made(folder, text="ours"):
    """A finished folder, marked as ours."""
    (folder / "clips").mkdir(parents=True)
    (folder / "clips" / "a.mp4").write_text(text)
    (folder / "index.html").write_text(text)
    write_list(folder, "deck.json")
    return folder


FOREIGN = {
    "a folder of others": lambda path: (path.mkdir(), (path / "notes.txt").write_text("mine")),
    "a file in a folder of ours": lambda path: (made(path), (path / "notes.txt").touch()),
    "an edited file": lambda path: (made(path), (path / "index.html").write_text("mine")),
    "a link in a folder of ours": lambda path: (made(path), (path / "x").symlink_to("/")),
    "a plain file": lambda path: path.write_text("mine"),
    "a link": lambda path: path.symlink_to(path.parent),
    "a marker that is none": lambda path: (path.mkdir(), (path / "deck.json").write_text("[]")),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_is_refused_and_stays(tmp_path, kind):
    final = tmp_path / "act04"
    FOREIGN[kind](final)
    before = sorted((str(p), p.read_bytes() if p.is_file() else b"") for p in tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=r"not made here|since it was made"):
        publish(made(tmp_path.parent / f"{tmp_path.name}-new"), final)
    assert before == sorted((str(p), p.read_bytes() if p.is_file() else b"")
                            for p in tmp_path.rglob("*"))


def test_our_own_is_replaced_and_a_file_as_long_as_nobody_edits_it(tmp_path):
    publish(made(tmp_path / "new"), tmp_path / "act04")
    (tmp_path / "act04" / ".DS_Store").touch()
    publish(made(tmp_path / "new", "next"), tmp_path / "act04")
    assert (tmp_path / "act04/index.html").read_text() == "next"
    file, final = tmp_path / "file", tmp_path / "act04.pptx"
    for text in ("one", "two", "three"):
        file.write_text(text)
        publish(file, final)
        assert final.read_text() == text
    final.write_text("edited")
    file.write_text("four")
    with pytest.raises(UsageError, match=r"act04\.pptx was edited since it was made; move it away"):
        publish(file, final)
    assert final.read_text() == "edited"


def test_a_render_is_refused_before_it_draws(tmp_path):
    (tmp_path / "act01").mkdir()
    (tmp_path / "act01/notes.txt").write_text("mine")
    for name in ("act01.webm", "act01-change.gif", "act01-change.png", "act01-change.mp4"):
        (tmp_path / name).write_text("mine")
    house, _ = rendered_house()
    tiny = ["act01", "--quality", "tiny", "--out", tmp_path]
    for code, out, errors in calls(house, tiny, [*tiny, "--gif", "change"],
                                   [*tiny, "--still", "change"], [*tiny, "--beat", "change"]):
        assert (code, out) == (2, "") and "was not made here; move it away" in errors
    assert (tmp_path / "act01/notes.txt").read_text() == "mine"
    assert not (tmp_path / ".studio/segments").exists()
