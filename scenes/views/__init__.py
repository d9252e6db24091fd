"""Recorded state in, animation out: pictures that are twins of a trace's states."""

from scenes.views.block_pool import BlockPoolView
from scenes.views.block_table import BlockTableView
from scenes.views.cache import physical_looks, table_looks
from scenes.views.engine_map import NODES, EngineMap
from scenes.views.request import token_looks
from scenes.views.request_line import RequestLine
from scenes.views.threads import threads

__all__ = ["NODES", "BlockPoolView", "BlockTableView", "EngineMap", "RequestLine",
           "physical_looks", "table_looks", "threads", "token_looks"]
