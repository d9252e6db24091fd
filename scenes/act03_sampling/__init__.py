"""Act 03: from logits to the next token, and what a step leaves behind."""

from scenes.act03_sampling import (
    agreement,
    closing,
    newest,
    opening,
    race,
    rain,
    temperature,
)
from scenes.act03_sampling.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=3, params=Params, tell=tell, look=LOOK, replays=closing.replays,
                  sections=(opening, temperature, race, rain, agreement, newest))
