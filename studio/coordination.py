"""What a beat costs the machine that asks a cluster, and the one that draws it.

`python -m studio.coordination act04 --quality uhd` draws a film's beats as a cluster's worker
does, takes each back as the asking machine does, joins a film of them, and plans a course of many
films: seconds of processor time are measured, hours are reckoned from them.
"""

import resource
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from studio.console import make_order, plain_errors
from studio.deliver.mux import mux
from studio.deliver.package import package
from studio.render.cluster import take_back
from studio.render.order import Order
from studio.render.plan import RenderPlan
from studio.render.pool import Segments
from studio.render.remote import Request, States, draw_beat, find_states
from studio.render.store import Segment, Store

__all__ = ["Cost", "measure_cost"]

_HERE, _CHILDREN = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN


@dataclass(frozen=True)
class Cost:
    """Seconds of processor time for one film of an act, and the bytes that travel for it."""

    beats: int
    states: float  # to find its snapshots, a worker's
    drawing: float  # of its beats, the workers'
    taking: float  # its beats back, the asking machine's
    joining: float  # its plan, and film, clips and package, the asking machine's
    received: int

    def hours(self, films: int, cores: int) -> float:
        """For so many films: workers share the cores, the asking machine does its part alone."""
        return films * max((self.states + self.drawing) / cores, self.taking + self.joining) / 3600


def measure_cost(order: Order) -> Cost:
    """Draw an order beat by beat as a worker does, and take every beat back."""
    begun = _seconds(_HERE)
    plan = RenderPlan.of(order)
    planning = _seconds(_HERE) - begun
    last = len(plan.plan.beats) - 1
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        store = Store(scratch / "store")
        start = _seconds(_CHILDREN)
        states = find_states(Request(order, last, plan.keys.sources))
        found = _seconds(_CHILDREN)
        segments, taking, received = list[Segment](), 0.0, 0
        for index in range(last + 1):
            drawn = draw_beat(_request(plan, index, states))
            before, key = _seconds(_HERE), plan.keys.segment(index, states.hashes[index])
            take_back(drawn, key, plan.frames(index), store, scratch)
            taking += _seconds(_HERE) - before
            segments += filter(None, [store.get(key)])
            received += sum(map(len, drawn.files.values()))
        drawing, before = _seconds(_CHILDREN) - found, _seconds(_HERE)
        package(mux(Segments(plan.job().proved(), tuple(segments)), scratch / "film"))
        joining = planning + _seconds(_HERE) - before
    return Cost(last + 1, found - start, drawing, taking, joining, received)


def _request(plan: RenderPlan, index: int, states: States) -> Request:
    state = states.hashes[index]
    return Request(plan.order, index, plan.keys.sources, states.hashes[:index + 1],
                   states.packed[state])


def _seconds(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def main(act: str, quality: str = "uhd", films: int = 13 * 2 * 2 * 20,
         cores: Annotated[str, typer.Option(help="cores to plan for")] = "2,64,1000") -> None:
    """Measure one film of an act, beat by beat, and plan `films` of them."""
    with plain_errors():
        cost = measure_cost(make_order(act, quality))
        print(f"{act} {quality}, {cost.beats} beats, seconds of processor time:\n"
              f"  workers: {cost.states:.1f} for the snapshots, "
              f"{cost.drawing / cost.beats:.1f} a beat\n"
              f"  asking machine: {cost.taking / cost.beats:.3f} a beat of "
              f"{cost.received / cost.beats / 1e6:.1f} MB, {cost.joining:.1f} a film\n"
              f"{films} such films:")
        for count in map(int, cores.split(",")):
            print(f"  {count:5} cores: {cost.hours(films, count):7.1f} hours")
        limit = (cost.states + cost.drawing) / (cost.taking + cost.joining)
        print(f"The asking machine is the limit above {limit:.0f} cores.")


if __name__ == "__main__":
    typer.run(main)
