"""`doctor` says what is amiss and the line that mends it; nothing makes it stumble."""

import importlib.machinery
from types import SimpleNamespace

import pytest

from studio.render import sealed
from studio.tools import doctor


def told(out):
    lines, incomplete = doctor.doctor(out)
    return "\n".join(lines), incomplete


def test_a_sound_machine_lacks_nothing(tmp_path):
    text, incomplete = told(tmp_path)
    assert not incomplete, text
    for words in ("libx264", "fonts: Inter, JetBrains Mono, Noto Sans CJK SC", "clock: ",
                  "kept in", "GB free", "manim: no other one", "voice hibari (en)",
                  "voice kokoro (zh)"):
        assert words in text


def kept(out):
    sealed.write(out / ".studio/snapshots/key", "key", b"state")


AMISS = {
    "clock": (lambda patch, out: patch.setattr(doctor.time, "time", lambda: 0.0),
              ", earlier than files that are here", "timedatectl"),
    "cache": (lambda patch, out: (kept(out), patch.setattr(doctor, "LIMIT", 3)),
              "kept in", "render.py clean --out"),
    "disk": (lambda patch, out: patch.setattr(
        doctor.shutil, "disk_usage", lambda _: SimpleNamespace(free=5 << 20)),
        "5 MB free", "make room"),
    "manims": (lambda patch, out: patch.setattr(
        doctor, "find_spec", lambda name: importlib.machinery.ModuleSpec(name, None)
        if name == "manimlib" else None), "another manim beside ours: manimlib",
        "pip uninstall manimlib"),
    "fonts": (lambda patch, out: patch.setattr(doctor, "FAMILIES", {"serif": "Nothing"}),
              "fonts: KeyError", "setup.sh"),
    "package": (lambda patch, out: patch.setattr(doctor, "version", lambda name: "0.0.1"),
                "manim 0.0.1: ==0.22.* is needed", "setup.sh"),
}


@pytest.mark.parametrize("what", AMISS)
def test_what_is_amiss_is_told_with_its_remedy(what, tmp_path, monkeypatch):
    break_, words, remedy = AMISS[what]
    break_(monkeypatch, tmp_path)
    text, incomplete = told(tmp_path)
    assert incomplete
    fault = text[text.index(words):]
    assert remedy in fault.splitlines()[1] and fault.splitlines()[1].startswith("    fix: ")


def test_a_folder_below_a_file_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    text, incomplete = told(tmp_path / "file" / "media")
    assert incomplete and "file: Not a directory" in text
