"""Beats drawn by a Dask cluster of two real workers: the same bytes, also when one is killed."""

import json
import shutil
import subprocess
import sys
import time

import psutil
import pytest
from rendered_house import rendered_house
from studio_house import call, command

from studio.coordination import Cost
from studio.errors import RenderError
from studio.render.cluster import take_back
from studio.render.remote import Drawn
from studio.render.store import Store

pytest.importorskip("distributed", reason="needs: pip install -e '.[cluster]'")
ALL = ("all", "--quality", "tiny", "--voice", "none")


def dask(house, what, *arguments):
    return subprocess.Popen([sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments],
                            cwd=house, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until(holds, what):
    deadline = time.monotonic() + 100
    while not (found := holds()):
        assert time.monotonic() < deadline, what
        time.sleep(0.05)
    return found


class Cluster:
    """A scheduler and its workers, processes of this machine, run from the project's folder."""

    def __init__(self, house, folder):
        self._file, self._processes = folder / "scheduler.json", []
        self._processes.append(dask(house, "scheduler", "--port", "0", "--dashboard-address",
                                    ":0", "--scheduler-file", str(self._file)))
        until(lambda: self._file.exists() and self._file.read_text(), "no scheduler")
        self.address = json.loads(self._file.read_text())["address"]

    def worker(self, house):
        self._processes.append(dask(
            house, "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"))
        return self._processes[-1]

    def ready(self, count):
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

    def close(self):
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(rendered_house()[0], tmp_path)
    yield cluster
    cluster.close()


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in folder.rglob("*") if p.is_file()}


def test_two_workers_one_killed_give_the_local_film(cluster, tmp_path):
    house, media = rendered_house()
    one, _ = cluster.worker(house), cluster.worker(house)
    cluster.ready(2)
    render = subprocess.Popen(
        command(*ALL, "--cluster", cluster.address, "--out", tmp_path / "out"), cwd=house,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    drawing = until(psutil.Process(one.pid).children, "the first worker draws nothing")
    one.kill()
    _, errors = render.communicate(timeout=180)
    assert render.returncode == 0, errors
    assert contents(tmp_path / "out/act01") == contents(media / "act01")
    until(lambda: not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE
                          for process in drawing), "a drawing outlived its worker")


def test_a_worker_of_other_sources_and_a_missing_scheduler_are_one_line(cluster, tmp_path):
    house, _ = rendered_house()
    other = shutil.copytree(house, tmp_path / "other")
    with (other / "scenes/kit/base/theme.py").open("a") as file:
        file.write("\nOTHER = 1\n")
    nobody = call(house, *ALL, "--cluster", cluster.address, "--out", tmp_path / "out")
    assert nobody.returncode == 1 and "has no workers yet" in nobody.stderr
    cluster.worker(other)
    cluster.ready(1)
    done = call(house, *ALL, "--cluster", cluster.address, "--out", tmp_path / "out")
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "other files or packages" in done.stderr and "./setup.sh there" in done.stderr
    assert not (tmp_path / "out/act01").exists()
    absent = call(house, *ALL, "--cluster", "nonsense:1", "--out", tmp_path / "out")
    assert absent.returncode == 2 and absent.stderr.count("\n") == 1, absent.stderr
    assert "no scheduler answers there" in absent.stderr


def test_only_what_its_worker_had_decoded_is_taken_back(tmp_path):
    store = Store(tmp_path / "store")
    made = Drawn.of(dict.fromkeys(("film.mp4", "first.png", "last.png"), b"film"))
    take_back(made, "whole", 3, store, tmp_path)
    assert (store.get("whole").folder / "film.mp4").read_bytes() == b"film"
    for files, said in (({**made.files, "last.png": b"filn"}, "damaged on the way"),
                        ({"film.mp4": b"film"}, "damaged on the way"),
                        ({"../film.mp4": b"film"}, "something else")):
        with pytest.raises(RenderError, match=said):
            take_back(Drawn(files, made.digest), "bad", 3, store, tmp_path)
    assert store.get("bad") is None


def test_many_cores_help_until_the_asking_machine_is_busy():
    cost = Cost(beats=10, states=10, drawing=350, taking=0.5, joining=1.5, received=1)
    assert cost.hours(10, 2) == pytest.approx(0.5)
    assert cost.hours(10, 180) == cost.hours(10, 1000) == pytest.approx(20 / 3600)
