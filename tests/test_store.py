"""The store gives what was kept for a key, or nothing: every poison, and 500 random ones."""

import os
import random
import shutil

import pytest

from studio.errors import RenderError
from studio.render import sealed
from studio.render.lease import LOCK
from studio.render.store import Store

KEYS = [f"{k:032x}" for k in range(4)]


def segment(store, key, tag=b""):
    """Keep a segment that tells its key by its contents."""
    folder = store.root / f"new-{key}"
    folder.mkdir(parents=True)
    for name in ("film.mp4", "first.png", "last.png"):
        (folder / name).write_bytes(b"%b of %b" % (name.encode(), key.encode()))
    store.put(key, folder, int(key, 16) + 7)


@pytest.fixture
def store(tmp_path):
    store = Store.beside(tmp_path)
    for key in KEYS:
        segment(store, key)
        sealed.write(store.root / "snapshots" / key, key, b"state after " + key.encode())
    return store


def right(store, key):
    """Whether a key gives its own contents; nothing else may come but nothing."""
    found, state = store.get(key), sealed.read(store.root / "snapshots" / key, key)
    assert state in (None, b"state after " + key.encode())
    if found:
        assert found.frames == int(key, 16) + 7
        assert found.film.read_bytes() == b"film.mp4 of " + key.encode()
        assert (found.folder / "last.png").read_bytes() == b"last.png of " + key.encode()
    return bool(found), bool(state)


def heals(store):
    """What was lost can be kept again, and is then whole."""
    for key in KEYS:
        found, state = right(store, key)
        if not found:
            segment(store, key)
        if not state:
            sealed.write(store.root / "snapshots" / key, key, b"state after " + key.encode())
        assert right(store, key) == (True, True)


def exchange(one, other):
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


def in_place_of(path, make):
    sealed.discard(path)
    make(path)


SEGMENT, STATE = f"segments/{KEYS[0]}", f"snapshots/{KEYS[0]}"
POISONS = {
    "state with NUL": lambda root: (root / STATE).write_bytes(b"\0" * 32),
    "state that is no text": lambda root: (root / STATE).write_bytes(b"\xff\xfe" * 16),
    "empty state": lambda root: (root / STATE).write_bytes(b""),
    **{f"entry {text}": lambda root, text=text: (root / SEGMENT / "entry.json").write_text(text)
       for text in ("[]", "7", '{"frames": null}', '{"frames": -3, "sha256": {}}', "[" * 9999)},
    "file for a segment": lambda root: in_place_of(root / SEGMENT, lambda p: p.write_text("x")),
    "file for all segments": lambda root: in_place_of(root / "segments",
                                                      lambda p: p.write_text("x")),
    "file for all states": lambda root: in_place_of(root / "snapshots",
                                                    lambda p: p.write_text("x")),
    "folder for a state": lambda root: in_place_of(root / STATE, lambda p: (p / "in").mkdir(
        parents=True)),
    "folder for a film": lambda root: in_place_of(root / SEGMENT / "film.mp4", os.mkdir),
    "pipe for a state": lambda root: in_place_of(root / STATE, os.mkfifo),
    "pipe for a picture": lambda root: in_place_of(root / SEGMENT / "last.png", os.mkfifo),
    "link to nothing": lambda root: in_place_of(root / SEGMENT, lambda p: p.symlink_to("gone")),
    "link to itself": lambda root: in_place_of(root / STATE, lambda p: p.symlink_to(p.name)),
    "two segments exchanged": lambda root: exchange(root / SEGMENT, root / "segments" / KEYS[1]),
    "two states exchanged": lambda root: exchange(root / STATE, root / "snapshots" / KEYS[1]),
    "two films exchanged": lambda root: exchange(root / SEGMENT / "film.mp4",
                                                 root / "segments" / KEYS[1] / "film.mp4"),
    "unreadable": lambda root: (root / STATE).chmod(0),
}


@pytest.mark.parametrize("poison", POISONS)
def test_a_poisoned_entry_is_thrown_away_and_made_anew(store, poison):
    POISONS[poison](store.root)
    heals(store)


def damage(chance, root):
    """One random harm to one random file."""
    files = [path for path in root.rglob("*") if path.is_file() and path.name != LOCK]
    path = chance.choice(files)
    data = bytearray(path.read_bytes() or b"x")
    kind = chance.randrange(7)
    if kind == 0:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
    elif kind == 1:
        path.write_bytes(data[:chance.randrange(len(data))])
    elif kind == 2:
        path.write_bytes(data + chance.randbytes(chance.randrange(1, 40)))
    elif kind == 3:
        path.write_bytes(chance.randbytes(len(data)))
    elif kind == 4:
        path.unlink()
    elif kind == 5:
        shutil.copyfile(chance.choice(files), root / "copy")
        (root / "copy").rename(path)
    else:
        in_place_of(path, os.mkdir)


def test_five_hundred_random_poisons_give_no_other_contents(store):
    chance = random.Random(0)
    for _ in range(500):
        damage(chance, store.root)
        heals(store)


def test_scratch_of_the_dead_goes_and_that_of_the_living_stays(tmp_path):
    left = tmp_path / ".studio" / "tmp-of-a-killed-render"
    left.mkdir(parents=True)
    with Store.beside(tmp_path).scratch() as one:
        assert not left.exists()
        with Store.beside(tmp_path).scratch() as other:
            assert one.is_dir() and other.is_dir()
        with pytest.raises(RenderError, match="a render is at work"):
            Store.beside(tmp_path).clear()
        assert one.is_dir()
    assert not (tmp_path / ".studio").exists()


def test_clear_counts_what_is_gone_and_says_what_stays(store, monkeypatch):
    size = sum(path.stat().st_size for path in store.root.rglob("*") if path.is_file())
    monkeypatch.setattr(sealed, "discard", lambda path: None)
    with pytest.raises(RenderError, match="cannot be removed"):
        store.clear()
    monkeypatch.undo()
    assert store.clear() == size and not store.root.exists()


def test_another_user_has_a_store_of_their_own(store, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert Store.beside(store.root.parent).root.name == ".studio-12345"
