"""Bars, timelines, races: numbers over time and size."""
