"""From a plan to a film: segments, workers, stream, sidecars, package."""
