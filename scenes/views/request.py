"""One request of a recorded state: what is known of it, computed and cached, token by token."""

from collections.abc import Callable

from manim import DOWN, LEFT, RIGHT, Animation, VGroup

from scenes.geometry import Region
from scenes.kit import STAGE, Metric, TokenKey, TokenStrip, fit, name_tag, px
from traces.state import RequestState

__all__ = ["CountersView", "RequestView", "cached_tokens", "token_key", "token_looks"]

_GAP = 8  # px between two tokens


def cached_tokens(request: RequestState) -> int:
    """How many tokens have K and V in the cache; of a finished request, how many had.

    Its blocks are given back in the step that ends it; the picture keeps what was computed.
    """
    return request.num_tokens - 1 if request.status == "finished" else request.num_cached


def token_looks(request: RequestState, cells: int, decode: bool = False) -> str:
    """One letter for each of the first `cells` tokens, as `TokenStrip` takes them.

    Cached, then scheduled (by a prefill or a decode), then known, then not there yet.
    """
    cached = cached_tokens(request)
    known = request.num_tokens - cached - request.scheduled
    now = ("d" if decode else "s") * request.scheduled
    return ("c" * cached + now + "k" * known).ljust(cells, ".")[:cells]


def token_key(label: Callable[[str], str], region: Region = STAGE) -> TokenKey:
    """What a token's look means, at the foot of the stage.

    `label` has words for key_known, key_now, key_decoded, key_cached and key_generated.
    """
    keys = {"k": "key_known", "s": "key_now", "d": "key_decoded", "c": "key_cached",
            "g": "key_generated"}
    key = TokenKey([(look, label(word)) for look, word in keys.items()], buff=36)
    return key.move_to(region.at(0, 24, DOWN))


class RequestView(VGroup):
    """A request's tokens around the origin, at most `width` px wide, and its letter beside them.

    `cell`: px of a token where there is room. Parts: `strip`, `tag`.
    """

    def __init__(self, request: RequestState, role: str, cells: int, width: float = 1560,
                 cell: float = 92) -> None:
        self.strip = TokenStrip(request.num_prompt, token_looks(request, cells), role,
                                fit(cells, width, cell, _GAP), _GAP)
        self.tag = name_tag(request.name, role, 48).next_to(self.strip, LEFT, buff=px(32))
        super().__init__(self.strip, self.tag)

    def to(self, request: RequestState, decode: bool = False) -> list[Animation]:
        """Animations to the request in another state, planned for a prefill or a decode."""
        return self.strip.show(token_looks(request, len(self.strip), decode))

    def computed(self) -> list[Animation]:
        """Animations: the model has run, and nothing is sampled yet."""
        return self.strip.show(self.strip.looks.replace("s", "c").replace("d", "c"))


class CountersView(VGroup):
    """A request's three counters: tokens known, cached, scheduled. Parts: one `Metric` each.

    `label` has words for known, cached, scheduled, and for what each counts: known_note, ...
    """

    def __init__(self, request: RequestState, role: str, label: Callable[[str], str]) -> None:
        roles = {"known": "ink", "cached": role, "scheduled": role}
        super().__init__(*(Metric(label(key), value, label(f"{key}_note"), roles[key])
                           for key, value in self._values(request).items()))
        self.arrange(RIGHT, buff=px(150))

    @staticmethod
    def _values(request: RequestState) -> dict[str, int]:
        return {"known": request.num_tokens, "cached": cached_tokens(request),
                "scheduled": request.scheduled}

    def to(self, request: RequestState) -> list[Animation]:
        """Animations to the counters of another state; those that agree stay still."""
        return [move for metric, value in zip(self, self._values(request).values())
                for move in metric.to(value)]
