"""``kernel-metadata``: what schedule's plan becomes before the kernels see it."""

from __future__ import annotations

from typing import Any

from capture.drive import drive
from capture.gpu.base import Session, event
from capture.gpu.scheduling import Run, make_workload
from capture.recording import Recording

__all__ = ["record"]


def record(session: Session) -> list[Recording]:
    """Run the workload; keep the steps that the scenario names, by step index."""
    spec, seen = session.spec, []
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        run = Run(engine, workload, spec.seed, spec.workload["blocks"])
        run.bare()
        run.fresh()
        runner, names = engine.model_runner, [r.name for r in workload.by_arrival]
        wrapped = {name: getattr(runner, name) for name in ("prepare_prefill", "prepare_decode")}
        for name, method in wrapped.items():
            setattr(runner, name, _tap(method, name, run, names, seen))
        try:
            drive(workload, run.add, engine.step, lambda: not engine.is_finished())
        finally:
            for name in wrapped:
                delattr(runner, name)
        plans = [event("plan", name=name, step=step, **seen[step])
                 for name, step in spec.workload["keep"].items()]
        facts = {"plans": [plan["name"] for plan in plans], **workload.json()}
        return [session.made(session.config(engine), plans, facts)]


def _tap(method: Any, name: str, run: Run, names: list[str], seen: list[dict]) -> Any:
    def tap(batch: list[Any]) -> Any:
        rows = [{"request": names[run.sequences.index(seq)], "known": len(seq),
                 "cached": seq.num_cached_tokens, "scheduled": seq.num_scheduled_tokens,
                 "block_table": list(seq.block_table),
                 "ids": seq.token_ids[seq.num_cached_tokens:
                                      seq.num_cached_tokens + seq.num_scheduled_tokens]}
                for seq in batch]
        ids, positions = method(batch)
        seen.append({"phase": name.removeprefix("prepare_"), "sequences": rows,
                     "ids": ids.tolist(), "positions": positions.tolist(), **_context()})
        return ids, positions

    return tap


def _context() -> dict[str, Any]:
    """The engine's context as plain lists."""
    from nanovllm.utils.context import get_context

    context = get_context()
    names = ("cu_seqlens_q", "cu_seqlens_k", "slot_mapping", "context_lens", "block_tables")
    found = {name: None if (value := getattr(context, name)) is None else value.tolist()
             for name in names}
    facts = {"slots": found.pop("slot_mapping"), **found}
    if context.is_prefill:
        facts |= {"max_seqlen_q": context.max_seqlen_q, "max_seqlen_k": context.max_seqlen_k,
                  "logits_rows": (context.cu_seqlens_q[1:] - 1).tolist()}
    fresh = context.is_prefill and context.block_tables is None
    return {**facts, "reads": "fresh" if fresh else "cache"}
