"""All that one request's eager steps show: inputs, counters, shapes, cache, logits, token."""

from __future__ import annotations

from typing import Any

__all__ = ["Watch"]

# our names of the stages, in the order in which the engine passes them (layer 0 stands for all)
_LAYER = (("input_layernorm", "norm"), ("self_attn.qkv_proj", "qkv"), ("self_attn.q_norm", "q"),
          ("self_attn.k_norm", "k"), ("self_attn.rotary_emb", "q and k after RoPE"),
          ("self_attn.attn", "attention output"), ("self_attn.o_proj", "o_proj"),
          ("post_attention_layernorm", "norm before the MLP"), ("mlp.gate_up_proj", "gate and up"),
          ("mlp.act_fn", "SiLU(gate) x up"), ("mlp.down_proj", "down"))


class Watch:
    """``with Watch(engine) as watch: watch.step()``: one dict a step in ``watch.steps``.

    For one request at a time on an engine with ``enforce_eager``: hooks do not fire in a replay.
    """

    def __init__(self, engine: Any):
        self.engine, self.runner = engine, engine.model_runner
        self.steps: list[dict[str, Any]] = []

    def __enter__(self) -> Watch:
        model = self.runner.model.model
        layer = dict(model.layers[0].named_modules())
        stages = [(model.embed_tokens, "embedding"),
                  *((layer[path], name) for path, name in _LAYER), (model.norm, "final norm")]
        self._hooks = [module.register_forward_hook(self._shape(name)) for module, name in stages]
        self._attention = layer["self_attn.attn"]
        self._hooks.append(self._attention.register_forward_hook(self._keys))
        self._run_model, self._sampler = self.runner.run_model, self.runner.sampler
        self.runner.run_model, self.runner.sampler = self._run, self._sample
        return self

    def __exit__(self, *_: object) -> None:
        for hook in self._hooks:
            hook.remove()
        del self.runner.run_model
        self.runner.sampler = self._sampler

    def step(self) -> None:
        self._now: dict[str, Any] = {"shapes": []}
        scheduler = self.engine.scheduler
        self._sequence = (scheduler.waiting or scheduler.running)[0]
        self.engine.step()
        # a finished sequence has given its blocks back and counts nothing as cached any more
        cached = self._now["before"]["cached"] + self._now["before"]["scheduled"]
        after = {"known": len(self._sequence), "scheduled": self._sequence.num_scheduled_tokens,
                 "cached": cached if self._sequence.is_finished
                 else self._sequence.num_cached_tokens}
        self._now["after"] = {key: after[key] for key in self._now["before"]}
        self.steps.append(self._now)

    def _shape(self, name: str) -> Any:
        def hook(module: Any, args: Any, output: Any) -> None:
            first = output[0] if isinstance(output, tuple) else output
            if name not in (shape[0] for shape in self._now["shapes"]):  # RoPE serves all layers
                self._now["shapes"].append([name, *first.shape])
        return hook

    def _keys(self, module: Any, args: Any, output: Any) -> None:
        """The K of this step in the cache, read back from its slots, beside the fresh one."""
        from nanovllm.utils.context import get_context

        cache = module.k_cache.flatten(0, 1)[get_context().slot_mapping.long()]
        for name, keys in (("k_norm_fresh", args[1]), ("k_norm_cache", cache)):
            norms = keys.float().flatten(1).norm(dim=1).tolist()
            self._now[name] = [round(x, 4) for x in norms]

    def _run(self, ids: Any, positions: Any, is_prefill: bool) -> Any:
        from nanovllm.utils.context import get_context

        seq = self._sequence
        self._now |= {"ids": ids.tolist(), "positions": positions.tolist(),
                      "slots": get_context().slot_mapping.tolist(),
                      "block_table": list(seq.block_table),
                      "before": {"known": len(seq), "cached": seq.num_cached_tokens,
                                 "scheduled": seq.num_scheduled_tokens}}
        self._now["shapes"].append(["input ids", *ids.shape])
        logits = self._run_model(ids, positions, is_prefill)
        self._now["shapes"].append(["logits", *logits.shape])
        self._now["logits"] = logits.float().cpu()
        return logits

    def _sample(self, logits: Any, temperatures: Any) -> Any:
        token = self._sampler(logits, temperatures)
        self._now["shapes"].append(["token", *token.shape])
        self._now |= {"sampled": token.item(), "temperature": round(temperatures.item(), 4)}
        return token
