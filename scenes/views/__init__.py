"""Recorded state in, animation out: pictures that are twins of a trace's states."""

from scenes.views.block_pool import BlockPoolView
from scenes.views.block_table import BlockTableView
from scenes.views.cache import physical_looks, table_looks
from scenes.views.engine_map import NODES, EngineMap
from scenes.views.request import CountersView, RequestView, token_key, token_looks
from scenes.views.scheduler import SchedulerView
from scenes.views.threads import threads
from scenes.views.timelines import request_timeline, slot_timeline, token_stacks

__all__ = ["NODES", "BlockPoolView", "BlockTableView", "CountersView", "EngineMap", "RequestView",
           "SchedulerView", "physical_looks", "request_timeline", "slot_timeline", "table_looks",
           "threads", "token_key", "token_looks", "token_stacks"]
