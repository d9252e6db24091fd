"""Act 03: from logits to the next token, and what a step leaves behind."""

from scenes.act03_sampling import agreement, cache, engine_step, logits, opening, race, sharpening
from scenes.act03_sampling.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=3, params=Params, tell=tell, look=LOOK,
                  sections=(opening, logits, sharpening, race, agreement, engine_step, cache))
