"""The measurement kinds: wrong records are named by relations between facts, not by checksums.

Here the closing totals are made anew after each damage, so only the invariants can notice it.
"""

import json
from dataclasses import replace

import pytest

from traces import TraceError, load
from traces.files import dump
from traces.kinds import checker
from traces.kinds._facts import spread, totals
from traces.kinds.launch_timeline import classify
from traces.kinds.sampling import chi_square
from traces.kinds.throughput import work
from traces.schema import Event
from traces.verify import all_traces, verify

MEASURED = [name for name in all_traces() if load(name).events[-1].name == "totals"]


def setting(*way, to):
    """A damage: follow ``way`` into an event's fields and replace what is there by ``to(old)``."""
    def damage(fields):
        *path, last = way
        for key in path:
            fields = fields[key]
        fields[last] = to(fields[last])
    return damage


def scaled(*way, by=2):
    return setting(*way, to=lambda old: round(old * by, 4))


def added(*way, n=1):
    return setting(*way, to=lambda old: old + n)


WRONG = [
    ("token-journey", "step", 1, added("ids", 0), "ids is"),
    ("token-journey", "step", 0, added("slots", 3), "slots is"),
    ("token-journey", "step", 2, added("before", "cached"), "before is"),
    ("token-journey", "step", 2, added("after", "known"), "after is"),
    ("token-journey", "step", 1, added("k_norm_cache", 0), "norms of K in the cache"),
    ("token-journey", "step", 3, added("log_partition", n=0.1), "probability of top and tail"),
    ("token-journey", "step", 0, added("shapes", 0, 1), "shapes is"),
    ("token-journey", "cache", 0, added("bytes_per_token"), "bytes_per_token"),
    ("sampling", "draws", 1, added("counts", 0), "sum of counts"),
    ("sampling", "draws", 2, setting("counts", 0, to=lambda old: 0), "sum of counts"),
    ("sampling", "draws", 4, added("tail", n=0.01), "probability of top and tail"),
    ("sampling", "draws", 5, scaled("chi_square"), "chi-square is"),
    ("attention-probe", "head", 0, setting("q", 5, 3, to=lambda old: 8.0),
     "differs from its output"),
    ("attention-probe", "head", 1, setting("output", 2, 7, to=lambda old: 4.0),
     "differs from its output"),
    ("attention-probe", "head", 1, added("kv_head"), "kv_head is"),
    ("continuous-batching-times", "step", 3, scaled("host_us", "run"), "sum of the host's stages"),
    ("continuous-batching-times", "step", 3, added("sequences"), "tokens of a decode"),
    ("continuous-batching-times", "step", 0, setting("gpu_us", "run", to=lambda old: -old),
     "Expected `float` >= 0"),
    ("continuous-batching-times", "step", 3, scaled("gpu_us", "run", by=9), "outlasts its step"),
    ("continuous-batching-times", "step", 3, scaled("bucket"), "bucket is"),
    ("continuous-batching-times", "step", 1, added("tokens", n=-1), "tokens is"),
    ("continuous-batching-times", "overhead", 0, added("percent", "recorded", "all", n=-1),
     "percent of recorded, all is"),
    ("memory-equation", "start", 1, added("blocks"), "blocks is"),
    ("memory-equation", "start", 1, added("peak", n=2**28), "usable is"),
    ("memory-equation", "start", 2, added("block_bytes"), "block_bytes is"),
    ("preemption-sweep", "run", 0, added("recomputed"), "recomputed is"),
    ("preemption-sweep", "run", 1, added("preemptions"), "preemptions is"),
    ("preemption-sweep", "run", 2, added("decode_tokens"), "decode_tokens is"),
    ("preemption-sweep", "run", 3, setting("ms", "median", to=lambda old: old * 1.5), "ms.median"),
    ("kernel-metadata", "plan", 1, added("cu_seqlens_q", 1, n=9), "cu_seqlens_q is"),
    ("kernel-metadata", "plan", 1, added("cu_seqlens_k", 2), "cu_seqlens_k is"),
    ("kernel-metadata", "plan", 0, added("slots", 4), "slots is"),
    ("kernel-metadata", "plan", 2, added("context_lens", 0), "context_lens is"),
    ("kernel-metadata", "plan", 1, setting("reads", to=lambda old: "fresh"), "reads is"),
    ("attention-kernels", "prefill", 3, added("score_bytes"), "score bytes"),
    ("attention-kernels", "prefill", 3, scaled("naive_ms", "samples", 0, by=-1),
     "Expected `float` > 0"),
    ("attention-kernels", "prefill", 5, scaled("ratio"), "ratio of the medians"),
    ("attention-kernels", "decode", 2, scaled("gb_s"), "gigabytes per second"),
    ("launch-timeline", "timeline", 0, added("launches"), "launches is"),
    ("launch-timeline", "timeline", 1, scaled("busy_us"), "busy_us is"),
    ("launch-timeline", "kernel", 9, added("start", n=9e9), "starts before the one"),
    ("launch-timeline", "batch", 4, scaled("bucket"), "bucket is"),
    ("launch-timeline", "names", 0, setting("classes", 0, to=lambda old: "matmul"), "classes is"),
    ("tensor-parallel", "traffic", 0, added("all_reduces"), "all_reduces is"),
    ("tensor-parallel", "traffic", 3, added("bytes_each"), "bytes_each is"),
    ("tensor-parallel", "traffic", 1, scaled("total_us"), "sum of the kernels"),
    ("tensor-parallel", "pair", 0, scaled("speedup"), "speed-up is"),
    ("tensor-parallel", "message", 0, added("bytes", n=2**20), "Expected `int` <="),
    ("throughput", "decode", 3, added("flops"), "flops is"),
    ("throughput", "prefill", 3, added("bytes"), "bytes is"),
    ("throughput", "decode", 5, scaled("tokens_s"), "tokens_s is"),
    ("throughput", "copy", 0, scaled("gb_s"), "rate is"),
    ("throughput", "latency", 0, scaled("answer_ms"), "time of the answer"),
    ("reference-check", "compare", 0, scaled("largest"), "largest is"),
    ("reference-check", "row", 1, setting("logits", 17, to=lambda old: 50.0), "is"),
    ("attention-kernels", "prefill", 2, scaled("flops"), "flops is"),
    ("attention-kernels", "prefill", 2, added("naive_peak_bytes", n=10**7), "naive peak"),
    ("launch-timeline", "timeline", 3, scaled("host_us", "run"), "sum of the host's stages"),
    ("launch-timeline", "timeline", 4, scaled("call_us"), "call_us is"),
    ("launch-timeline", "timeline", 5, added("tokens"), "its place in the table"),
    ("memory-equation", "start", 0, added("weights", n=2), "weights is"),
    ("memory-equation", "start", 1, added("tables", n=-2**21),
     "not weights, tables and a workspace|tables is"),
    ("preemption-sweep", "run", 3, added("peak_blocks", n=-1), "peak_blocks is"),
    ("kernel-metadata", "plan", 1, setting("sequences", 0, "block_table", 0, to=lambda old: 9),
     "blocks is"),
    ("reference-check", "compare", 1, setting("first", 0, to=lambda old: 7), "same_first is"),
    ("throughput", "decode", 1, added("context"), "context is"),
    ("reference-check-real", "compare", 2, scaled("mean", by=1e6), "out of order"),
]


@pytest.mark.parametrize(("name", "kind", "index", "damage", "message"), WRONG)
def test_a_wrong_record_is_named_without_the_totals(name, kind, index, damage, message, tmp_path):
    trace = load(name)
    events = [Event(e.n, e.name, json.loads(json.dumps(e.fields))) for e in trace.events[:-1]]
    damage([event for event in events if event.name == kind][index].fields)
    path = dump(tmp_path / name / "trace.jsonl", trace.header,
                 [*events, totals(trace.header, events)])
    with pytest.raises(TraceError, match=rf"(event \d+|header): .*{message}"):
        verify(path)


@pytest.mark.parametrize("name", MEASURED)
def test_totals_bind_the_header(name, tmp_path):
    """Provenance has no relation to the events: only the totals know it."""
    trace = load(name)
    header = replace(trace.header, provenance={**trace.header.provenance, "gpu": "abacus"})
    path = dump(tmp_path / name / "trace.jsonl", header, trace.events)
    with pytest.raises(TraceError, match=r"column 'provenance\.gpu'|provenance\.gpu is not that"):
        verify(path)


def test_a_trace_without_totals_is_refused():
    trace = load("sampling")
    with pytest.raises(TraceError, match="closing totals are missing"):
        checker("sampling")(replace(trace, events=trace.events[:-1]))


def test_spread_keeps_the_order_and_says_the_middle():
    found = spread([3, 1.239, 2], 2)
    assert found == {"samples": [3.0, 1.24, 2.0], "min": 1.24, "median": 2.0, "max": 3.0,
                     "mean": 2.08}


def test_chi_square_pools_small_cells():
    assert chi_square([60, 40], [50, 50]) == (4.0, 1)
    value, degrees = chi_square([50, 46, 2, 2], [50, 46, 3, 1])
    assert (value, degrees) == (0.0, 2)


def test_work_counts_one_token_by_hand():
    config = {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": 3,
              "num_key_value_heads": 1, "intermediate_size": 5, "vocab_size": 7, "itemsize": 2}
    weights = 4 * (6 + 3 + 3) + 6 * 4 + 3 * 4 * 5  # qkv, o, gate + up + down
    flops, moved = work(config, 1, 1, 10)
    assert flops == 2 * (weights + 28) + 4 * 6 * 10
    assert moved == 2 * (weights + 28 + 2 * 3 * 10)


@pytest.mark.parametrize(("kernel", "label"), [
    ("void flash::flash_fwd_splitkv_kernel<cutlass::bfloat16_t>", "attention"),
    ("nvjet_sm90_tst_64x8_64x16_4x1_v_bz_TNT", "matmul"),
    ("triton_poi_fused_mul_silu_split_0", "activation"),
    ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "communication"),
    ("triton_poi_fused__to_copy_add_cat_index_mul_split_sub_0", "rope"), ("mystery", "other")])
def test_kernels_are_classed_by_name(kernel, label):
    assert classify(kernel) == label
