"""The visual vocabulary: pieces take plain data, have named parts, and return animations."""

from scenes.geometry import FRAME, STAGE, px
from scenes.kit.base.bracket import Bracket
from scenes.kit.base.camera import Pan
from scenes.kit.base.caption import caption
from scenes.kit.base.cross import cross
from scenes.kit.base.fit import fit
from scenes.kit.base.flow import Node, arc, arrow, span
from scenes.kit.base.formula import Formula
from scenes.kit.base.frame import Frame
from scenes.kit.base.gather import carry, gather
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.in_turn import in_turn
from scenes.kit.base.motion import come, fly, leave, replace
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
from scenes.kit.chart.grouped import GroupedBars
from scenes.kit.chart.histogram import Histogram
from scenes.kit.chart.packed_token import Shelf
from scenes.kit.chart.packing import Packing, Token
from scenes.kit.chart.race import Race
from scenes.kit.chart.signed import SignedBars
from scenes.kit.chart.split import SplitBars
from scenes.kit.chart.sum_bar import SumBar
from scenes.kit.engine.batch import RaggedBatch
from scenes.kit.engine.block import BlockLook, CacheBlock, tag
from scenes.kit.engine.chips import Chip, Chips, place, visible
from scenes.kit.engine.kv import KVBar, KVCell, KVKey, Slot
from scenes.kit.engine.panel import Panel
from scenes.kit.engine.queue import IdQueue
from scenes.kit.engine.readout import Readout
from scenes.kit.engine.tokens import TokenStrip, name_tag
from scenes.kit.look import LOOK
from scenes.kit.tensor.grid import Grid, ring
from scenes.kit.tensor.heads import HeadTree
from scenes.kit.tensor.kv_wall import KvWall
from scenes.kit.tensor.layers import LayerStack
from scenes.kit.tensor.plane import Plane, Spoke
from scenes.kit.tensor.product import Corner, ProductLine, bracketed, raised
from scenes.kit.tensor.projection import Projection
from scenes.kit.tensor.put import put, put_all
from scenes.kit.tensor.road import Detour, Road
from scenes.kit.tensor.rotary import RotaryPairs
from scenes.kit.tensor.scale import Part, ScaleBar
from scenes.kit.tensor.scores import hide, reading_arc, weight_arcs, weight_grid
from scenes.kit.tensor.token import token
from scenes.kit.tensor.turn import Turn

__all__ = ["BODY", "CODE", "FIGURE", "FRAME", "LEAD", "LOOK", "NOTE", "REQUESTS", "SHAPE", "SMALL",
           "STAGE", "Area", "Bars", "BlockLook", "Bracket", "CacheBlock", "Chip", "Chips",
           "Corner", "Curve", "Detour", "Dial", "Formula", "Frame", "Grid", "GroupedBars", "Hatch",
           "HeadTree", "Histogram", "IdQueue", "KVBar", "KVCell", "KVKey", "KvWall", "Label",
           "LayerStack", "Node", "Packing", "Pan", "Panel", "Paragraph", "Part", "Plane",
           "ProductLine", "Projection", "Race", "RaggedBatch", "Readout", "Remember", "Road",
           "RotaryPairs", "ScaleBar", "Shelf", "SignedBars", "Slot", "SplitBars", "Spoke", "Style",
           "SumBar", "TitleCard", "Token", "TokenStrip", "Turn", "Zoom", "arc", "arrow",
           "bracketed", "caption", "carry", "come", "cross", "fit", "fly", "gather", "hide",
           "in_turn", "leave", "mix", "name_tag", "number", "paint", "place", "put", "put_all",
           "px", "raised", "reading_arc", "replace", "request_roles", "ring", "shape_text", "span",
           "tag", "token", "visible", "weight_arcs", "weight_grid"]
