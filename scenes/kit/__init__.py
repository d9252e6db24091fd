"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.geometry import STAGE, px
from scenes.kit.base.cross import cross
from scenes.kit.base.fit import fit
from scenes.kit.base.flow import Node, arc, arrow, span
from scenes.kit.base.formula import Formula
from scenes.kit.base.frame import Frame
from scenes.kit.base.gather import carry, gather
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
)
from scenes.kit.base.theme import mix, paint
from scenes.kit.base.titles import Remember, TitleCard
from scenes.kit.chart.bars import Bars
from scenes.kit.chart.lane import Lane
from scenes.kit.chart.race import Race
from scenes.kit.chart.ruling import Ruling
from scenes.kit.chart.timeline import Cell, Key, Timeline, pause
from scenes.kit.engine.board import Board, Panel, RequestRow
from scenes.kit.engine.chips import Chip, Chips, place, visible
from scenes.kit.engine.gauge import Gauge, Readout
from scenes.kit.engine.metric import Metric
from scenes.kit.engine.stepper import Stepper
from scenes.kit.engine.tokens import TokenKey, TokenStrip, name_tag
from scenes.kit.look import LOOK
from scenes.kit.tensor.grid import Grid, ring
from scenes.kit.tensor.heads import HeadTree
from scenes.kit.tensor.plane import Plane
from scenes.kit.tensor.product import Contraction, Corner, ProductLine, transposed
from scenes.kit.tensor.reshape import GridStack
from scenes.kit.tensor.scale import Lattice, Part, ScaleBar

__all__ = ["BODY", "CODE", "FIGURE", "HEADING", "LEAD", "LOOK", "NOTE", "SMALL", "STAGE", "TITLE",
           "Bars", "Board", "Cell", "Chip", "Chips", "Contraction", "Corner", "Formula", "Frame",
           "Gauge", "Grid", "GridStack", "Hatch", "HeadTree", "Key", "Label", "Lane", "Lattice",
           "Metric", "Node", "Panel", "Paragraph", "Part", "Plane", "ProductLine", "Race",
           "Readout", "Remember", "RequestRow", "Ruling", "ScaleBar", "Stepper", "Style",
           "Timeline", "TitleCard", "TokenKey", "TokenStrip", "arc", "arrow", "carry", "cross",
           "fit", "gather", "mix", "name_tag", "number", "paint", "pause", "place", "px", "ring",
           "span", "transposed", "visible"]
