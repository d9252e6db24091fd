"""Recorded runs of the engine and their proof: schema, fold, reference model, checks, lock."""

from traces.reference import play
from traces.schema import TraceError
from traces.step import Step
from traces.trace import Trace, load, watching
from traces.verify import Proof, digests, prove
from traces.workload import EngineConfig, Request, Workload, WorkloadError, toy_request

__all__ = ["EngineConfig", "Proof", "Request", "Step", "Trace", "TraceError", "Workload",
           "WorkloadError", "digests", "load", "play", "prove", "toy_request", "watching"]
