"""What act 03 tells, as plain data: a recorded prompt, its logits, races over them, real steps."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scenes.kit import visible
from scenes.lessons.contest import Contest, lumped
from scenes.lessons.rounding import exact_digits, shown, text
from scenes.lessons.sampling import Cut, Distribution, cut, temperature_softmax
from scenes.lessons.shares import binomial_error, chance, percent, running_sums, widest_gap
from scenes.stage import Source, param
from traces import Trace, load
from traces.draws import Draws, draws_after
from traces.journey import Journey

__all__ = ["LANES", "PROMPTS", "RACES", "ROWS", "Params", "Story", "say", "tell"]

PROMPTS = {"romeo": "token-journey-romeo", "richard": "token-journey",
           "morrow": "token-journey-morrow", "news": "token-journey-news"}
TEMPERATURES = (0.5, 1.0, 1.5)
ROWS = 10  # tokens with a bar of their own
LANES = 7  # tokens with a lane of their own; all others race as one
RACES = 10_000


@dataclass(frozen=True)
class Params:
    prompt: str = param("romeo", choices=tuple(PROMPTS), help="a recorded prompt")
    temperature: float = param(1.0, 0.2, 3.0, help="divides the logits; the engine refuses 0")
    top_k: int = param(5, 1, ROWS, help="tokens that top-k keeps")
    top_p: float = param(0.9, 0.05, 1.0, help="probability that top-p keeps at least")
    seed: int = param(4822, 0, 9999, help="of the random distances")


def say(token: str) -> str:
    """A token in a sentence: quoted, without the space that may begin it."""
    return f"“{visible(token.strip(' ') or token)}”"


@dataclass(frozen=True, eq=False)
class Story:
    params: Params
    journey: Journey  # the prompt through the engine
    sampler: Trace  # what the engine's own sampler drew
    source: Source
    computed: Source  # what is worked by hand from the journey's logits
    recorded: Source  # the sampler's draws

    @property
    def all_steps(self) -> range:
        return range(1, len(self.journey.steps) + 1)

    @property
    def logits(self) -> list[float]:
        """The largest 64 logits of the prompt's last position, falling."""
        return self.journey.steps[0]["top_logits"]

    @property
    def tokens(self) -> list[str]:
        return self.journey.steps[0]["top_texts"]

    def logit(self, k: int) -> str:
        """A logit as shown: with as many digits as make those of the two best tokens exact."""
        return text(shown(self.logits[k], exact_digits(self.logits[:2])))

    @property
    def lead(self) -> str:
        """How far the best logit is ahead, exactly."""
        ahead = self.logits[0] - self.logits[1]
        return text(shown(ahead, exact_digits([ahead])))

    def heat(self, temperature: float) -> Distribution:
        """The row of the 64 largest logits at a temperature; probabilities fall."""
        return temperature_softmax(self.logits, temperature)

    @cached_property
    def heats(self) -> tuple[Distribution, ...]:
        """Three temperatures, the asked one among them, rising."""
        asked = self.params.temperature
        near = min(TEMPERATURES, key=lambda t: abs(t - asked))
        return tuple(self.heat(t) for t in sorted({*TEMPERATURES} - {near} | {asked}))

    @cached_property
    def p(self) -> np.ndarray:
        """Probabilities [64] at the asked temperature."""
        return self.heat(self.params.temperature).probabilities

    @cached_property
    def cuts(self) -> tuple[Cut, Cut]:
        """By top-k, by top-p."""
        return cut(self.p, top_k=self.params.top_k), cut(self.p, top_p=self.params.top_p)

    @cached_property
    def top_rows(self) -> np.ndarray:
        """The ROWS best probabilities and the rest as one."""
        return lumped(self.p, ROWS)

    def mass(self, kept: Cut) -> str:
        """What a cut keeps, as the running sums show it where they reach so far."""
        inside = kept.count <= ROWS
        return running_sums(self.top_rows)[kept.count - 1] if inside else chance(kept.mass, 4)

    @cached_property
    def contest(self) -> Contest:
        return Contest(lumped(self.p, LANES), self.params.seed, RACES)

    @property
    def outcome(self) -> str:
        return self.contest.outcome

    @property
    def lanes(self) -> list[str]:
        """The names of the tokens that have a lane."""
        return [visible(token) for token in self.tokens[:LANES]]

    def lane_shares(self, temperature: float) -> np.ndarray:
        """Probabilities [LANES + 1] at any temperature."""
        return lumped(self.heat(temperature).probabilities, LANES)

    @cached_property
    def engine(self) -> Draws:
        """The engine's own draws from this row, at the recorded temperature nearest to ours."""
        return draws_after(self.sampler, self.journey.prompt["text"], self.params.temperature)

    @cached_property
    def engine_shares(self) -> list[float]:
        """[LANES + 1], of the draws among the 64 tokens whose logits are known."""
        return self.engine.shares(self.journey.steps[0]["top_ids"][:LANES])

    @cached_property
    def facts(self) -> dict:
        """Every number that the narration and the labels name."""
        params, journey, cache = self.params, self.journey, self.journey.cache
        config = journey.trace.header.config
        return {
            "known": journey.known, "earlier": journey.known - 1, "decodes": len(journey.steps) - 1,
            "hidden": config["hidden_size"], "q_heads": config["num_attention_heads"],
            **{key: cache[key] for key in ("layers", "kv_heads", "head_dim", "itemsize")},
            "bytes": f"{cache['bytes_per_token']:,}", "rows": ROWS, "lead": self.lead,
            "vocab": f"{config['vocab_size']:,}", "below": f"{config['vocab_size'] - ROWS:,}",
            "recorded": len(self.logits), "rest": len(self.logits) - LANES,
            "first": say(self.tokens[0]), "logit_0": self.logit(0),
            "second": say(self.tokens[1]), "logit_1": self.logit(1),
            "temperature": f"{params.temperature:g}",
            "used_temperature": f"{journey.steps[0]['temperature']:g}",
            **{f"r{k}": percent(heat.probabilities[1] / heat.probabilities[0])
               for k, heat in enumerate(self.heats)},
            "k": params.top_k, "top_p": f"{params.top_p:g}", "p_kept": self.cuts[1].count,
            "races": f"{RACES:,}", **self._race_facts(), **self._engine_facts(),
        }

    def _race_facts(self) -> dict:
        contest, win = self.contest, self.contest.second.winner
        first, upset = contest.figures(contest.favourite)[0], contest.figures(contest.second)[win]
        widest, whose = widest_gap(contest.races.frequencies, contest.field)
        return {
            "race": f"{contest.favourite_index + 1:,}", "first_p": first.speed,
            "first_e": first.distance, "first_t": first.arrival,
            "upset": say(self.tokens[win]) if win < LANES else "", "upset_p": upset.speed,
            "upset_e": upset.distance, "lost": f"{RACES - int(contest.races.wins[0]):,}",
            "gap": widest, "spread": binomial_error(contest.field, RACES)[whose],
        }

    def _engine_facts(self) -> dict:
        """`share`, `hot_share`: what the recorded logits hold, in percent, at T = 1 and hottest."""
        drawn, inside = self.engine, 100 * (1 - self.journey.steps[0]["tail"])
        hot = draws_after(self.sampler, self.journey.prompt["text"], max(TEMPERATURES))
        gap, _ = widest_gap(self.engine_shares, self.lane_shares(drawn.temperature))
        return {
            "inside": f"{drawn.inside:,}", "draws": f"{drawn.total:,}",
            "engine_t": f"{drawn.temperature:g}", "engine_gap": gap,
            "share": ">99.9" if inside > 99.9 else text(shown(inside, 1)),
            "hot": f"{hot.temperature:g}", "hot_share": f"{100 * hot.inside / hot.total:.0f}",
        }


def tell(params: Params) -> Story:
    """The recorded prompt that was asked for, and the engine's own draws."""
    journey, sampler = load(PROMPTS[params.prompt]), load("sampling")
    sources = (Source(kind, trace.id, trace.header.provenance["weights"]) for kind, trace in (
        ("REAL TRACE", journey), ("HAND-COMPUTED", journey), ("REAL TRACE", sampler)))
    return Story(params, Journey(journey), sampler, *sources)
