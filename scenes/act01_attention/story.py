"""What act 01 tells, as plain data: the lesson, and its numbers as they are written."""

from dataclasses import dataclass

from scenes.lessons.attention import COLUMNS, HEAD_DIM
from scenes.lessons.attention_by_hand import DEFAULT_IDS, AttentionLesson, attention_lesson
from scenes.lessons.softmax_limits import (
    DRAWS,
    GROWTH,
    LIFT,
    SafeRow,
    Spread,
    largest_float,
    safe_row,
    spread,
)
from scenes.lessons.written import WorkedSum, WrittenHead, worked_sum, written_head
from scenes.stage import Source, param

__all__ = ["CELL", "PARTS", "QUERY", "ROLES", "SCORE", "WORDS", "Params", "Story", "tell"]

CELL = (0, 1)  # the cell of Y that is worked out: token 0, query column 1
QUERY = 2  # the row that is worked out in every later matrix: the last query sees all keys
SCORE = (QUERY, 1)
WORDS = {"en": ("cat", "dog", "the", "big", "sat", "ran"), "zh": tuple("猫狗小大睡跑")}  # by id
PARTS = {name.lower(): range(8)[columns] for name, columns in COLUMNS.items()}  # role: columns of Y
ROLES = [role for role, columns in PARTS.items() for _ in columns]


@dataclass(frozen=True)
class Params:
    ids: tuple = param(DEFAULT_IDS, 0, 5, least=3, most=3, help="three token ids")
    causal: bool = param(True, help="hide later keys")
    scale: bool = param(True, help="divide the scores by the root of d")
    seed: int = param(0, 0, 9999, help="matrices; 0 for the chosen ones")


@dataclass(frozen=True, eq=False)
class Story:
    """product, score, mix: the worked cells. masking, scaling: variants of the words.

    spreads: random scores of a head as narrow as ours and of a wide one; safety: the asking
    token's row under exp, with and without its largest subtracted. masked_at, scaled_at: the
    engine's lines for the mask and the scale, where the parameters leave those on.
    """

    params: Params
    lesson: AttentionLesson
    source: Source
    heads: tuple[WrittenHead, ...]
    product: WorkedSum
    score: WorkedSum
    mix: WorkedSum
    spreads: tuple[Spread, Spread]
    safety: SafeRow
    masking: str
    scaling: str
    masked_at: tuple[str, ...]
    scaled_at: tuple[str, ...]

    @property
    def facts(self) -> dict[str, object]:
        """Every number that the narration and the labels name."""
        head, safety = self.heads[0], self.safety
        return {
            "draws": f"{DRAWS:,}", "growth": GROWTH, "lift": LIFT,
            "largest": largest_float(), "top": safety.row[safety.top],
            "width": HEAD_DIM, "wide_width": HEAD_DIM * GROWTH**2,
            "product": str(self.product), "score": str(self.score), "mix": str(self.mix),
            "addition": head.addition(QUERY), "sum": head.sums[QUERY],
            "ratio": GROWTH**2, **{f"w{n}": share for n, share in enumerate(head.weights[QUERY])},
            **{f"id{n}": index for n, index in enumerate(self.params.ids)},
            **{f"word{n}": {language: words[index] for language, words in WORDS.items()}
               for n, index in enumerate(self.params.ids)},
        }


def tell(params: Params) -> Story:
    lesson = attention_lesson(params.ids, params.causal, params.scale, params.seed)
    heads = tuple(map(written_head, lesson.heads, lesson.shown))
    cell, head, (query, key) = lesson.projection.cell(*CELL), lesson.heads[0], SCORE
    return Story(
        params, lesson, Source("HAND-COMPUTED"), heads,
        product=worked_sum(cell.left, cell.right, cell.total),
        score=worked_sum(head.q[query], head.k[key], head.scores[SCORE]),
        mix=heads[0].mix(QUERY, head.v[:, 0]),
        spreads=(spread(HEAD_DIM), spread(HEAD_DIM * GROWTH**2)),
        safety=safe_row(head.scaled[QUERY].tolist(), 3 if params.scale else 0),
        masking="causal" if params.causal else "open",
        scaling="scaled" if params.scale else "plain",
        masked_at=("layers/attention.py:70",) if params.causal else (),
        scaled_at=("models/qwen3.py:39",) if params.scale else ())
