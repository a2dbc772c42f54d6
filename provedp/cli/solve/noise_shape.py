"""`provedp solve noise-shape`: the cheapest Gaussian noise above a set of displacements."""

import io
import json
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from provedp.verify.solvers.noise_shape.noise_shape import NoiseShape, noise_shape

GAP = 1e-9


@click.command("noise-shape")
@click.argument("points")
@click.option("--covariance", metavar="FILE", help="d × d CSV of Σ; without it, the identity.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_noise_shape(points: str, covariance: str | None, as_json: bool) -> int:
    """Find the least tr(Σ⁻¹Z) over matrices Z ⪰ ΔΔᵀ for every row Δ of POINTS.

    POINTS is a CSV file of floats, one displacement in each row; a line of column names may come
    first. The shape meets every constraint exactly as printed, and [lower, upper] is certain for
    the floats read. Points of the support are counted from 0.
    """
    table = read_floats(Path(points), "points")
    sigma = None if covariance is None else read_floats(Path(covariance), "covariance")
    found = noise_shape(table, sigma, GAP)
    click.echo(json.dumps(_report(found)) if as_json else _in_words(found))
    return 0


def read_floats(path: Path, name: str) -> NDArray[np.float64]:
    """Return the rows of a CSV file as floats, without a first line of column names.

    Raises
    ------
    ValueError
        If the file cannot be read, is empty, or its rows are ragged or hold what is no number.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ValueError(f"'{name}': {path} cannot be read: {reason}.") from None
    first, _, rest = content.lstrip().partition("\n")
    rows = rest if _is_header(first) else content
    if not rows.strip():
        raise ValueError(f"'{name}': {path} {'has no rows' if content.strip() else 'is empty'}.")
    try:
        return np.loadtxt(io.StringIO(rows), delimiter=",", ndmin=2, comments=None)
    except ValueError as error:
        raise ValueError(f"'{name}': {path}: {_first_fault(content) or error}.") from None


def _first_fault(content: str) -> str:
    """Return what is wrong with the first line that is no row of numbers like the one before."""
    width = None
    for number, line in enumerate(content.splitlines(), 1):
        cells = line.split(",")
        if not line.strip() or (width is None and _is_header(line)):
            continue
        for cell in cells:
            if not cell.strip() or not _is_number(cell):
                return f"{cell.strip()!r} in line {number} is not a number"
        if width not in (None, len(cells)):
            return f"{len(cells)} instead of {width} numbers in line {number}"
        width = len(cells)
    return ""


def _is_header(line: str) -> bool:
    """Whether every cell of a line is a name."""
    return bool(line.strip()) and not any(_is_number(cell) for cell in line.split(","))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return not cell.strip()
    return True


def _report(found: NoiseShape) -> dict[str, Any]:
    return {
        "value": found.value,
        "lower": found.lower,
        "upper": found.upper,
        "gap": found.gap,
        "shape": found.shape.tolist(),
        "support": list(found.support),
        "weights": list(found.weights),
    }


def _in_words(found: NoiseShape) -> str:
    missed = "" if found.gap <= GAP else f" (rounding does not allow {GAP:g})"
    lines = [
        f"tr(Σ⁻¹Z)    [{found.lower!r}, {found.upper!r}]",
        f"gap         {found.gap:.2g}{missed}",
        f"support     {len(found.support)} of the points: {', '.join(map(str, found.support))}",
        "Z",
        *("  " + "  ".join(f"{entry: .9e}" for entry in row) for row in found.shape),
    ]
    return "\n".join(lines)
