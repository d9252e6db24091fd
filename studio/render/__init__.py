"""From an order to a film: keys, store, workers."""
