"""Act 02: what one layer of Qwen3 does to a token."""

from scenes.act02_layer import closing, fusion, heads, norm, opening, rope, sublayers
from scenes.act02_layer import swiglu, widths
from scenes.act02_layer.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=2, params=Params, tell=tell, look=LOOK,
                  sections=(opening, sublayers, fusion, norm, widths, rope, heads, swiglu),
                  replays=(closing.two_corrections, closing.turned, closing.kept))
