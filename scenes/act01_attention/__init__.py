"""Act 01: attention by hand, every number worked out."""

from scenes.act01_attention import (
    closing,
    mixing,
    opening,
    projection,
    scaling,
    scoring,
    splitting,
    weighing,
)
from scenes.act01_attention.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=1, params=Params, tell=tell, look=LOOK,
                  replays=closing.REPLAYS, large=True,
                  sections=(opening, projection, splitting, scoring, scaling, weighing, mixing))
