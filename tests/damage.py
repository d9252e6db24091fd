"""Random damage to a trace: one fact changed, and the file made well-formed, summed and sealed
again, as somebody would do who wants to deceive."""

import copy
import re
from dataclasses import replace

from traces.files import dump
from traces.kinds._facts import totals
from traces.schema import Event

PARTS = ("provenance", "config", "workload")


def damaged(trace, rng, folder):
    """Write the trace with one fact changed: an event dropped, doubled, moved, or one value.

    Returns where (a path such as ``step.us.samples``, or drop, double, swap), old and new, and
    the file; None where the change changes nothing.
    """
    facts = {part: copy.deepcopy(dict(getattr(trace.header, part))) for part in PARTS}
    raw = trace.events[:-1] if trace.events[-1].name == "totals" else trace.events
    events = facts["events"] = [[e.name, copy.deepcopy(dict(e.fields))] for e in raw]
    place, kind = rng.randrange(len(events)), rng.choice(["drop", "double", "swap", *["value"] * 9])
    what = kind, events[place][0]
    if kind == "drop":
        del events[place]
    elif kind == "double":
        events.insert(place, copy.deepcopy(events[place]))
    elif kind == "swap":
        if not place or events[place] == events[place - 1]:
            return None
        events[place - 1:place + 1] = events[place], events[place - 1]
    elif (what := change(facts, rng)) is None:
        return None
    header = replace(trace.header, **{part: facts[part] for part in PARTS})
    made = [Event(0, *event) for event in events]
    if len(raw) < len(trace.events):
        made.append(totals(header, made))
    return what, dump(folder / trace.id / "trace.jsonl", header, made)


def change(facts, rng):
    """Change one leaf somewhere, half of the time in the header; where, and old and new."""
    part = rng.choice(["events"] * 3 + [*PARTS])
    leaves = list(paths(facts[part]))
    if not leaves:
        return None
    *way, last = rng.choice(leaves)
    holder = facts[part]
    for key in way:
        holder = holder[key]
    old = holder[last]
    holder[last] = other(old, rng)
    return None if holder[last] == old and type(holder[last]) is type(old) else (
        name_of(facts, part, [*way, last]), old, holder[last])


def name_of(facts, part, way):
    """``events``: the event's name and its fields; positions in lists are left out."""
    if part == "events":
        index, *way = way
        way = [facts["events"][index][0] if way[0] else "event", *way[1:]]
    else:
        way = [part, *way]
    return re.sub(r"\.(\d+)(?=\.|$)", "", ".".join(map(str, way)))


def paths(value, way=()):
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list | tuple):
        items = enumerate(value)
    else:
        yield way
        return
    for key, item in items:
        yield from paths(item, (*way, key))


def other(value, rng):
    """Another value, now and then of another type."""
    if rng.random() < 0.1:
        return rng.choice([None, "x", -1, 1.5, [], {}, True])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 7])
    if isinstance(value, float):
        return round(value * 1.1 + 0.1, 3)
    return value + "x" if isinstance(value, str) else 0
