"""Named durations of movements, in whole frames at 30 a second."""

__all__ = ["BLINK", "BRISK", "EASY", "QUICK", "SLOW", "STEADY", "VERY_SLOW"]

BLINK = 6  # something small comes beside what is looked at
QUICK = 9
BRISK = 12
STEADY = 15  # the usual movement
EASY = 18
SLOW = 24  # a movement to be followed with the eye
VERY_SLOW = 36
