"""Traces in folders of their own, for tests."""

import shutil

from traces.__main__ import main
from traces.files import DATA


def copied(name, folder):
    """A trace's file in a folder of its own, without a lock."""
    path = folder / name / "trace.jsonl"
    path.parent.mkdir(parents=True)
    shutil.copyfile(DATA / name / "trace.jsonl", path)
    return path


def one_line(path, capsys):
    assert main(["verify", str(path)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Traceback" not in error
    return error
