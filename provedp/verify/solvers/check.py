"""Check a certificate file with the standard library alone: no solver, no floating point.

    python provedp/verify/solvers/check.py FILE        exit status 0 valid, 1 invalid, 2 unreadable

A file is JSON; every number in it is a string such as "3/2", rows and columns count from 1:

    {"format": "provedp certificate 1",
     "problem": {"kind": "counting", "channel": null or T, "k": "3/2", "delta": "1/20"},
     "primal": P, "dual": {"y": [y_1, ...], "mu": [[a, b, j, mu_abj], ...]},
     "claim": {"error_lower": "...", "error_upper": "..."}}

T and P are lists of rows; null stands for the identity. The claim is about the least worst-case
error, 1 - max min_i Q_ii over Q = PT with P row-stochastic and Q (ln k, delta)-private.

Upper bound: P is row-stochastic, sum_j (Q_aj - k Q_bj)^+ <= delta for |a - b| = 1, and
1 - min_i Q_ii <= error_upper. Lower bound (weak duality): y >= 0 sums to 1, mu >= 0, and with
g_ij = y_i [i = j] - sum_b mu_ibj + k sum_a mu_aij, every such Q has
min_i Q_ii <= sum_i max_l sum_j T_lj g_ij + delta sum_ab max_j mu_abj <= 1 - error_lower.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

FORMAT = "provedp certificate 1"
MAX_DIGITS = 200_000  # of one number in a file

Rows = Sequence[Sequence[Fraction]]
Whole = list[list[int]]
Multipliers = Mapping[tuple[int, int], Sequence[Fraction]]


class CertificateError(ValueError):
    """A certificate that does not prove its claim."""


class UnreadableError(ValueError):
    """A document that is not in the format."""


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise CertificateError(complaint)


def _cleared(rows: Rows) -> tuple[Whole, int]:
    """Return integers and their common denominator; equal entries share one integer."""
    pairs = [[(entry.numerator, entry.denominator) for entry in row] for row in rows]
    scale = math.lcm(*{below for row in pairs for _, below in row})
    whole = {pair: pair[0] * (scale // pair[1]) for row in pairs for pair in row}
    return [[whole[pair] for pair in row] for row in pairs], scale


def _stochastic(rows: Rows, size: int, name: str) -> tuple[Whole, int]:
    whole, scale = _cleared(rows)
    _require(len(whole) == size, f"{name} has {len(whole)} rows instead of {size}.")
    for index, row in enumerate(whole, start=1):
        _require(len(row) == size, f"Row {index} of {name} has {len(row)} entries, not {size}.")
        _require(min(row) >= 0, f"Row {index} of {name} has a negative entry.")
        _require(sum(row) == scale, f"Row {index} of {name} does not sum to 1.")
    return whole, scale


def _combined(shares: Sequence[int], rows: Whole) -> list[int]:
    total = [0] * len(rows)
    for share, row in zip(shares, rows, strict=True):
        if share:
            total = [part + share * entry for part, entry in zip(total, row, strict=True)]
    return total


def _largest_product(rows: Whole, gain: Sequence[int]) -> int:
    places = [(j, value) for j, value in enumerate(gain) if value]
    return max(sum(row[j] * value for j, value in places) for row in rows)


def check_primal(
    mechanism: Rows, k: Fraction, delta: Fraction, channel: Rows | None = None
) -> Fraction:
    """Return the worst-case error of Q = PT; raise `CertificateError` unless P and Q qualify."""
    outputs, scale = _stochastic(mechanism, len(mechanism), "the primal matrix")
    if channel is not None:
        sent, sent_scale = _stochastic(channel, len(mechanism), "the channel")
        outputs = [_combined(row, sent) for row in outputs]
        scale *= sent_scale
    for a, b in _neighbours(len(outputs)):
        pair = outputs[a - 1], outputs[b - 1]
        gaps = (k.denominator * p - k.numerator * q for p, q in zip(*pair, strict=True))
        excess = sum(gap for gap in gaps if gap > 0)
        within = excess * delta.denominator <= delta.numerator * k.denominator * scale
        _require(within, f"Row {a} of the release exceeds delta against row {b}.")
    return 1 - Fraction(min(row[i] for i, row in enumerate(outputs)), scale)


def check_dual(
    weights: Sequence[Fraction],
    multipliers: Multipliers,
    k: Fraction,
    delta: Fraction,
    channel: Rows | None = None,
) -> Fraction:
    """Return the lower bound on the error that y and mu prove; raise `CertificateError` if none."""
    size = len(weights)
    _require(sum(weights) == 1 and min(weights) >= 0, "y is not a distribution.")
    _require(set(multipliers) <= set(_neighbours(size)), "mu joins rows that are no neighbours.")
    (shares, *rows), scale = _cleared([weights, *multipliers.values()])
    for row in rows:
        _require(len(row) == size and min(row) >= 0, "mu has a negative entry.")
    mu = dict(zip(multipliers, rows, strict=True))
    gains = [_gain(i, share, size, mu, k) for i, share in enumerate(shares, start=1)]
    bound = Fraction(sum(map(max, gains)), k.denominator)
    if channel is not None:
        sent, unit = _stochastic(channel, size, "the channel")
        best = (_largest_product(sent, gain) for gain in gains)
        bound = Fraction(sum(best), unit * k.denominator)
    return 1 - (bound + delta * sum(map(max, rows))) / scale


def _neighbours(size: int) -> list[tuple[int, int]]:
    return [pair for a in range(1, size) for pair in ((a, a + 1), (a + 1, a))]


def _gain(
    i: int, share: int, size: int, mu: Mapping[tuple[int, int], list[int]], k: Fraction
) -> list[int]:
    """Return row i of g times the denominators of the multipliers and of k."""
    gain = [0] * size
    gain[i - 1] = share * k.denominator
    for other in (i - 1, i + 1):
        for pair, factor in (((i, other), -k.denominator), ((other, i), k.numerator)):
            if pair in mu:
                gain = [g + factor * value for g, value in zip(gain, mu[pair], strict=True)]
    return gain


def check(document: Any) -> list[str]:
    """Return what a certificate proves, in sentences; raise an error of this module otherwise."""
    try:
        problem, dual, claim = document["problem"], document["dual"], document["claim"]
        known = document["format"] == FORMAT and problem["kind"] == "counting"
        k, delta = _number(problem["k"]), _number(problem["delta"])
        channel = None if problem["channel"] is None else _rows(problem["channel"])
        mechanism, (weights,) = _rows(document["primal"]), _rows([dual["y"]])
        lower, upper = _number(claim["error_lower"]), _number(claim["error_upper"])
        multipliers = _multipliers(dual["mu"], len(weights))
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise UnreadableError(f"The document lacks or garbles a part: {error}.") from None
    if not known:
        raise UnreadableError(f"The document is not of the format {FORMAT!r}.")
    _require(k >= 1 and 0 <= delta < 1, "k or delta is outside its range.")
    _require(len(weights) == len(mechanism) >= 2, "y and the primal matrix differ in size.")
    attained = check_primal(mechanism, k, delta, channel)
    _require(attained <= upper, f"The release errs by {float(attained)}, above the claim.")
    proved = check_dual(weights, multipliers, k, delta, channel)
    _require(proved >= lower, f"The multipliers prove only {float(proved)}, below the claim.")
    return [
        f"A private release errs with probability at most {upper}.",
        f"No private release errs with probability below {lower}.",
    ]


def _number(text: Any) -> Fraction:
    if not isinstance(text, str) or not re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", text, re.ASCII):
        raise ValueError(f"{text!r} is not a rational in quotes")
    return Fraction(text)


def _rows(table: Any) -> list[list[Fraction]]:
    return [[_number(entry) for entry in row] for row in table]


def _multipliers(entries: Any, size: int) -> dict[tuple[int, int], list[Fraction]]:
    mu: dict[tuple[int, int], list[Fraction]] = {}
    seen = set()
    for a, b, j, value in entries:
        inside = all(type(index) is int and 1 <= index <= size for index in (a, b, j))
        if not inside or (a, b, j) in seen:
            raise ValueError(f"mu has no or two places for {a}, {b}, {j}")
        seen.add((a, b, j))
        mu.setdefault((a, b), [Fraction(0)] * size)[j - 1] = _number(value)
    return mu


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one file and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a certificate without a solver.")
    parser.add_argument("file", help="a certificate, as JSON")
    path = parser.parse_args(arguments).file
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        with open(path, encoding="utf-8") as file:
            print("\n".join(check(json.load(file))))
    except CertificateError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    except (OSError, ValueError, RecursionError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
