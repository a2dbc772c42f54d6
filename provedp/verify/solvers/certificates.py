"""Certificates as files, in the format that `verify.check` reads and documents."""

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import fmpq

from provedp.theory.domain import check_argument
from provedp.theory.numbers import rational
from provedp.verify import files
from provedp.verify.solvers.channel.bracket import Bracket, Problem, RationalChannel, RationalReals
from provedp.verify.solvers.channel.canonical import Canonical
from provedp.verify.solvers.check import FORMAT, MAX_BITS, STRUCTURED, Release
from provedp.verify.solvers.release.problem import ReleaseBracket

__all__ = ["document", "problem", "release_document", "require_length", "text", "write"]


def require_length(m: int, k: Fraction) -> None:
    """Refuse a problem without a channel whose certificate the checker would not read.

    Raises
    ------
    ValueError
        If its numbers would be too long.
    """
    if m * k.numerator.bit_length() > MAX_BITS:
        raise ValueError(
            f"A certificate for {m} counts would hold numbers that are too long at this ε: the "
            f"counts times the bits of the numerator of e^ε may be {MAX_BITS} at most."
        )


def problem(channel: Any, k: Any, delta: Any) -> Problem:
    """Return the problem that a certificate is about.

    Parameters
    ----------
    channel
        Row-stochastic rational M × M matrix, or None for the identity.
    k
        e^ε ≥ 1, rational.
    delta
        δ in [0, 1), rational.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    where = "certificates.problem"
    table = None
    if channel is not None:
        table = check_argument(where, "channel", RationalChannel(), channel)
    ratio = check_argument(where, "k", RationalReals(1), k)
    slack = check_argument(where, "delta", RationalReals(0, 1, open_high=True), delta)
    return Problem(table, ratio, slack)


def document(bracket: Bracket, problem: Problem) -> dict[str, Any]:
    """Return the certificate of a bracket as JSON data.

    Parameters
    ----------
    bracket
        Bounds and the points that prove them.
    problem
        The problem that they are about.

    Returns
    -------
    A dictionary of lists and strings. Points that are known by their structure are written by it;
    else zeros of μ are left out.

    """
    claim = {"error_lower": text(bracket.lower), "error_upper": text(bracket.upper)}
    if isinstance(bracket.points, Canonical):
        return _structured(bracket.points, claim)
    channel = problem.channel
    dual = bracket.dual
    return {
        "format": FORMAT,
        "problem": {
            "kind": "counting",
            "channel": None if channel is None else [_texts(row) for row in channel],
            "k": text(problem.k),
            "delta": text(problem.delta),
        },
        "primal": [_texts(row) for row in bracket.primal],
        "dual": {
            "y": _texts(dual.weights),
            "mu": [
                [a, b, j, text(value)]
                for (a, b), row in sorted(dual.multipliers.items())
                for j, value in enumerate(row, start=1)
                if value != 0
            ],
        },
        "claim": claim,
    }


def _structured(points: Canonical, claim: dict[str, str]) -> dict[str, Any]:
    weight, delta = points.weight, points.delta
    k, m = text(points.k), points.m
    return {
        "format": STRUCTURED,
        "problem": {"kind": "counting", "channel": None, "m": m, "k": k, "delta": text(delta)},
        "primal": {"apex": text(delta), "weight": text((1 - delta) * weight)},
        "dual": {"middle": points.middle, "weight": text(weight)},
        "claim": claim,
    }


def release_document(
    problem: Release, first: ReleaseBracket, second: ReleaseBracket
) -> dict[str, Any]:
    """Return the certificate of a release as JSON data.

    Parameters
    ----------
    problem
        The problem that it is about.
    first, second
        Brackets at the lower and at the upper k, which give the primal and the dual point.
    """
    dual = second.dual
    multipliers: dict[str, Any] = {"lambda": _texts(dual.shares or ())}
    if dual.shares is None:
        multipliers = {
            "mu": [
                [a, b, j, text(value)]
                for (a, b), row in sorted(dual.mu.items())
                for j, value in enumerate(row, start=1)
                if value != 0
            ],
            "nu": [[name, place, text(value)] for (name, place), value in dual.nu.items()],
        }
    return {
        "format": FORMAT,
        "problem": {
            "kind": "release",
            "loss": [_texts(row) for row in problem.loss],
            "prior": None if problem.prior is None else _texts(problem.prior),
            "edges": [list(edge) for edge in problem.edges],
            "k_lower": text(problem.k_lower),
            "k_upper": text(problem.k_upper),
            "delta": text(problem.delta),
            "side": list(problem.side),
        },
        "primal": [_texts(row) for row in first.primal],
        "dual": {"y": _texts(dual.y), **multipliers},
        "claim": {"value_lower": text(second.lower), "value_upper": text(first.upper)},
    }


def write(bracket: Bracket, problem: Problem, path: str | os.PathLike[str]) -> None:
    """Write the certificate of a bracket; the file appears complete or not at all.

    Parameters
    ----------
    bracket
        Bounds and the points that prove them.
    problem
        The problem that they are about.
    path
        Where to write; an existing file is replaced.

    Raises
    ------
    ValueError
        If the folder cannot be written to.
    """
    files.write(Path(path), json.dumps(document(bracket, problem)) + "\n")


def _texts(values: Any) -> list[str]:
    return [text(value) for value in values]


def text(value: Fraction) -> str:
    """Return a fraction in digits; unlike Python, flint has no limit on their number."""
    exact = rational(value)
    return str(fmpq(exact.numerator, exact.denominator))
