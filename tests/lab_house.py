"""The page of act 04's lab, made once a run, and what is read off its picture."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from rendered_house import Watched

from scenes.stage import load_act
from studio.deliver.site_lab import build_lab
from traces import EngineConfig, Workload, play, toy_request
from traces.seats import IDLE, continuous_seating, request_shares

LAB = load_act("act04").lab


@cache
def built_lab() -> Path:
    """The folder of the page, with nothing rendered."""
    root = Path(tempfile.mkdtemp(prefix="lab-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return build_lab("act04", root / "the lab #1").parent


def opened(settings: str = "", base: str | None = None, search: str = "", **context) -> Watched:
    """The page at these settings ("budget=8&step=3"), at one of its own addresses."""
    return Watched(f"{base or built_lab().as_uri()}/act04.lab.html{search}#{settings}", **context)


def reference(params, memory):
    """The reference model's run of a lab's settings, and its workload."""
    lists = zip(params.prompts, params.max_tokens, params.arrivals)
    workload = Workload(tuple(
        toy_request(k, *values, shared=tuple(range(min(memory.shared, values[0]))))
        for k, values in enumerate(lists)))
    config = EngineConfig(memory.block_size, memory.num_blocks, params.budget,
                          params.max_num_seqs)
    return play(workload, config, allow_stuck=True), workload


# Of every column: its phase, the kind and text of each request's cell, the empty seats.
READ = """() => [...document.querySelectorAll("#lab-scroll svg > g")].map(column => ({
    phase: column.querySelector(".band")?.classList[1] ?? "",
    cells: [...column.querySelectorAll(".cell:not(.idle)")].map(cell => [cell.classList[1],
      cell.querySelector("text")?.textContent ?? ""]),
    idle: +(column.querySelector(".seats")?.textContent ?? 0) }))"""


def drawn(page):
    """The timeline as it stands in the page."""
    return page.evaluate(READ)


def expected(trace, workload, cap):
    """The timeline as the run has it."""
    shares = request_shares(trace.steps, workload)
    seats = continuous_seating(trace.steps, cap).seats if trace.steps else ()
    columns = [{"phase": step.phase, "idle": sum(row[k] == IDLE for row in seats),
                "cells": [_cell(step, share, r.name) for r in workload.requests]}
               for k, (step, share) in enumerate(zip(trace.steps, shares))]
    if trace.stuck:
        left = (*trace.last.waiting, *trace.last.running)
        columns.append({"phase": "", "idle": 0, "cells": [
            ["wait" if r.name in left else "place", ""] for r in workload.requests]})
    return columns


def _cell(step, shares, name):
    if share := shares.get(name):
        return [share.kind, str(share.tokens) if share.kind == "prefill" else ""]
    if name in step.preempted:
        return ["preempt", ""]
    unfinished = name in step.planned and step.planned[name].status != "finished"
    return ["wait" if unfinished else "place", ""]
