"""Recorded runs of the engine and their proof: schema, fold, reference model, checks."""

from traces.reference import play
from traces.schema import TraceError
from traces.trace import Step, Trace, load
from traces.workload import EngineConfig, Request, Workload, WorkloadError, toy_request

__all__ = ["EngineConfig", "Request", "Step", "Trace", "TraceError", "Workload", "WorkloadError",
           "load", "play", "toy_request"]
