"""`provedp solve profile`: how private a matrix, or a pair of distributions, is."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import numpy as np
from flint import arb, ctx

from provedp.cli.numbers import BITS, down, exact, exact_or_ball, ratio, up
from provedp.cli.tables import read_file
from provedp.theory.domain import StochasticMatrix, check_argument
from provedp.theory.matrices import ROW_SUM_TOLERANCE, Matrix, matrix
from provedp.theory.numbers import Field, Number, ball, dyadic, field_of, rational
from provedp.theory.privacy.finite import PathEvent, require_equal_supports, worst_path_event
from provedp.verify.accounting.path_ratio import least_path_ratio

WHERE = "solve profile"


@click.command("profile")
@click.argument("file")
@click.option("--epsilon", help="ε in nats: a number, or ln(3/2).")
@click.option("--delta", help="Instead of --epsilon: find the least ε for this δ in [0, 1).")
@click.option(
    "--floats",
    is_flag=True,
    help=f"The entries are rounded: a row may miss 1 by {ROW_SUM_TOLERANCE:g}, and is divided by "
    f"its sum.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def solve_profile(
    file: str, epsilon: str | None, delta: str | None, floats: bool, as_json: bool
) -> int:
    """Find the least δ (or, with --delta, the least ε) of the mechanism in FILE.

    FILE holds a row-stochastic matrix as CSV or JSON, of which consecutive rows are compared in
    both orders; or a JSON object {"p": […], "q": […]}. Entries like 1/3 and 0.1 are exact. Rows and
    outcomes are counted from 0.
    """
    if (epsilon is None) == (delta is None):
        raise ValueError("Give either --epsilon or --delta.")
    with ctx.workprec(BITS):
        rows = read_rows(Path(file), floats)
        k = ratio(WHERE, epsilon) if epsilon is not None else _least_ratio(rows, str(delta))
        report = _report(rows, k, epsilon, delta)
    click.echo(json.dumps(report, ensure_ascii=False) if as_json else _in_words(report))
    return 0


def read_rows(path: Path, floats: bool) -> Matrix:
    """Return the rows of a file as a stochastic matrix of fractions, or balls if one is irrational.

    Raises
    ------
    ValueError
        If the file cannot be read, or its rows are of different lengths or do not sum to 1.
    """
    table = read_file(path, "file")
    if not isinstance(table[0], list):
        raise ValueError(f"'file': {path} holds one list, not rows.")
    if len(table) == 2:
        require_equal_supports(*table)
    rows = matrix([[exact_or_ball(entry) for entry in row] for row in table])
    if floats:
        rows = _normalised(rows)
    read: Matrix = check_argument(WHERE, "file", StochasticMatrix(square=False), rows)
    return read


def _normalised(rows: Matrix) -> Matrix:
    """Return the rows divided by their sums, which must be close to 1."""
    if field_of(rows[0, 0]) > Field.FLINT:
        raise ValueError("'file': --floats is for entries that are decimals or fractions.")
    check_argument(WHERE, "file", StochasticMatrix(square=False), matrix(rows, Field.FLOAT))
    return np.array([row / sum(row) for row in rows], dtype=object)


def _least_ratio(rows: Matrix, delta: str) -> Number | None:
    if field_of(rows[0, 0]) > Field.FLINT:
        raise ValueError("The least ε is found for rational entries alone.")
    return least_path_ratio(rows, exact(WHERE, "delta", delta))


def _report(
    rows: Matrix, k: Number | None, epsilon: str | None, delta: str | None
) -> dict[str, Any]:
    if k is None:
        return {"epsilon": None, "k": None, "delta": delta, "delta_exact": None}
    worst = worst_path_event(rows, k)
    is_exact = field_of(worst.delta) is Field.RATIONAL
    return {
        "epsilon": epsilon if delta is None else up(_upper(_ball(k).log())),
        "k": None if isinstance(k, arb) else str(k),
        "delta": _ends(worst),
        "delta_exact": str(worst.delta) if is_exact else None,
        "worst_pair": list(worst.pair),
        "worst_event": list(worst.outcomes),
    }


def _ends(worst: PathEvent) -> list[float]:
    value = worst.delta
    if isinstance(value, arb):
        return [max(0.0, down(dyadic(value.lower()))), up(_upper(value))]
    return [down(rational(value)), up(rational(value))]


def _ball(k: Number) -> arb:
    return ball(k)


def _upper(value: arb) -> Fraction:
    return dyadic(value.upper())


def _in_words(report: dict[str, Any]) -> str:
    if report["k"] is None and report["epsilon"] is None:
        return f"no ε is enough for δ = {report['delta']}: an outcome is possible for one row alone"
    lower, upper = report["delta"]
    equals = f" = {report['delta_exact']}" if report["delta_exact"] else ""
    ratio_text = f" (e^ε = {report['k']})" if report["k"] else ""
    a, b = report["worst_pair"]
    return "\n".join(
        [
            f"ε           {report['epsilon']}{ratio_text}",
            f"δ           {f'{upper:.12g}' if equals else f'[{lower!r}, {upper!r}]'}{equals}",
            f"worst pair  row {a} against row {b}",
            f"worst event {report['worst_event']}",
        ]
    )
