"""`provedp solve noise-shape`: the cheapest Gaussian noise above a set of displacements."""

import json
from pathlib import Path
from typing import Any

import click

from provedp.cli.matrices import read_floats
from provedp.cli.refusals import quoted
from provedp.verify.solvers.noise_shape.noise_shape import NoiseShape, noise_shape

GAP = 1e-9


@click.command("noise-shape")
@click.argument("points")
@click.option("--covariance", metavar="FILE", help="d × d CSV of Σ; without it, the identity.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_noise_shape(points: str, covariance: str | None, as_json: bool) -> int:
    """Find the least tr(Σ⁻¹Z) over matrices Z ⪰ ΔΔᵀ for every row Δ of POINTS.

    POINTS is a CSV, Parquet or .npy file of numbers, one displacement in each row; a line of column
    names may come first in CSV. There may be up to 1000 coordinates and 10^7 numbers. The shape
    meets every constraint exactly as printed, and [lower, upper] is certain for the floats read.
    Points of the support are counted from 0.
    """
    with quoted():
        table = read_floats(Path(points), "points")
        sigma = None if covariance is None else read_floats(Path(covariance), "covariance")
    found = noise_shape(table, sigma, GAP)
    click.echo(json.dumps(_report(found)) if as_json else _in_words(found))
    return 0


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
