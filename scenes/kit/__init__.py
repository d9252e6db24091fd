"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.geometry import FRAME, STAGE, px
from scenes.kit.base.callout import Callout
from scenes.kit.base.caption import caption
from scenes.kit.base.flow import Node, arc, arrow
from scenes.kit.base.formula import Formula
from scenes.kit.base.frame import Frame
from scenes.kit.base.gather import carry, gather
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.in_turn import in_turn
from scenes.kit.base.legend import Legend
from scenes.kit.base.spans import Spans
from scenes.kit.base.text import (
    BODY,
    CODE,
    FIGURE,
    HEADING,
    LEAD,
    NOTE,
    SHAPE,
    SMALL,
    TITLE,
    Label,
    Paragraph,
    Style,
    number,
)
from scenes.kit.base.theme import mix, paint
from scenes.kit.base.titles import Remember, TitleCard
from scenes.kit.chart.bars import Bars
from scenes.kit.chart.race import Race
from scenes.kit.chart.timeline import Cell, Key, Timeline, pause
from scenes.kit.engine.board import Board, Panel, RequestRow
from scenes.kit.engine.chips import Chip, Chips, place, visible
from scenes.kit.engine.gauge import Gauge, Readout
from scenes.kit.engine.stepper import Stepper
from scenes.kit.engine.tokens import TokenKey, TokenStrip, name_tag
from scenes.kit.look import LOOK
from scenes.kit.tensor.grid import Grid, ring
from scenes.kit.tensor.heads import HeadTree
from scenes.kit.tensor.names import TensorNames
from scenes.kit.tensor.plane import Plane
from scenes.kit.tensor.product import Contraction, Corner, ProductLine, transposed
from scenes.kit.tensor.reading import ReadingStrip
from scenes.kit.tensor.reshape import GridStack
from scenes.kit.tensor.scale import Lattice, Part, ScaleBar
from scenes.kit.tensor.scores import (
    MaskedScores,
    hide,
    query_key_axes,
    weight_arcs,
    weight_grid,
)

__all__ = ["BODY", "CODE", "FIGURE", "FRAME", "HEADING", "LEAD", "LOOK", "NOTE", "SHAPE", "SMALL",
           "STAGE", "TITLE", "Bars", "Board", "Callout", "Cell", "Chip", "Chips", "Contraction",
           "Corner", "Formula", "Frame", "Gauge", "Grid", "GridStack", "Hatch", "HeadTree", "Key",
           "Label", "Lattice", "Legend", "MaskedScores", "Node", "Panel", "Paragraph", "Part",
           "Plane", "ProductLine", "Race", "ReadingStrip", "Readout", "Remember", "RequestRow",
           "ScaleBar", "Spans", "Stepper", "Style", "TensorNames", "Timeline", "TitleCard",
           "TokenKey", "TokenStrip", "arc", "arrow", "caption", "carry", "gather", "hide",
           "in_turn", "mix", "name_tag", "number", "paint", "pause", "place", "px",
           "query_key_axes", "ring", "transposed", "visible", "weight_arcs", "weight_grid"]
