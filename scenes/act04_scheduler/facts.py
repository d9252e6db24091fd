"""Every number that act 04's words and labels name, from its story."""

from typing import Any

from scenes.act04_scheduler.cuts import also_cut
from scenes.views.request import cached_tokens

__all__ = ["facts_of", "rounded"]


def facts_of(story: Any) -> dict[str, object]:
    """Every number that the narration and the labels name."""
    static, now = story.static, story.continuous
    facts = {"budget": story.params.budget, "cap": story.params.max_num_seqs, "steps": now.steps,
             "idle": now.idle, "static_steps": static.steps, "static_idle": static.idle,
             "stalls": story.stalls[0], "cut": story.followed, "steps_mixed": len(story.mixed),
             **_real_facts(story), **_window_facts(story)}
    facts |= dict(zip(("late", "late_0", "late_1"), story.gain))
    for i, (budget, trace) in enumerate(story.budgets.items()):
        facts |= {f"budget_{i}": budget, f"steps_{i}": len(trace.steps),
                  f"full_{i}": max(step.used for step in trace.steps)}
    after = story.last_chunk.after[story.counted_name]
    facts |= {"count_known": after.num_tokens, "count_cached": cached_tokens(after)}
    if story.cut:
        part, known = story.cut.scheduled[0], story.cut.before[story.followed].num_tokens
        facts |= {"cut_known": known, "cut_count": part.count,
                  "cut_left": known - part.start - part.count}
    if story.delayed:
        facts |= {"delayed": Names([story.delayed]), "delay": story.delay,
                  "extra": Names(story.extra)}
    facts["causes"] = _causes(story.answer.names)
    if story.blocked:
        facts |= {"blocked": Names([story.blocked.name]), "blocked_need": story.blocked.need,
                  "unused": story.blocked.unused}
    if story.price:
        facts |= dict(zip(("price_name", "price_ours", "price_theirs"), story.price))
        facts["takers"] = Names(story.takers) if story.takers else ""
    return facts


def _causes(names: list[str]) -> dict[str, str]:
    """Whose prompts went first, one after another."""
    first, *others = names or [""]
    return {"en": ", ".join([f"{first}'s prompt went first",
                             *(f"then {name}'s" for name in others)]),
            "zh": f"先算了 {Names([first, *others]):zh} 的提示词"}


def _also_cut(name: str) -> dict[str, str]:
    """Who, in the prefills that are told of, came first later and did not fit, if anybody."""
    if not name:
        return {"en": "", "zh": ""}
    yours = Names([name])
    return {"en": f"Now {yours:en} is first, and cut, too. ",
            "zh": f"轮到 {name} 排最前，也被切开。"}


def _window_facts(story: Any) -> dict[str, object]:
    facts: dict[str, object] = {"counted": story.counted_name}
    if story.stall:
        facts |= {"newcomer": story.stall.names[0], "stalled": Names(story.stall.stalled),
                  "stall_step": story.stall.index + 1}
    if story.early:
        served = dict.fromkeys(name for step in story.early_prefills for name in step.names)
        facts["also_cut"] = _also_cut(also_cut(story.early_prefills))
        facts |= {"early_first": story.early_prefills[0].index + 1,
                  "early_last": story.early_prefills[-1].index + 1, "early": Names(served),
                  "early_one": Names(story.early_prefills[0].names)}
    return facts


class Names(tuple[str, ...]):
    """Names as a language joins them, `{names:en}`; B is the viewer's own request."""

    def __format__(self, language: str) -> str:
        yours = {"en": "your B", "zh": "你的 B"}[language]
        *most, last = (yours if name == "B" else name for name in self)
        if language == "zh":
            return "、".join((*most, last))
        return f"{', '.join(most)} and {last}" if most else last


def _real_facts(story: Any) -> dict[str, object]:
    few, many, eager, graph = story.single_steps
    return {"gpu_ratio": f"{few.ms / graph.ms:.0f}", "launches": few.launches,
            "few": few.tokens, "few_ms": rounded(few.ms), "many": f"{many.tokens:,}",
            "many_ms": rounded(many.ms), "eager": rounded(eager.ms), "graph": rounded(graph.ms),
            "batch": graph.tokens,
            "few_gpu": rounded(few.gpu_ms), "many_gpu": rounded(many.gpu_ms), "model": story.model}


def rounded(ms: float) -> str:
    """Milliseconds as they are said and shown alike."""
    return f"{ms:.0f}" if ms >= 10 else f"{ms:.1f}"
