"""One request of a recorded state: what is known of it, computed and cached, token by token."""

from traces.state import RequestState

__all__ = ["cached_tokens", "token_looks"]


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
