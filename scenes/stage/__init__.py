"""Time: beats, plans, words, parameters, and the act that plays them."""

from scenes.stage.act import Act, OverspentError
from scenes.stage.beat import Source, beat
from scenes.stage.catalog import UnknownActError, act_names, load_act
from scenes.stage.params import ParamError, param, parse
from scenes.stage.plan import Plan, plan
from scenes.stage.words import LANGUAGES, Words, WordsError

__all__ = ["LANGUAGES", "Act", "OverspentError", "ParamError", "Plan", "Source", "UnknownActError",
           "Words", "WordsError", "act_names", "beat", "load_act", "param", "parse", "plan"]
