"""Drawing acts: manim's internals, the painter, and the states between beats."""
