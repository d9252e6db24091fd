"""The README's commands exist, and the files that it names are there."""

import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = sorted(set(re.findall(r"\.venv/bin/python (render\.py [^\n#`]+)", README)))


@cache
def help_of(command):
    done = subprocess.run([sys.executable, "render.py", command, "--help"], cwd=ROOT, text=True,
                          capture_output=True, env={"COLUMNS": "200", "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("line", LINES)
def test_a_command_of_the_readme_has_its_options(line):
    _, first, *rest = shlex.split(line)
    command = "act" if re.fullmatch(r"act\d\d", first) else first
    missing = [word for word in rest if word.startswith("--") and word not in help_of(command)]
    assert not missing, f"{command} has no {missing}"


def test_the_files_that_the_readme_names_exist():
    named = re.findall(r"\]\((docs/[^)]+)\)", README)
    assert named and all((ROOT / path).is_file() for path in named)
