"""Views: recorded states in, animations out; each picture is a twin of the trace."""

from scenes.views.request import CountersView, RequestView, token_key, token_looks
from scenes.views.scheduler import SchedulerView
from scenes.views.timelines import PHASE_ROLES, phase_timeline, request_timeline, slot_timeline

__all__ = ["PHASE_ROLES", "CountersView", "RequestView", "SchedulerView", "phase_timeline",
           "request_timeline", "slot_timeline", "token_key", "token_looks"]
