"""Act 01: attention by hand, every number worked out."""

from scenes.act01_attention import (grouped_heads, merging_heads, opening, projection, scores,
                                    splitting_heads, weights)
from scenes.act01_attention.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(
    number=1, params=Params, tell=tell, look=LOOK,
    sections=(opening, projection, splitting_heads, scores, weights, grouped_heads, merging_heads))
