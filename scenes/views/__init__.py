"""Recorded state in, animation out: pictures that are twins of a trace's states."""
