"""Drawing acts: manim's internals and the painter."""
