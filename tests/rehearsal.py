"""Run an act without drawing: movements jump to their ends, `look` sees each settled picture."""

import tempfile

from manim import tempconfig

from scenes.stage import Act, load_act


def rehearse(name, settings=None, language="en", theme="dark", look=None):
    """Perform all beats of an act; `look(act)` is called after every movement and hold."""
    with tempfile.TemporaryDirectory() as media, tempconfig({
        "dry_run": True, "frame_rate": 30, "pixel_width": 96, "pixel_height": 54,
        "media_dir": media, "progress_bar": "none", "verbosity": "ERROR",
    }):
        act = Act(load_act(name), settings or {}, language, theme)
        act.camera.capture_mobjects = lambda *_, **__: None  # nothing is drawn
        act.drawn = range(0)
        if look:
            moved = act.move

            def move(*things, **options):
                moved(*things, **options)
                look(act)

            act.move = move
        for index in range(len(act.plan.beats)):
            act.perform(index)
            if look:
                look(act)
        return act
