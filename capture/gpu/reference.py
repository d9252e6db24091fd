"""``reference-check``: the engine's last-position logits against the reference implementation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.prompts import last_logits
from capture.recording import Recording
from traces.kinds.reference_check import compare

__all__ = ["record"]

_MOST_LOGITS = 8192  # a longer row, times the rows, makes a file that no trace may be


def record(session: Session) -> list[Recording]:
    """Each prompt through the engine, then through transformers in bf16 and in fp32."""
    workload, rows, events = session.spec.workload, [], []
    name = session.model_name
    with session.engine() as engine:
        config = session.config(engine)
        prompts = [item["prompt"] for item in workload["prompts"]]
        ids = [engine.tokenizer.encode(prompt) for prompt in prompts]
        ours = [last_logits(engine, prompt) for prompt in ids]
        text = engine.tokenizer.decode
    for precision in ("bf16", "fp32"):
        theirs = _reference(session.model, ids, precision)
        for prompt, mine, other in zip(prompts, ours, theirs):
            events.append(_compare(name, prompt, precision, mine, other, text))
            rows.append(event("row", model=name, prompt=prompt, source=precision,
                              logits=_short(other)))
    rows += [event("row", model=name, prompt=prompt, source="engine",
                   logits=_short(mine)) for prompt, mine in zip(prompts, ours)]
    order = {prompt: i for i, prompt in enumerate(prompts)}
    events.sort(key=lambda e: (order[e["prompt"]], e["precision"]))
    keep = workload["rows"] and config["vocab_size"] <= _MOST_LOGITS
    facts = {"rows": keep, "prompts": [{"model": name, "prompt": prompt} for prompt in prompts]}
    return [session.made(config, [*events, *(rows if keep else [])], facts)]


def _reference(model: Path, prompts: list[list[int]], precision: str) -> list[Any]:
    """Last-position logits of transformers' own Qwen3, eager attention: float32 on the CPU."""
    import torch
    from transformers import AutoModelForCausalLM

    torch.backends.cuda.matmul.allow_tf32 = False
    dtype = {"bf16": torch.bfloat16, "fp32": torch.float32}[precision]
    reference = AutoModelForCausalLM.from_pretrained(
        model, dtype=dtype, attn_implementation="eager").cuda().eval()
    with torch.inference_mode():
        return [reference(torch.tensor([ids], device="cuda")).logits[0, -1].float().cpu()
                for ids in prompts]


def _short(row: Any) -> list[float]:
    return [round(x, 4) for x in row.tolist()]


def _compare(model: str, prompt: str, precision: str, mine: Any, other: Any, text: Any) -> Any:
    a, b = mine.numpy(), other.numpy()
    best = [int(x.argmax()) for x in (a, b)]
    return event("compare", model=model, prompt=prompt, precision=precision, **compare(a, b),
                 first=best, first_texts=[text([i]) for i in best],
                 first_logits=[round(float(x.max()), 4) for x in (a, b)])
