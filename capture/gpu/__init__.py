"""Recording on a GPU: guards, models, taps and one recorder a kind of trace."""
