"""Recorded state in, animation out: pictures that are twins of a trace's states."""

from scenes.views.block_pool import BlockPoolView
from scenes.views.block_table import BlockTableView
from scenes.views.cache import physical_looks, table_looks
from scenes.views.engine_loop import EngineLoop, stage_outputs
from scenes.views.engine_map import NODES, EngineMap
from scenes.views.kv_cells import CachedToken, KvCells
from scenes.views.request import token_looks
from scenes.views.request_line import RequestLine
from scenes.views.threads import threads

__all__ = ["NODES", "BlockPoolView", "BlockTableView", "CachedToken", "EngineLoop", "EngineMap",
           "KvCells", "RequestLine", "physical_looks", "stage_outputs", "table_looks", "threads",
           "token_looks"]
