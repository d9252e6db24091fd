"""Act 02: what one layer of Qwen3 does to a token."""

from scenes.act02_layer import cache, closing, distance, gate, norm, opening, residual, rope
from scenes.act02_layer import widths
from scenes.act02_layer.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=2, params=Params, tell=tell, look=LOOK,
                  sections=(opening, residual, widths, rope, distance, cache, norm, gate, closing),
                  replays=closing.REPLAYS, large=True)
