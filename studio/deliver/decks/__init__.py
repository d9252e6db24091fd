"""Slide decks from an act's clips: PowerPoint, reveal.js, manim-slides."""
