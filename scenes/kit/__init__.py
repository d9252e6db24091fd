"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.kit.bars import Bars
from scenes.kit.board import Board, Panel, RequestRow
from scenes.kit.chips import Chip, Chips, place, visible
from scenes.kit.flow import Node, arc, arrow
from scenes.kit.formula import Formula
from scenes.kit.frame import Frame
from scenes.kit.gather import gather
from scenes.kit.gauge import Gauge, Readout
from scenes.kit.grid import Grid, ring
from scenes.kit.hatch import Hatch
from scenes.kit.heads import HeadTree
from scenes.kit.plane import Plane
from scenes.kit.product import Contraction, Corner, ProductLine, transposed
from scenes.kit.race import Race
from scenes.kit.reshape import GridStack
from scenes.kit.scale import Lattice, Part, ScaleBar
from scenes.kit.stepper import Stepper
from scenes.kit.text import Label, Paragraph, number
from scenes.kit.theme import STAGE, mix, paint, px
from scenes.kit.timeline import Cell, Key, Timeline, pause
from scenes.kit.titles import Remember, TitleCard
from scenes.kit.tokens import TokenKey, TokenStrip, name_tag

__all__ = ["STAGE", "Bars", "Board", "Cell", "Chip", "Chips", "Contraction", "Corner", "Formula",
           "Frame", "Gauge", "Grid", "GridStack", "Hatch", "HeadTree", "Key", "Label", "Lattice",
           "Node", "Panel", "Paragraph", "Part", "Plane", "ProductLine", "Race", "Readout",
           "Remember", "RequestRow", "ScaleBar", "Stepper", "Timeline", "TitleCard", "TokenKey",
           "TokenStrip",
           "arc", "arrow", "gather", "mix", "name_tag", "number", "paint", "pause", "place", "px",
           "ring", "transposed", "visible"]
