"""No damage to a recorded trace goes unnoticed, but where no schema could know better.

Each damaged file is well-formed, summed and sealed again; it lies in a folder without a lock. What
is accepted then is counted here and must be in the list below: the lock alone holds it.
``DAMAGES=500 pytest tests/test_damage.py -s`` tries more, and prints the count.
"""

import fnmatch
import os
import random
from collections import Counter

import pytest
from damage import damaged

from traces import TraceError, load
from traces.verify import all_traces, verify

DAMAGES = int(os.environ.get("DAMAGES", "8"))

# kind, or * for all → what no relation binds: where it is, and why
ACCEPTED = {
    "*": {
        "provenance.versions.*": "a version is what it is", "provenance.driver": "likewise",
        "provenance.gpu": "the GPU's name", "provenance.seed": "random ids show no seed",
        "provenance.date": "a day", "provenance.command": "a shorter name may be the scenario's",
        "provenance.weights": "another kind of weights of the same sizes",
        "provenance.model": "a model of one's own may have any name",
        "config.gpu_memory_utilization": "the scenario's choice; the pool depends on the GPU, too",
        "config.max_model_len": "the scenario's choice", "config.max_num_seqs": "likewise, eager",
        "config.max_num_batched_tokens": "likewise, where no step is full",
        "config.num_blocks": "measured at the start, and more than is used"},
    "step-times": {"step.gpu_us.*": "a time by CUDA events, measured once",
                   "step.host_us.*": "within the rounding of the eight numbers"},
    "launch-timeline": {"timeline.gpu_us.*": "as above", "timeline.host_us.*": "as above",
                        "kernel.start": "a moment between its neighbours'",
                        "call.start": "likewise", "names.names": "of the same class",
                        "kernel.name": "another of the same class",
                        "call.api": "never alone", "kernel.us": "within the rounding of a sum"},
    "attention-kernels": {"prefill.largest_difference": "of random numbers that are not kept",
                          "prefill.*_peak_bytes": "within the allocator's rounding"},
    "attention-probe": {"probe.ids": "what a tokenizer makes of a text", "probe.texts": "likewise",
                        "head.*": "another bf16 number within the rounding of the output"},
    "kernel-metadata": {"plan.name": "never alone", "workload.plans": "never alone",
                        "workload.requests.prompt": "ids computed in a step that is not kept",
                        "workload.requests.max_tokens": "beyond the steps that are kept"},
    "memory-equation": {"start.free": "never alone"},
    "reference-check": {"row.logits": "another bf16 number, or one within the rounding of a mean",
                        "compare.*": "without the rows: within the order of the numbers"},
    "sampling": {"row.ids": "what a tokenizer makes of a text", "row.top_ids": "likewise",
                 "row.top_texts": "likewise", "row.top_logits": "another bf16 number, far down",
                 "draws.distinct": "how many of the tail were met",
                 "draws.tail": "within the rounding of the logits"},
    "tensor-parallel": {"traffic.gather_us": "one time", "traffic.kernel": "its longer name",
                        "message.bytes": "a pickle", "workload.context": "no row holds it"},
    "token-journey": {"step.top_ids": "what a tokenizer makes of a text",
                      "step.top_texts": "likewise", "prompt.ids": "likewise",
                      "step.top_logits": "another bf16 number, far down",
                      "step.tail": "within the rounding of the logits",
                      "step.sampled*": "the last token, where it is none of the top"},
    "throughput": {},
}


def fault(path):
    """The line that says what is wrong with a trace, or None."""
    try:
        verify(path)
    except TraceError as error:
        return str(error)
    return None


def expected(kind, where):
    """Whether a change there is one that no schema could know of."""
    return any(fnmatch.fnmatch(where, pattern)
               for part in ("*", kind) for pattern in ACCEPTED.get(part, {}))


@pytest.mark.parametrize("name", all_traces())
def test_every_damage_is_named_or_unknowable(name, tmp_path):
    trace, accepted, tried = load(name), Counter(), 0
    for seed in range(DAMAGES):
        made = damaged(trace, random.Random(f"{name} {seed}"), tmp_path)
        if made is None:
            continue
        what, path = made
        tried += 1
        if (line := fault(path)) is None:
            assert expected(trace.header.kind, what[0]), f"accepted: {what}"
            accepted[what[0]] += 1
        else:
            assert line.startswith(f"{path}:") and "\n" not in line, what
    print(f"\n{name}: {tried} damages, {accepted.total()} accepted {dict(accepted)}")
    assert tried > DAMAGES // 2


@pytest.mark.parametrize("name", all_traces())
def test_a_committed_trace_that_changed_is_not_the_locked_one(name, tmp_path, monkeypatch):
    """Whatever a schema accepts, the lock does not: damage in the course's own folder."""
    from traces import files, lock

    made = next(made for seed in range(100)
                if (made := damaged(load(name), random.Random(seed), tmp_path)))
    (tmp_path / "lock.json").write_bytes((files.DATA / "lock.json").read_bytes())
    monkeypatch.setattr(files, "DATA", tmp_path)
    monkeypatch.setattr(lock, "DATA", tmp_path)
    with pytest.raises(TraceError, match=r"lock\.json says|Expected|header"):
        load(made[1])
