"""An order with its plan and cache keys, and the jobs made of it: frozen, picklable."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenes.stage import Plan
from studio.render.keys import CacheKeys
from studio.render.order import Order
from studio.render.proofs import plan_and_traces, proved

__all__ = ["Job", "RenderPlan"]


@dataclass(frozen=True)
class RenderPlan:
    """What is to be drawn of one variant of an act, beat by beat.

    `loaded`: the ids of all traces that it is told from; `traces`: their digests, once proved.
    """

    order: Order
    plan: Plan
    keys: CacheKeys
    loaded: frozenset[str] = frozenset()
    traces: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, order: Order) -> "RenderPlan":
        """Plan an order; raises ParamError, WordsError, RenderError for an edited trace."""
        plan, loaded = plan_and_traces(order)
        return cls(order, plan, CacheKeys(order, plan), loaded)

    @property
    def variant(self) -> str:
        """Name of the variant's folder and files."""
        return self.order.variant(self.plan)

    def frames(self, index: int) -> int:
        """Frames of a beat."""
        return self.plan.beats[index].frames(self.order.fps)

    def job(self, names: Iterable[str] | None = None) -> "Job":
        """The job of drawing the named beats, or all; raises UsageError for an unknown one."""
        if names is None:
            return Job(self, tuple(range(len(self.plan.beats))))
        return Job(self, tuple(sorted(self.order.beat_index(self.plan, name) for name in names)))


@dataclass(frozen=True)
class Job:
    """Beats of one act, by index, of which segments are wanted."""

    render_plan: RenderPlan
    beats: tuple[int, ...]

    @property
    def frames(self) -> int:
        """Frames of all these beats."""
        return sum(map(self.render_plan.frames, self.beats))

    def proved(self, kept: Path | None = None) -> "Job":
        """The same once every trace is proved, or found so in `kept`; raises RenderError."""
        plan = self.render_plan
        return replace(self, render_plan=replace(plan, traces=proved(plan.loaded, kept)))
