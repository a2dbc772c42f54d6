"""Rows of an experiment as text: tables that fit the width, and what each column is."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from provedp.experiments.columns import captions, describe, is_points
from provedp.experiments.rounding import shown_in

WIDEST = 100  # characters of a line where there is no terminal
KEYS = (
    "m", "i", "j", "decibels", "records", "epsilon", "classes", "features", "bound", "setting",
    "value", "method", "mode", "round", "class",
)  # fmt: skip

Row = dict[str, Any]


def tables(rows: Sequence[Row], width: int) -> Iterator[Table]:
    """Yield tables, side by side if they fit; each begins with the columns that tell rows apart."""
    columns = [name for name in rows[0] if not is_points(name)]
    cells = {name: [cell(row[name], name) for row in rows] for name in columns}
    sizes = {
        name: max(len(describe(name)[0]), *(len(text) for text in cells[name])) for name in columns
    }
    keys = [name for name in columns if name in KEYS]
    for block in _blocks([name for name in columns if name not in KEYS], keys, sizes, width):
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for name in [*keys, *block]:
            table.add_column(describe(name)[0], justify="right", no_wrap=True)
        for line in zip(*(cells[name] for name in [*keys, *block]), strict=True):
            table.add_row(*line)
        yield table


def legend(rows: Sequence[Row]) -> list[str]:
    """Return a line for each column: its heading, and what it is."""
    return [f"  {describe(name)[0]}: {caption}" for name, caption in captions(rows[0]).items()]


def cell(value: Any, column: str = "") -> str:
    """Return a number, a mean with its standard error, or a median with its quartiles.

    A single number in a column of bounds is rounded so that it stays one.
    """
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return shown_in(column, value)
    if len(value) == 2:
        return f"{value[0]:.4g} ± {value[1]:.2g}"
    low, middle, high = value
    return f"{middle:.4g} [{low:.3g}, {high:.3g}]"


def _blocks(
    names: Sequence[str], keys: Sequence[str], sizes: dict[str, int], width: int
) -> Iterator[list[str]]:
    """Yield columns that fit beside the keys, at least one at a time."""
    room = width - sum(sizes[name] + 2 for name in keys)
    block: list[str] = []
    for name in names:
        if block and sum(sizes[each] + 2 for each in [*block, name]) > room:
            yield block
            block = []
        block.append(name)
    yield block
