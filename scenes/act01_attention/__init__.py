"""Act 01: attention by hand, every number worked out."""

from scenes.act01_attention import both_heads, one_head, opening, projection, splitting_heads
from scenes.act01_attention.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=1, params=Params, tell=tell, look=LOOK,
                  sections=(opening, projection, splitting_heads, one_head, both_heads))
