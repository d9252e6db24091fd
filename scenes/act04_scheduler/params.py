"""What may be set in act 04: the scheduler's limits, and the requests that it serves."""

from dataclasses import dataclass

from scenes.stage import param

__all__ = ["Params"]


@dataclass(frozen=True)
class Params:
    budget: int = param(6, 4, 24, help="tokens that one prefill step may compute")
    max_num_seqs: int = param(3, 1, 4, help="sequences that one step may serve")
    prompts: tuple = param((11, 5, 7, 6, 4), 1, 12, least=2, most=5, help="prompt lengths")
    max_tokens: tuple = param((4, 12, 3, 7, 6), 1, 12, least=2, most=5, help="tokens to generate")
    arrivals: tuple = param((0, 0, 0, 7, 9), 0, 20, least=2, most=5, help="engine step indices")

    def __post_init__(self):
        if not len(self.prompts) == len(self.max_tokens) == len(self.arrivals):
            raise ValueError("prompts, max_tokens and arrivals: one entry for each request")
