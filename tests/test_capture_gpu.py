"""GPU scenarios without a GPU: their files, what they recorded, and what refuses to record."""

import json
import socket
import sys
from functools import partial
from types import SimpleNamespace

import pytest

from capture.__main__ import main
from capture.gpu import guards
from capture.gpu.base import SCENARIOS, load_spec
from capture.gpu.guards import Refusal
from capture.gpu.models import GEOMETRIES, parameters, weights_of
from capture.gpu.overhead import report
from capture.gpu.scheduling import make_workload
from capture.scenarios import Job, scenarios
from traces import load
from traces.files import DATA

IDS = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))


@pytest.mark.parametrize("name", IDS)
def test_every_gpu_scenario_is_listed_and_recorded(name):
    spec = load_spec(name)
    assert scenarios()[name].gpus == spec.gpus
    trace = load(name)
    assert trace.header.kind == spec.kind and trace.header.provenance["seed"] == spec.seed
    assert trace.path.stat().st_size < 2_000_000


@pytest.mark.parametrize("name", [n for n in IDS if load_spec(n).kind == "scheduling"])
def test_recorded_prompts_are_those_of_the_scenario(name):
    spec, trace = load_spec(name), load(name)
    made = make_workload(spec.workload, trace.header.config["vocab_size"], spec.seed)
    assert [(r.name, r.prompt, r.arrival, r.max_tokens) for r in made.requests] == \
        [(r.name, r.prompt, r.arrival, r.max_tokens) for r in trace.workload.requests]


def test_overhead_prints_the_recorded_cost(capsys):
    assert main(["overhead"]) == 0
    lines = capsys.readouterr().out.splitlines()
    real = [line for line in lines if "qwen3-0.6b" in line]
    assert len(real) == 2
    for line in real:
        assert float(line.split("step by step ")[1].split(" %")[0]) < 3


def test_overhead_without_step_times_is_one_line(tmp_path):
    with pytest.raises(Refusal, match="record continuous-batching first"):
        report(Job(out=tmp_path))


@pytest.fixture
def model(tmp_path):
    """A folder that looks like a checkpoint of the small geometry."""
    (tmp_path / "config.json").write_text(json.dumps({**GEOMETRIES["qwen3-0.6b"]}))
    (tmp_path / "model.safetensors").write_bytes(b"\0" * 100)
    return tmp_path


def config_of(model, **changes):
    return {**json.loads((model / "config.json").read_text()), **changes}


@pytest.mark.parametrize(("changes", "tp", "message"), [
    ({"model_type": "qwen3_moe"}, 1, "'qwen3_moe' model: this engine serves dense Qwen3 only"),
    ({"rope_scaling": {"rope_type": "yarn", "factor": 4}}, 1, "rope_type 'yarn'"),
    ({"rope_parameters": {"rope_type": "llama3"}}, 1, "rope_type 'llama3'"),
    ({"rope_scaling": {"type": "linear"}}, 1, "rope_type 'linear'"),
    ({"num_key_value_heads": 7}, 2, "num_key_value_heads 7 does not divide by 2 GPUs")])
def test_models_the_engine_would_mistake_are_refused(model, changes, tp, message):
    with pytest.raises(Refusal, match=message):
        guards.check_model(config_of(model, **changes), model, tp)


def test_a_dense_qwen3_is_accepted(model):
    for rope in (None, {"rope_type": "default", "rope_theta": 1e4}):
        guards.check_model(config_of(model, rope_scaling=rope), model)
    (model / "model.safetensors").unlink()
    with pytest.raises(Refusal, match=r"holds no \*\.safetensors"):
        guards.check_model(config_of(model), model)


def test_a_missing_or_broken_model_folder_is_one_line(tmp_path):
    with pytest.raises(Refusal, match="no model folder"):
        guards.read_config(tmp_path / "nowhere")
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(Refusal, match=r"no readable config\.json"):
        guards.read_config(tmp_path)


def test_a_busy_port_is_refused():
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        with pytest.raises(Refusal, match=r"port \d+ is busy"):
            guards.check_port(other.getsockname()[1])


def test_requests_that_outgrow_the_pool_or_the_length_are_refused():
    spec = load_spec("preemption-gpu")
    workload = make_workload(spec.workload, 4096, 0)
    guards.check_requests(workload.requests, {"max_model_len": 600}, 3)
    with pytest.raises(Refusal, match="request A needs 3 blocks, the pool has 2"):
        guards.check_requests(workload.requests, {"max_model_len": 600}, 2)
    with pytest.raises(Refusal, match="request A is 529 tokens long"):
        guards.check_requests(workload.requests, {"max_model_len": 500}, 9)


def test_block_bytes_are_those_of_the_record():
    start = load("memory-equation").events[0]
    assert guards.block_bytes(GEOMETRIES["qwen3-0.6b"]) == start["block_bytes"]


def cuda(monkeypatch, **answers):
    """A torch that only knows what the guards ask of it."""
    fake = SimpleNamespace(**{name: partial(lambda value: value, value)
                              for name, value in answers.items()})
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(cuda=fake))


def test_too_little_memory_is_refused(model, monkeypatch):
    config = config_of(model)
    monkeypatch.setattr(guards, "_memory", lambda: (8 << 30, 10 << 30))
    guards.check_memory(config, model, {})
    monkeypatch.setattr(guards, "_memory", lambda: (3 << 30, 10 << 30))
    with pytest.raises(Refusal, match=r"the GPU has 2\.0 GiB to use, this run needs about 2\.4"):
        guards.check_memory(config, model, {})


def test_too_few_gpus_are_refused(monkeypatch):
    cuda(monkeypatch, is_available=True, device_count=1)
    guards.check_gpu(1)
    with pytest.raises(Refusal, match="2 GPUs needed, 1 found"):
        guards.check_gpu(2)
    cuda(monkeypatch, is_available=False, device_count=0)
    with pytest.raises(Refusal, match="1 GPU needed, none found; the scheduler-only scenarios run"):
        guards.check_gpu(1)


def test_no_engine_no_flash_attn_no_gpu_are_one_line(monkeypatch, capsys, tmp_path):
    """Whatever is missing here first, the command says so in a line and exits with 1."""
    assert main(["token-journey", "--out", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("token-journey: ") and err.count("\n") == 1
    for missing, hint in (("nanovllm", r"\[capture\]"), ("torch", "pip install torch"),
                          ("flash_attn", "no-build-isolation")):
        monkeypatch.setattr(guards.importlib.util, "find_spec",
                            lambda name, gone=missing: None if name == gone else object())
        with pytest.raises(Refusal, match=f"{missing} is not installed: .*{hint}"):
            guards.check_engine()


def test_a_geometry_has_the_published_size():
    def size(name):
        shapes = parameters(GEOMETRIES[name]).values()
        return sum(a * (b[0] if b else 1) for a, *b in shapes)

    assert size("qwen3-0.6b") * 2 == load("memory-equation").events[0]["weights"]
    assert 8.1e9 < size("qwen3-8b") < 8.3e9


def test_weights_are_named_by_note_or_hash(model):
    assert weights_of(model).startswith(f"{model.name}@")
    (model / "weights.json").write_text('{"weights": "seeded-random"}')
    assert weights_of(model) == "seeded-random"


def test_committed_traces_are_where_the_course_looks():
    assert all((DATA / name / "trace.jsonl").is_file() for name in (
        "token-journey-romeo", "token-journey-morrow", "token-journey-news",
        "continuous-batching-times", "chunked-prefill-times"))
