"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.geometry import FRAME, STAGE, px
from scenes.kit.base.callout import Callout
from scenes.kit.base.caption import caption
from scenes.kit.base.cross import cross
from scenes.kit.base.derivation import Derivation
from scenes.kit.base.fit import fit
from scenes.kit.base.flow import Node, arc, arrow, span
from scenes.kit.base.formula import Formula
from scenes.kit.base.frame import Frame
from scenes.kit.base.gather import carry, gather
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.in_turn import in_turn
from scenes.kit.base.legend import Legend
from scenes.kit.base.motion import come, fly, leave, replace
from scenes.kit.base.spans import Spans
from scenes.kit.base.text import (
    BODY,
    CODE,
    FIGURE,
    LEAD,
    NOTE,
    SHAPE,
    SMALL,
    Label,
    Paragraph,
    Style,
    number,
    shape_text,
)
from scenes.kit.base.theme import REQUESTS, mix, paint, request_roles
from scenes.kit.base.titles import Remember, TitleCard
from scenes.kit.base.zoom import Zoom
from scenes.kit.chart.area import Area
from scenes.kit.chart.bars import Bars
from scenes.kit.chart.curve import Curve
from scenes.kit.chart.dial import Dial
from scenes.kit.chart.factors import FactorChain
from scenes.kit.chart.grouped import GroupedBars
from scenes.kit.chart.histogram import Histogram
from scenes.kit.chart.lane import Lane
from scenes.kit.chart.race import Race
from scenes.kit.chart.split import SplitBars
from scenes.kit.chart.timeline import Cell, Key, Timeline, pause
from scenes.kit.chart.token_stacks import TokenStacks
from scenes.kit.engine.batch import RaggedBatch
from scenes.kit.engine.block import BlockLook, CacheBlock, tag
from scenes.kit.engine.board import Board, Panel, RequestRow
from scenes.kit.engine.chips import Chip, Chips, place, visible
from scenes.kit.engine.gauge import Gauge, Readout
from scenes.kit.engine.kv import KVBar, KVCell, KVKey, Slot
from scenes.kit.engine.metric import Metric
from scenes.kit.engine.queue import IdQueue
from scenes.kit.engine.stepper import Stepper
from scenes.kit.engine.tokens import TokenKey, TokenStrip, name_tag
from scenes.kit.look import LOOK
from scenes.kit.tensor.attention_flow import AttentionFlow
from scenes.kit.tensor.cache_row import CacheRow
from scenes.kit.tensor.grid import Grid, ring
from scenes.kit.tensor.heads import HeadTree
from scenes.kit.tensor.layers import LayerStack
from scenes.kit.tensor.pairs import PairedHead
from scenes.kit.tensor.plane import Plane, Spoke
from scenes.kit.tensor.product import (
    Contraction,
    Corner,
    ProductLine,
    bracketed,
    transposed,
)
from scenes.kit.tensor.projection import Projection
from scenes.kit.tensor.reading import ReadingStrip
from scenes.kit.tensor.rotary import RotaryPairs
from scenes.kit.tensor.rows import NamedRows, Row
from scenes.kit.tensor.scale import Part, ScaleBar
from scenes.kit.tensor.scores import MaskedScores, hide, query_key_axes, weight_arcs, weight_grid
from scenes.kit.tensor.stations import Station, Stations
from scenes.kit.tensor.stream import Box, Stream
from scenes.kit.tensor.trail import Trail, Waypoint
from scenes.kit.tensor.turn import Turn

__all__ = ["BODY", "CODE", "FIGURE", "FRAME", "LEAD", "LOOK", "NOTE", "REQUESTS", "SHAPE", "SMALL",
           "STAGE", "Area", "AttentionFlow", "Bars", "BlockLook", "Board", "Box", "CacheBlock",
           "CacheRow", "Callout", "Cell", "Chip", "Chips", "Contraction", "Corner", "Curve",
           "Derivation", "Dial", "FactorChain", "Formula", "Frame", "Gauge", "Grid", "GroupedBars",
           "Hatch", "HeadTree", "Histogram", "IdQueue", "KVBar", "KVCell", "KVKey", "Key", "Label",
           "Lane", "LayerStack", "Legend", "MaskedScores", "Metric", "NamedRows", "Node",
           "PairedHead", "Panel", "Paragraph", "Part", "Plane", "ProductLine", "Projection", "Race",
           "RaggedBatch", "ReadingStrip", "Readout", "Remember", "RequestRow", "RotaryPairs", "Row",
           "ScaleBar", "Slot", "Spans", "SplitBars", "Spoke", "Station", "Stations", "Stepper",
           "Stream", "Style", "Timeline", "TitleCard", "TokenKey", "TokenStacks", "TokenStrip",
           "Trail", "Turn", "Waypoint", "Zoom", "arc", "arrow", "bracketed", "caption", "carry",
           "come", "cross", "fit", "fly", "gather", "hide", "in_turn", "leave", "mix", "name_tag",
           "number", "paint", "pause", "place", "px", "query_key_axes", "replace", "request_roles",
           "ring", "shape_text", "span", "tag", "transposed", "visible", "weight_arcs",
           "weight_grid"]
