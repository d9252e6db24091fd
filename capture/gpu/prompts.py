"""``token-journey``, ``sampling`` and ``attention-probe``: real prompts through the small model."""

from __future__ import annotations

from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.watch import Watch
from capture.recording import Recording
from traces.kinds.attention_probe import attention
from traces.kinds.sampling import chi_square

__all__ = ["attention_probe", "last_logits", "sampling", "token_journey"]

_TOP = 64


def token_journey(session: Session) -> list[Recording]:
    """Each prompt: every stage of its prefill and of the decode steps after it."""
    made = []
    with session.engine() as engine:
        for name, (prompt, seed) in session.spec.workload["journeys"].items():
            mine = session.derived(name, seed=seed, workload={
                "prompt": prompt, "temperature": session.spec.workload["temperature"],
                "max_tokens": session.spec.workload["max_tokens"]})
            made.append(mine.made(session.config(engine), _journey(engine, mine.spec)))
    return made


def _journey(engine: Any, spec: Any) -> list[Any]:
    import torch
    from nanovllm import SamplingParams

    ids, text = engine.tokenizer.encode(spec.workload["prompt"]), engine.tokenizer.decode
    hf = engine.model_runner.config.hf_config
    _warm(engine)
    torch.manual_seed(spec.seed)
    engine.add_request(list(ids), SamplingParams(
        temperature=spec.workload["temperature"], max_tokens=spec.workload["max_tokens"],
        ignore_eos=True))
    with Watch(engine) as watch:
        while not engine.is_finished():
            watch.step()
    size = hf.num_hidden_layers * hf.num_key_value_heads * hf.head_dim * hf.dtype.itemsize
    return [event("prompt", text=spec.workload["prompt"], ids=ids, texts=[text([i]) for i in ids]),
            event("cache", layers=hf.num_hidden_layers, kv_heads=hf.num_key_value_heads,
                  head_dim=hf.head_dim, itemsize=hf.dtype.itemsize, bytes_per_token=2 * size),
            *(_step(engine, i, seen) for i, seen in enumerate(watch.steps))]


def _warm(engine: Any) -> None:
    """Compile everything on another prompt, so that hooks see plain steps."""
    from nanovllm import SamplingParams

    engine.generate([[1, 2, 3]], SamplingParams(max_tokens=2, ignore_eos=True), use_tqdm=False)
    manager = engine.scheduler.block_manager
    engine.scheduler.block_manager = type(manager)(len(manager.blocks), manager.block_size)


def _step(engine: Any, index: int, seen: dict[str, Any]) -> Any:
    text = engine.tokenizer.decode
    logits = seen.pop("logits")[0]
    top = _row(engine, logits)
    return event("step", step=index, phase="decode" if index else "prefill", **seen, **top,
                 **_mass(logits, 1.0), sampled_text=text([seen["sampled"]]))


def _row(engine: Any, logits: Any) -> dict[str, Any]:
    """The highest logits of one row, with the tokens' texts."""
    values, ids = logits.float().topk(_TOP)
    return {"top_ids": ids.tolist(), "top_logits": [round(x, 4) for x in values.tolist()],
            "top_texts": [engine.tokenizer.decode([i]) for i in ids.tolist()]}


def _mass(logits: Any, temperature: float) -> dict[str, float]:
    """ln Σ exp(logit / T) over the vocabulary, and the probability outside the top."""
    scaled = logits.double() / temperature
    probabilities = scaled.softmax(-1).sort(descending=True).values
    return {"log_partition": round(scaled.logsumexp(-1).item(), 6),
            "tail": round(probabilities[_TOP:].sum().item(), 6)}


def last_logits(engine: Any, ids: list[int]) -> Any:
    """The last position's logits of one prompt, float32 on the CPU: [vocabulary]."""
    from nanovllm import SamplingParams

    engine.add_request(list(ids), SamplingParams(max_tokens=1, ignore_eos=True))
    runner, seen = engine.model_runner, []
    original = runner.run_model
    runner.run_model = lambda *args: seen.append(original(*args)) or seen[-1]
    try:
        while not engine.is_finished():
            engine.step()
    finally:
        del runner.run_model
    return seen[-1][0].float().cpu()


def sampling(session: Session) -> list[Recording]:
    """Rows of logits, and many draws of the engine's own sampler from each."""
    import torch

    workload, rows, draws = session.spec.workload, [], []
    with session.engine() as engine:
        sampler = engine.model_runner.sampler
        for i, prompt in enumerate(workload["prompts"]):
            ids = engine.tokenizer.encode(prompt)
            logits = last_logits(engine, ids).cuda()
            rows.append(event("row", row=i, prompt=prompt, ids=ids, **_row(engine, logits)))
            for temperature in workload["temperatures"]:
                batch = logits.expand(workload["draws"], -1)
                heat = torch.full((len(batch),), temperature, device=batch.device)
                with torch.inference_mode():
                    tokens = sampler(batch.contiguous(), heat)
                counts = torch.bincount(tokens.flatten(), minlength=len(logits)).tolist()
                draws.append(_draws(i, temperature, counts, rows[-1], logits))
        return [session.made(session.config(engine), [*rows, *draws])]


def _draws(row: int, temperature: float, counts: list[int], facts: Any, logits: Any) -> Any:
    import math

    top = [counts[i] for i in facts["top_ids"]]
    mass, total = _mass(logits, temperature), sum(counts)
    p = [math.exp(x / temperature - mass["log_partition"]) for x in facts["top_logits"]]
    found, degrees = chi_square([*top, total - sum(top)], [x * total for x in (*p, mass["tail"])])
    return event("draws", row=row, temperature=temperature, counts=top,
                 tail_count=total - sum(top), distinct=sum(n > 0 for n in counts), **mass,
                 chi_square=round(found, 4), degrees=degrees)


def attention_probe(session: Session) -> list[Recording]:
    """q, k, v and output of some heads of one layer, as the attention kernel got and gave them."""
    import numpy as np

    workload, seen = session.spec.workload, []
    with session.engine() as engine:
        ids = engine.tokenizer.encode(workload["prompt"])
        _warm(engine)
        layer = engine.model_runner.model.model.layers[workload["layer"]].self_attn.attn
        hook = layer.register_forward_hook(lambda _, args, output: seen.append((*args, output)))
        try:
            last_logits(engine, ids)
        finally:
            hook.remove()
        q, k, v, output = (x.float().cpu().numpy() for x in seen[0])
        group, heads = layer.num_heads // layer.num_kv_heads, []
        for head in workload["heads"]:
            mine = [_exact(x[:, i]) for x, i in (
                (q, head), (k, head // group), (v, head // group),
                (output.reshape(q.shape), head))]
            _, again = attention(*mine[:3], layer.scale)
            heads.append(event(
                "head", head=head, kv_head=head // group,
                **dict(zip(("q", "k", "v", "output"), mine)),
                largest_difference=round(float(np.abs(again - mine[3]).max()), 8),
                bound=round(2.0 ** -8 * float(np.abs(mine[2]).max()), 8)))
        probe = event("probe", ids=ids, texts=[engine.tokenizer.decode([i]) for i in ids],
                      layer=workload["layer"], heads=workload["heads"],
                      num_heads=layer.num_heads, num_kv_heads=layer.num_kv_heads,
                      head_dim=layer.head_dim, scale=layer.scale, dtype="bfloat16")
        return [session.made(session.config(engine), [probe, *heads])]


def _exact(values: Any) -> list[list[float]]:
    """bf16 values in as few digits as name them: 8 significant bits are within 4 digits."""
    return [[float(f"{x:.4g}") for x in row] for row in values.tolist()]
