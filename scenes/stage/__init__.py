"""Time and place: beats, plans, words, parameters, and the act that plays them."""

from typing import TYPE_CHECKING

from scenes.stage.beat import EVERYTHING, Source, beat
from scenes.stage.catalog import UnknownActError, act_folder, act_names, load_act
from scenes.stage.lab import Lab
from scenes.stage.lecture import Lecture
from scenes.stage.pace import BLINK, BRISK, EASY, QUICK, SLOW, STEADY, VERY_SLOW
from scenes.stage.params import ParamError, param, parse
from scenes.stage.plan import Plan, plan
from scenes.stage.words import LANGUAGES, Words, WordsError

if TYPE_CHECKING:
    from scenes.stage.act import Act, OverspentError, all_but

__all__ = ["BLINK", "BRISK", "EASY", "EVERYTHING", "LANGUAGES", "QUICK", "SLOW", "STEADY",
           "VERY_SLOW", "Act", "Lab", "Lecture", "OverspentError", "ParamError", "Plan", "Source",
           "UnknownActError", "Words", "WordsError", "act_folder", "act_names", "all_but",
           "beat", "load_act", "param", "parse", "plan"]


def __getattr__(name: str) -> object:
    """What needs manim comes when asked for: importing manim takes longer than a listing may."""
    if name in ("Act", "OverspentError", "all_but"):
        from scenes.stage import act

        return getattr(act, name)
    raise AttributeError(name)
