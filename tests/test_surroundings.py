"""The command line in odd surroundings: other folders, terminals, signals, machines."""

import os
import subprocess
import sys
import tempfile

import pytest
from studio_house import build, calls, command

from studio.errors import StudioError, one_line


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("house"))


def test_version_and_help(house):
    version, every, one = calls(house, ["--version"], ["help"], ["help", "deck"])
    assert version[0] == 0 and "visible-inference" in version[1] and "manim 0.22" in version[1]
    assert every[0] == 0 and "verify" in every[1] and one[0] == 0 and "--format" in one[1]


WRONG = [
    (["act01", "--set", "count=3", "--set", "count=4"], "count is set twice"),
    *((["act01", "--set", f"count={number}"], "int 2..8") for number in ("３", "+3", "0_3", " 3")),
    (["act01", "--beat", "change", "--still", "change"], "only one of --beat and --still"),
    (["act01", "--gif", "change", "--still", "change"], "only one of --still and --gif"),
    (["act01", "--out", ""], "folder"),
    (["act01", "--beat", "xyzzy"], "opening, build-row, change, remember"),
    (["watch", "act01", "--lang", "de"], "en, zh"),
]


def test_wrong_usage_is_refused(house):
    for (arguments, words), (code, out, errors) in zip(WRONG, calls(house, *[
            arguments for arguments, _ in WRONG])):
        assert (code, out) == (2, "") and words in errors, (arguments, errors)


def test_nothing_of_the_current_folder_is_run_and_odd_surroundings_are_no_fault(house, tmp_path):
    """Modules of our names, TMPDIR too long for a socket, no PATH, a folder with a colon."""
    for name in ("studio", "av", "manim", "signal"):
        (tmp_path / f"{name}.py").write_text("open('was-run', 'w')\nraise SystemExit('poison')\n")
    deep = tmp_path / ("t" * 90)
    deep.mkdir()
    done = subprocess.run(
        [sys.executable, str(house / "render.py"), "act01", "--quality", "tiny", "--beat",
         "opening", "--out", "talk:1"], cwd=tmp_path, env={"TMPDIR": str(deep)}, text=True,
        capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "talk:1/act01-opening.mp4").is_file()
    assert not (tmp_path / "was-run").exists()


def test_what_a_terminal_cannot_show_is_spelled(house, tmp_path):
    out = tmp_path / "演示"
    done = subprocess.run(command("act01", "--quality", "tiny", "--still", "opening", "--out", out),
                          cwd=house, env={**os.environ, "PYTHONIOENCODING": "ascii"},
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert b"\\u6f14\\u793a/act01-opening.png" in done.stdout
    assert (out / "act01-opening.png").is_file()


def test_a_reader_who_has_enough_is_no_error(house):
    done = subprocess.run(["bash", "-c", f"{sys.executable} render.py list | true; "
                                         "echo ${PIPESTATUS[0]}"],
                          cwd=house, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_deleted_folder_is_one_line(house):
    with tempfile.TemporaryDirectory() as gone:
        done = subprocess.run(
            ["bash", "-c", f"cd {gone}; rmdir {gone}; exec {sys.executable} {house}/render.py "
                           "act01 --quality tiny --beat opening"],
            capture_output=True, text=True, timeout=120)
        os.mkdir(gone)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr, done.stderr


def test_python_without_the_packages_says_what_to_run(house):
    done = subprocess.run([sys.executable, "-S", "-I", "render.py"], cwd=house,
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr == "render.py: typer is missing: run ./setup.sh, then use .venv/bin/python\n"


def test_a_message_names_the_author_s_line_and_a_failing_machine_its_memory():
    assert one_line(MemoryError()).startswith("not enough memory")
    assert one_line(StudioError("no film; render it"), "opening") == \
        "beat opening: no film; render it"
    with pytest.raises(SyntaxError) as caught:
        compile("a = (", "scenes/act09_x/beats.py", "exec")
    assert one_line(caught.value) == "scenes/act09_x/beats.py:1: '(' was never closed"
