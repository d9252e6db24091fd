"""Recorded runs of the engine and their proof: schema, fold, reference model, checks."""
