"""Drive an engine through a workload: who is added before which step."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from traces.workload import Request, Workload

__all__ = ["drive"]


def drive(workload: Workload, add: Callable[[Request], None], step: Callable[[], object],
          busy: Callable[[], bool]) -> int:
    """Run a workload to its end; returns the number of engine steps.

    Requests whose arrival is at most k are added before step k. An engine without work takes no
    step: the next arrival then comes before the next step.
    """
    coming, clock = deque(workload.by_arrival), 0
    while coming or busy():
        now = clock if busy() else max(clock, coming[0].arrival)
        while coming and coming[0].arrival <= now:
            add(coming.popleft())
        step()
        clock += 1
    return clock
