"""A readable summary of a trace, as plain lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from traces.contrast import finish_steps, first_token_steps
from traces.step import Step
from traces.trace import Trace

__all__ = ["one_line", "summary"]

_MOST = 60  # steps or blocks shown


def one_line(trace: Trace) -> str:
    """Id, kind, origin and size."""
    steps = f"{len(trace.steps)} steps" if trace.header.kind == "scheduling" else ""
    return (f"{trace.id:26} {trace.header.kind:20} {trace.header.origin:15} "
            f"{len(trace.events):5} events  {steps}")


def summary(trace: Trace) -> Iterator[str]:
    """Provenance and settings; for ``scheduling`` also requests, steps and blocks."""
    head = trace.header
    yield f"{head.id}: {head.kind}, {head.origin}, {len(trace.events)} events"
    for title, values in (("provenance", head.provenance), ("config", head.config)):
        yield f"{title}"
        yield from (f"  {key}: {value}" for key, value in values.items() if value is not None)
    if head.kind == "scheduling":
        yield from _requests(trace)
        yield from _steps(trace.steps)
        if trace.stuck:
            yield "  stuck: nothing can run, the engine's own assertion fails here"
        yield from _blocks(trace)
    else:
        yield "events"
        for name, count in Counter(event.name for event in trace.events).items():
            fields = next(event for event in trace.events if event.name == name).fields
            yield f"  {count:5} × {name}: {', '.join(fields)}"


def _requests(trace: Trace) -> Iterator[str]:
    first, finish = first_token_steps(trace.steps), finish_steps(trace.steps)
    preempted = Counter(name for step in trace.steps for name in step.preempted)
    yield "requests   prompt  outputs  arrival  first token  finished  preempted"
    for r in trace.workload.requests:
        yield (f"  {r.name:8} {len(r.prompt):6} {len(r.outputs):8} {r.arrival:8} "
               f"{first.get(r.name, '-'):>12} {finish.get(r.name, '-'):>9} "
               f"{preempted[r.name]:>10}")


def _steps(steps: tuple[Step, ...]) -> Iterator[str]:
    yield "steps"
    for step in steps[:_MOST]:
        parts = " ".join(f"{p.request}[{p.start}:{p.start + p.count}]{'✂' if p.is_chunk else ''}"
                         for p in step.scheduled)
        notes = [f"{word} {' '.join(names)}" for word, names in (
            ("+", step.arrived), ("preempts", step.preempted), ("hit by", tuple(
                f"{a.request} {list(a.hit)}" for a in step.allocated if a.hit)),
            ("overwrites", tuple(str(p.overwrites) for p in step.published
                                 if p.overwrites is not None)),
            ("ends", step.finished)) if names]
        yield f"  {step.index:3} {step.phase:8} {step.used:5}/{step.budget}  {parts}  " \
              f"{' · '.join(notes)}".rstrip()
    if len(steps) > _MOST:
        yield f"  … {len(steps) - _MOST} more"


def _blocks(trace: Trace) -> Iterator[str]:
    """Who held each block, step by step."""
    states = trace.states[1:]
    used = [b for b in range(trace.config.num_blocks) if any(s.pool.refs[b] for s in states)]
    yield f"blocks: {len(used)} of {trace.config.num_blocks} were ever held; after each step"
    for block in used[:_MOST]:
        line = "".join((holders[0] if len(holders) == 1 else str(len(holders))) if (
            holders := state.holders(block)) else "#" if state.pool.hittable(block) else "."
            for state in states[:120])
        yield f"  {block:4}  {line}"
    yield "  (a name or the number of holders; # free, still hittable; . free)"
