"""What all commands share: orders from options, a progress bar, errors as one line and a code."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from studio.render.order import Order
    from studio.render.pool import Report

__all__ = ["FAILED", "WRONG_USAGE", "make_order", "plain_errors", "progress", "warn"]

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130  # exit codes


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what a user can cause into one line and an exit code."""
    from scenes.stage import ParamError, UnknownActError, WordsError
    from scenes.stage.spoken import SpeechError
    from studio.errors import StudioError, UsageError, one_line

    try:
        yield
    except (ParamError, UnknownActError, UsageError) as error:
        _fail(str(error), WRONG_USAGE)
    except (StudioError, WordsError, SpeechError) as error:
        _fail(str(error), FAILED)
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        _fail("interrupted; finished beats are kept, run again to resume", INTERRUPTED)
    except Exception as error:  # a fault in an act or here; a developer asks for the traceback
        if "STUDIO_TRACEBACK" in os.environ:
            raise
        _fail(f"{one_line(error)} [STUDIO_TRACEBACK=1 shows more]", FAILED)


def _fail(message: str, code: int) -> NoReturn:
    print(f"render.py: {message}", file=sys.stderr)
    raise typer.Exit(code) from None


def warn(message: str) -> None:
    """Say something that does not stop the command."""
    print(f"render.py: warning: {message}", file=sys.stderr)


def make_order(act: str, quality: str = "hd", fps: int | None = None, language: str = "en",
               theme: str = "dark", settings: Sequence[str] | None = None) -> "Order":
    """An order from command-line values; `settings` are "name=value". Raises UsageError."""
    from studio.errors import UsageError
    from studio.render.order import Order

    pairs = {}
    for item in settings or []:
        name, sign, value = item.partition("=")
        if not sign:
            raise UsageError(f"--set {item}: expected name=value")
        pairs[name] = value
    return Order(act, quality, fps, language, theme, tuple(sorted(pairs.items())))


@contextmanager
def progress() -> Iterator["Report"]:
    """A bar with the time left; yields report(done, total, note)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.completed}/{task.total} frames"),
               TextColumn("{task.fields[rate]}"), TimeRemainingColumn(compact=True),
               TextColumn("{task.fields[note]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True,
                  disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, note="", rate="")

        def report(done: int, total: int, note: str) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total,
                       rate=f"{speed:.0f} fps" if speed else "")
            if note:
                bar.update(task, note=note)

        yield report
