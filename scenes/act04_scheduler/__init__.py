"""Act 04: who runs next, and how far."""

from scenes.act04_scheduler import batching, beyond, counters, life, prefill
from scenes.act04_scheduler.story import Params, tell
from scenes.kit import LOOK
from scenes.stage import Lecture

lecture = Lecture(number=4, params=Params, tell=tell, look=LOOK,
                  sections=(life, batching, prefill, counters, beyond))
