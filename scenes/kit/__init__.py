"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.geometry import STAGE, px
from scenes.kit.base.derivation import Derivation
from scenes.kit.base.flow import Node, arc, arrow
from scenes.kit.base.formula import Formula
from scenes.kit.base.frame import Frame
from scenes.kit.base.gather import arrive, carry, gather
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.text import (
    BODY,
    CODE,
    FIGURE,
    HEADING,
    LEAD,
    NOTE,
    SMALL,
    TITLE,
    Label,
    Paragraph,
    Style,
    number,
    shape_text,
)
from scenes.kit.base.theme import mix, paint
from scenes.kit.base.titles import Remember, TitleCard
from scenes.kit.chart.bars import Bars
from scenes.kit.chart.factors import FactorChain
from scenes.kit.chart.race import Race
from scenes.kit.chart.timeline import Cell, Key, Timeline, pause
from scenes.kit.engine.batch import RaggedBatch
from scenes.kit.engine.board import Board, Panel, RequestRow
from scenes.kit.engine.chips import Chip, Chips, place, visible
from scenes.kit.engine.gauge import Gauge, Readout
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
    RowProduct,
    bracketed,
    transposed,
)
from scenes.kit.tensor.projection import Projection
from scenes.kit.tensor.reshape import GridStack
from scenes.kit.tensor.residual import SubLayer, norm_node
from scenes.kit.tensor.rotary import RotaryPairs
from scenes.kit.tensor.rows import NamedRows, Row, elementwise
from scenes.kit.tensor.scale import Lattice, Part, ScaleBar
from scenes.kit.tensor.stations import Station, Stations

__all__ = ["BODY", "CODE", "FIGURE", "HEADING", "LEAD", "LOOK", "NOTE", "SMALL", "STAGE", "TITLE",
           "AttentionFlow", "Bars", "Board", "CacheRow", "Cell", "Chip", "Chips", "Contraction",
           "Corner", "Derivation", "FactorChain", "Formula", "Frame", "Gauge", "Grid", "GridStack",
           "Hatch", "HeadTree", "Key", "Label", "Lattice", "LayerStack", "NamedRows", "Node",
           "PairedHead", "Panel", "Paragraph", "Part", "Plane", "ProductLine", "Projection",
           "Race", "RaggedBatch", "Readout", "Remember", "RequestRow", "RotaryPairs", "Row",
           "RowProduct", "ScaleBar", "Spoke", "Station", "Stations", "Stepper", "Style",
           "SubLayer", "Timeline", "TitleCard", "TokenKey", "TokenStrip", "arc", "arrive", "arrow",
           "bracketed", "carry", "elementwise", "gather", "mix", "name_tag", "norm_node", "number",
           "paint", "pause", "place", "px", "ring", "shape_text", "transposed", "visible"]
