"""How far an audit is, on standard error: a bar on a terminal, else a line now and then."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from provedp.verify.audit.runs.plan import duration

EVERY = 10.0  # seconds between lines


@contextlib.contextmanager
def progress_bar() -> Iterator[Any]:
    """Yield what shows the progress of a phase: (name, runs done, runs in all)."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        tasks: dict[str, Any] = {}

        def show(phase: str, done: int, total: int) -> None:
            if phase not in tasks:
                tasks[phase] = bar.add_task(f"{phase:6}", total=total)
            bar.update(tasks[phase], completed=done, total=total)

        yield show


class Lines:
    """Writes a line every ten seconds, with the time that the rest of the phase should take."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._starts: dict[str, tuple[float, int]] = {}

    def __call__(self, phase: str, done: int, total: int) -> None:
        """Write that so many runs are done, if the last line is long enough ago."""
        now = time.monotonic()
        start, before = self._starts.setdefault(phase, (self._last, 0))
        if now - self._last < EVERY or done >= total:
            return
        self._last = now
        left = (now - start) * (total - done) / max(1, done - before)
        click.echo(
            f"provedp: {phase}: {done} of {total} runs, about {duration(left)} left", err=True
        )
