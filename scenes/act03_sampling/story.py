"""What act 03 tells, as plain data: a recorded prompt, its logits, races over them, real steps."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scenes.act03_sampling.words import race_facts, say
from scenes.kit import visible
from scenes.lessons.contest import Contest, lumped, rain
from scenes.lessons.rounding import exact_digits, shown, significant, text
from scenes.lessons.sampling import temperature_softmax
from scenes.lessons.shares import furthest, percent
from scenes.stage import Source, param
from traces import Trace, load
from traces.draws import Draws, draws_after
from traces.journey import Journey

__all__ = ["LANES", "PROMPTS", "RACES", "SHOWERS", "Params", "Story", "tell"]

PROMPTS = {"romeo": "token-journey-romeo", "richard": "token-journey",
           "morrow": "token-journey-morrow", "news": "token-journey-news"}
TEMPERATURES = (0.5, 1.0, 1.5)
LANES = 7  # tokens with a row of their own; all others share one
RACES = 10_000
SHOWERS = 100  # of which only the first drop is kept
_RARE = 3  # standard errors
_LONGEST = 160  # seconds of rain that are drawn


@dataclass(frozen=True)
class Params:
    prompt: str = param("romeo", choices=tuple(PROMPTS), help="a recorded prompt")
    temperature: float = param(1.0, 0.2, 3.0, help="divides the logits; the engine refuses 0")
    top_k: int = param(5, 1, 10, help="tokens that top-k keeps")
    top_p: float = param(0.9, 0.05, 1.0, help="probability that top-p keeps at least")
    seed: int = param(1096, 0, 9999, help="of the random distances")


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

    @cached_property
    def engine(self) -> Draws:
        """The engine's own draws from this row, at the recorded temperature nearest to ours."""
        return self.drawn_at(self.params.temperature)

    def drawn_at(self, temperature: float) -> Draws:
        return draws_after(self.sampler, self.journey.prompt["text"], temperature)

    @property
    def seen(self) -> float:
        """The recorded temperature nearest to ours: there the whole vocabulary's sum is known."""
        return self.engine.temperature

    def recorded_at(self, temperature: float) -> bool:
        """Whether the whole vocabulary's sum of e^(logit / T) was recorded."""
        return self.drawn_at(temperature).temperature == temperature

    def p(self, temperature: float) -> np.ndarray:
        """Probabilities [64] of the recorded logits: true ones where the whole sum is recorded,

        else their shares among each other.
        """
        if not self.recorded_at(temperature):
            return temperature_softmax(self.logits, temperature).probabilities
        whole = self.drawn_at(temperature).log_partition
        return np.exp(np.array(self.logits) / temperature - whole)

    def shares(self, temperature: float, first: int = LANES) -> np.ndarray:
        """Probabilities [first + 1]: of the `first` best tokens, and of all others as one."""
        return lumped(self.p(temperature), first)

    @cached_property
    def heats(self) -> tuple[float, ...]:
        """Three temperatures, the asked one among them, rising."""
        asked = self.params.temperature
        near = min(TEMPERATURES, key=lambda t: abs(t - asked))
        return tuple(sorted({*TEMPERATURES} - {near} | {asked}))

    @property
    def whole(self) -> str:
        """Which row the asked temperature shows: the "whole" vocabulary's, or a "part" of it."""
        return "whole" if self.recorded_at(self.params.temperature) else "part"

    def cut(self, kept: int | None) -> tuple[int, float]:
        """Where a cut lies at the recorded temperature that keeps so many tokens; None: that of

        a top-p beyond the recorded ones. Rows kept whole, and the share kept of the last row.
        """
        if kept is None and self.cutting == "nothing":
            return LANES + 1, 1.0
        if kept is not None and kept <= LANES:
            return kept, 0.0
        p = self.p(self.seen)
        return LANES, float(p[LANES:kept].sum() / self.shares(self.seen)[LANES])

    @cached_property
    def top_p_count(self) -> int | None:
        """Tokens of the whole vocabulary that top-p keeps; None: more than are recorded."""
        reached = np.flatnonzero(self.p(self.seen).cumsum() >= self.params.top_p - 1e-12)
        return int(reached[0]) + 1 if len(reached) and self.params.top_p < 1 else None

    @property
    def cutting(self) -> str:
        """What top-p does: "within" the recorded tokens, "beyond" them, or it cuts "nothing"."""
        if self.params.top_p == 1:
            return "nothing"
        return "beyond" if self.top_p_count is None else "within"

    @cached_property
    def contest(self) -> Contest:
        """Races at the asked temperature."""
        return Contest(self.shares(self.params.temperature), self.params.seed, RACES)

    @cached_property
    def measured(self) -> Contest:
        """Races at the temperature of the engine's own draws."""
        return Contest(self.shares(self.seen), self.params.seed, RACES)

    @property
    def until(self) -> float:
        """How long it rains in the proof, one drop a second over all rows: until every named row

        has its first drop, if that is not too long to be drawn.
        """
        times = 1.05 * self.contest.favourite.times[:LANES]
        last = float(max(times))
        return max(100.0, last if last <= _LONGEST else float(min(times)))

    @cached_property
    def rain(self) -> list[tuple[float, int]]:
        """Drops (time, lane): the first in each lane is its arrival in the first race shown."""
        return rain(self.contest.field, self.contest.favourite, self.params.seed, self.until)

    @cached_property
    def first_drops(self) -> np.ndarray:
        """Shares [LANES + 1] of the first drops of SHOWERS showers: a shower is a race."""
        winners = self.contest.races.winners[:SHOWERS]
        return np.bincount(winners, minlength=LANES + 1) / SHOWERS

    def gap(self, heat: float) -> str:
        """How far the two best logits are apart when they are divided by a temperature."""
        return significant((self.logits[0] - self.logits[1]) / heat, 3)

    @cached_property
    def long_rain(self) -> list[tuple[float, int]]:
        """Ten times as long."""
        return rain(self.contest.field, self.contest.favourite, self.params.seed, 10 * self.until)

    @property
    def outcome(self) -> str:
        return self.contest.outcome

    @cached_property
    def engine_shares(self) -> list[float]:
        """[LANES + 1], of all the engine's draws."""
        return self.engine.shares(self.journey.steps[0]["top_ids"][:LANES])

    @cached_property
    def verdicts(self) -> tuple[tuple[int, float] | None, tuple[int, float] | None]:
        """The row whose share is furthest off, and by how many standard errors: races, engine."""
        field = self.measured.field
        return (furthest(self.measured.races.frequencies, field, RACES),
                furthest(self.engine_shares, field, self.engine.total))

    @property
    def most(self) -> float:
        """How far the furthest of all is off, in standard errors; 0 where none can be judged."""
        return max(verdict[1] if verdict else 0.0 for verdict in self.verdicts)

    @property
    def furthest(self) -> tuple[int, int]:
        """Its row, and whether it is of our races (0) or the engine (1)."""
        for which, verdict in enumerate(self.verdicts):
            if verdict and verdict[1] == self.most:
                return verdict[0], which
        return 0, 0

    @property
    def judging(self) -> str:
        """"judged": within chance; "far": rarely by chance; "sure": one token takes nearly all."""
        if not all(self.verdicts):
            return "sure"
        return "judged" if self.most <= _RARE else "far"

    @property
    def lanes(self) -> list[str]:
        """The names of the tokens that have a lane."""
        return [visible(token) for token in self.tokens[:LANES]]

    @cached_property
    def facts(self) -> dict:
        """Every number that the narration and the labels name."""
        params, journey = self.params, self.journey
        vocab, recorded = journey.trace.header.config["vocab_size"], len(self.logits)
        ratios = [np.exp((self.logits[1] - self.logits[0]) / heat) for heat in self.heats]
        return {
            "layers": journey.cache["layers"], "lead": self.lead, "vocab": f"{vocab:,}",
            "recorded": recorded, "rest_n": f"{vocab - LANES:,}", "showers": SHOWERS,
            "last": say(journey.texts[journey.known - 1]),
            "first": say(self.tokens[0]), "second": say(self.tokens[1]),
            "sampled": say(journey.steps[0]["sampled_text"]),
            "temperature": f"{params.temperature:g}", "seen": f"{self.seen:g}",
            **{f"r{k}": percent(ratio) for k, ratio in enumerate(ratios)},
            "k": params.top_k, "top_p": f"{params.top_p:g}", "p_kept": self.top_p_count,
            "races": f"{RACES:,}", "draws": f"{self.engine.total:,}",
            "most": text(shown(self.most, 1)), **race_facts(self),
        }


def tell(params: Params) -> Story:
    """The recorded prompt that was asked for, and the engine's own draws."""
    journey, sampler = load(PROMPTS[params.prompt]), load("sampling")
    sources = (Source(kind, trace.id, trace.header.provenance["weights"]) for kind, trace in (
        ("REAL TRACE", journey), ("HAND-COMPUTED", journey), ("REAL TRACE", sampler)))
    return Story(params, Journey(journey), sampler, *sources)
