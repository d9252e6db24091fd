"""Act 04: who runs next, and how far."""

from scenes.act04_scheduler import batching, budget, mixing, opening, pauses, real_size
from scenes.act04_scheduler.replays import REPLAYS
from scenes.act04_scheduler.lab import LAB
from scenes.act04_scheduler.params import Params
from scenes.act04_scheduler.story import tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=4, params=Params, tell=tell,
                  sections=(opening, batching, budget, pauses, real_size, mixing),
                  look=LOOK, replays=REPLAYS, lab=LAB)
