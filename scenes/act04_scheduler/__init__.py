"""Act 04: who runs next, and how far."""

from scenes.act04_scheduler import batches, budgets, chunks, closing, mixing, opening, real_size
from scenes.act04_scheduler import turns
from scenes.act04_scheduler.lab import LAB
from scenes.act04_scheduler.params import Params
from scenes.act04_scheduler.story import tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=4, params=Params, tell=tell,
                  sections=(opening, chunks, turns, batches, budgets, mixing, real_size, closing),
                  look=LOOK, lab=LAB)
