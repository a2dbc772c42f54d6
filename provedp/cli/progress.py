"""How far a long run has come, on standard error: a bar in a terminal, else a line now and then."""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")

EVERY = 10.0  # seconds between two lines


def progress(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Yield `items` while standard error shows how many are done."""
    if not sys.stderr.isatty():
        yield from _told(items, total, label)
        return
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(items, total=total)


def _told(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    start, done, over = time.monotonic(), 0, threading.Event()

    def tell() -> None:
        while not over.wait(EVERY):
            click.echo(f"{label}: {done} of {total}, {time.monotonic() - start:.0f} s", err=True)

    threading.Thread(target=tell, daemon=True).start()
    try:
        for item in items:
            done += 1
            yield item
    finally:
        over.set()
