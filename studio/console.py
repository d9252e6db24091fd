"""What all commands share: orders from options, a progress bar, errors as one line and a code."""

import io
import os
import select
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from studio.render.order import Order
    from studio.render.pool import Report

__all__ = ["FAILED", "WRONG_USAGE", "folder", "make_order", "plain_errors",
           "progress", "run", "warn"]

FAILED, WRONG_USAGE, INTERRUPTED = 1, 2, 130  # exit codes
_RESUME = "finished beats are kept, run again to resume"


def run(app: typer.Typer) -> None:
    """Run the command line: any terminal, any way to be stopped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what it cannot show is spelled, not an error
            stream.reconfigure(errors="backslashreplace")
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _stop)
    os.environ.setdefault("PATH", os.defpath)  # what manim imports looks for programs there
    try:
        app()
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read has enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop(number: int, _: object) -> NoReturn:
    """End as after Ctrl-C: bar and scratch folder are cleared away."""
    print(f"render.py: ended by a signal; {_RESUME}", file=sys.stderr)
    raise SystemExit(128 + number)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn what a user can cause into one line and an exit code."""
    try:
        from scenes.stage import ParamError, UnknownActError
        from studio.errors import UsageError, one_line

        try:
            yield
        except (ParamError, UnknownActError, UsageError) as error:
            _fail(str(error), WRONG_USAGE)
    except typer.Exit:
        raise
    except KeyboardInterrupt:
        _fail(f"interrupted; {_RESUME}", INTERRUPTED)
    except ModuleNotFoundError as error:
        _fail(f"{error.name} is missing: run ./setup.sh, then use .venv/bin/python", FAILED)
    except Exception as error:  # a developer asks for the traceback of what should not happen
        if "STUDIO_TRACEBACK" in os.environ:
            raise
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            raise typer.Exit(0) from None
        _fail(one_line(error), FAILED)


def _nobody_reads() -> bool:
    """Whether standard output is a pipe whose reader has gone."""
    poll = select.poll()
    poll.register(1, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _fail(message: str, code: int) -> NoReturn:
    print(f"render.py: {message}", file=sys.stderr)
    raise typer.Exit(code) from None


def warn(message: str) -> None:
    """Say something that does not stop the command."""
    print(f"render.py: warning: {message}", file=sys.stderr)


def folder(text: str | Path) -> Path:
    """A folder from the command line, or a default; "" is none (`--out .` is the current one)."""
    if not str(text) or "\0" in str(text):
        raise typer.BadParameter("a folder's name is needed; `.` is the current folder")
    return Path(text)


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
        if name in pairs:
            raise UsageError(f"--set {item}: {name} is set twice")
        pairs[name] = value
    return Order(act, quality, fps, language, theme, tuple(sorted(pairs.items())))


@contextmanager
def progress() -> Iterator["Report"]:
    """A bar with the time left; yields report(done, total, note)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[frames]}"),
               TextColumn("{task.fields[rate]}"), TimeRemainingColumn(compact=True),
               TextColumn("{task.fields[note]}"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True,
                  disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, note="", rate="", frames="")

        def report(done: int, total: int, note: str) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, frames=f"{done}/{total} frames",
                       rate=f"{speed:.0f} fps" if speed else "")
            if note:
                bar.update(task, note=note)

        yield report
