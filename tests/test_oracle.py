"""The lessons against PyTorch's own functions: an independent computation of every formula."""

import numpy as np
import pytest

from scenes.lessons.attention import attend
from scenes.lessons.attention_by_hand import attention_lesson
from scenes.lessons.elements import merge_heads, number_elements
from scenes.lessons.layer import rms_norm, swiglu
from scenes.lessons.rope import KEY, QUERY, rope_lesson, rotate
from scenes.lessons.sampling import cut, temperature_softmax

torch = pytest.importorskip("torch", reason="PyTorch is not installed: no independent oracle")
F = torch.nn.functional
pytestmark = pytest.mark.oracle


def close(ours: np.ndarray, theirs) -> bool:
    return np.allclose(ours, theirs.numpy(), rtol=1e-12, atol=1e-12)


def tensor(array) -> "torch.Tensor":
    return torch.tensor(np.array(array), dtype=torch.float64)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_attention_by_hand(causal, scale, seed):
    lesson = attention_lesson((5, 0, 3), causal, scale, seed)
    x = F.embedding(torch.tensor(lesson.ids), tensor(lesson.look_up.table))
    y = F.linear(x, tensor(lesson.projection.linear_weight))
    assert close(lesson.projection.y, y)
    q, k, v = y.split([4, 2, 2], dim=-1)
    q, k, v = q.view(1, 3, 2, 2).transpose(1, 2), k.view(1, 1, 3, 2), v.view(1, 1, 3, 2)
    out = F.scaled_dot_product_attention(
        q, k, v, is_causal=causal, scale=None if scale else 1.0, enable_gqa=True)
    assert close(np.stack([head.output for head in lesson.heads]), out[0])
    assert close(lesson.merge.right, out.transpose(1, 2).reshape(3, 4))
    assert close(lesson.merge.wrong, out.reshape(3, 4))


def test_attention_of_a_cached_chunk():
    q, k, v = torch.randn(3, 5, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    mask = torch.ones(2, 5, dtype=torch.bool).tril(diagonal=3)
    out = F.scaled_dot_product_attention(q[None, :2], k[None], v[None], attn_mask=mask)
    assert close(attend(q[:2].numpy(), k.numpy(), v.numpy(), offset=3).output, out[0])


def test_elements():
    flat = torch.arange(12).reshape(1, 3, 4)
    elements = number_elements(3, 2, 2)
    split = flat.view(1, 3, 2, 2).transpose(1, 2)
    assert close(elements.transposed, split)
    assert close(merge_heads(elements.transposed[0]).right, split.transpose(1, 2).flatten(2)[0])


def test_rms_norm_and_swiglu():
    norm = rms_norm()
    assert close(norm.output, F.rms_norm(tensor(norm.x), (4,), tensor(norm.weight), norm.eps))
    token = swiglu()
    gate, up = (tensor(token.x) @ tensor(token.gate_up_weight)).chunk(2)
    assert close(token.output, F.silu(gate) * up @ tensor(token.down_weight))


@pytest.mark.parametrize("theta", [100.0, 10_000.0, 1e6])
@pytest.mark.parametrize("position", [0, 5, 7, 1000])
def test_rope_is_a_complex_turn(theta, position):
    rates = 1 / theta ** (torch.arange(0, 8, 2, dtype=torch.float64) / 8)
    for x in (QUERY, KEY):
        pairs = torch.complex(*tensor(x).chunk(2)) * torch.polar(torch.ones(4).double(),
                                                                 position * rates)
        assert close(rotate(x, position, theta).output, torch.cat((pairs.real, pairs.imag)))


def test_rope_scores():
    for product in rope_lesson().products:
        turned = tensor(product.query.output) @ tensor(product.key.output)
        assert close(np.array(product.score), turned)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 1.5])
def test_temperature_and_cuts(temperature):
    logits = torch.randn(50, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) * 3
    ours = temperature_softmax(logits.numpy(), temperature)
    probs = torch.softmax(logits / temperature, -1)
    assert close(ours.probabilities, probs)
    top = torch.topk(probs, 7)
    seven = cut(ours.probabilities, top_k=7)
    assert close(seven.order[:7], top.indices) and close(np.array(seven.mass), top.values.sum())
    running = torch.sort(probs, descending=True).values.cumsum(0)
    assert cut(ours.probabilities, top_p=0.9).count == int((running < 0.9).sum()) + 1
