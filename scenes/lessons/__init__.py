"""Numbers worked by hand: pure functions of NumPy arrays, frozen results, every intermediate."""
