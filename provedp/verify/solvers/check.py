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

Without a channel both points may be given by their structure, in three numbers and a place:

    {"format": "provedp certificate 2",
     "problem": {"kind": "counting", "channel": null, "m": 8, "k": "3/2", "delta": "1/20"},
     "primal": {"apex": a, "weight": w}, "dual": {"middle": c, "weight": v}, "claim": as above}

They stand for p_ij = w k^-d(i,j) + a [i = j] with d the distance around the circle of m counts, for
y_i = v k^-|i-c|, and for mu_abj = y_a at j <= a, b = a + 1 <= c and at j >= a, b = a - 1 >= c.

Upper bound: P is stochastic if a, w >= 0 and a + w sum_j k^-d(1,j) = 1. The distances s and t of a
column from two neighbours differ by at most 1, so w k^-s <= k w k^-t, with equality at t = s + 1.
So the excess of one row over the next is w + a - k w / k = a, and P is private if a <= delta. Lower
bound: y sums to 1 if v sum_i k^-|i-c| = 1. Row i < c of g is k y_(i-1) - y_i = 0 before the
diagonal, y_i - y_i = 0 on it and 0 after it; likewise for i > c. Row c is k y_(c-1) = k y_(c+1) = v
off the diagonal, and y_c = v on it. The largest mu of all pairs sum to 1 - v. So every private Q
has min_i Q_ii <= v + delta (1 - v).
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import Any

FORMAT = "provedp certificate 1"
STRUCTURED = "provedp certificate 2"
MAX_DIGITS = 200_000  # of one number in a file
LONG = 10**100  # denominators from which a number is told in DECIMALS decimals
DECIMALS = 30
MAX_BITS = 8 * MAX_DIGITS  # of the powers of k, of which a number in a file needs half

Rows = Sequence[Sequence[Fraction]]
Whole = list[list[int]]
Multipliers = Mapping[tuple[int, int], Sequence[Fraction]]
Bound = Callable[[], Fraction]


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


def _combined(shares: Sequence[int], columns: Whole) -> list[int]:
    return [sum(map(mul, shares, column)) for column in columns]


def _largest_product(rows: Whole, gain: Sequence[int]) -> int:
    products: list[int] = [sum(map(mul, row, gain)) for row in rows]
    return max(products)


def check_primal(
    mechanism: Rows, k: Fraction, delta: Fraction, channel: Rows | None = None
) -> Fraction:
    """Return the worst-case error of Q = PT; raise `CertificateError` unless P and Q qualify."""
    outputs, scale = _stochastic(mechanism, len(mechanism), "the primal matrix")
    if channel is not None:
        sent, sent_scale = _stochastic(channel, len(mechanism), "the channel")
        columns = [list(column) for column in zip(*sent, strict=True)]
        outputs = [_combined(row, columns) for row in outputs]
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


def check_circulant(
    size: int, k: Fraction, delta: Fraction, apex: Fraction, weight: Fraction
) -> Fraction:
    """Return the worst-case error of the circulant P; raise `CertificateError` if it is none."""
    _require(size >= 2 and min(apex, weight) >= 0, "The primal matrix has a negative entry.")
    total, scale = _total(size, size // 2 + 1, k)
    # Cross-multiplied, since numbers have as many digits as there are counts.
    rest = (apex.denominator - apex.numerator) * weight.denominator * scale
    sums = weight.numerator * total * apex.denominator == rest
    _require(sums, "The rows of the primal matrix do not sum to 1.")
    _require(apex <= delta, "The release exceeds delta.")
    return 1 - weight - apex


def check_peak(size: int, k: Fraction, delta: Fraction, middle: int, weight: Fraction) -> Fraction:
    """Return the lower bound on the error that y with a peak proves; raise `CertificateError`."""
    _require(1 <= middle <= size, "The middle of y is no count.")
    total, scale = _total(size, middle, k)
    _require(weight.numerator * total == weight.denominator * scale, "y is not a distribution.")
    return (1 - delta) * (1 - weight)


def _total(size: int, middle: int, k: Fraction) -> tuple[int, int]:
    """Return sum_i k^-|i - middle| over all counts i, as a numerator and a denominator."""
    sides = (middle - 1, size - middle)
    scale: int = k.numerator ** max(sides)
    series = (_series(k, side) * k.numerator ** (max(sides) - side) for side in sides)
    return sum(series) - scale, scale


def _series(k: Fraction, last: int) -> int:
    """Return (1 + 1/k + ... + 1/k^last) times the last power of the numerator of k."""
    if k == 1:
        return last + 1
    powers: int = k.numerator ** (last + 1) - k.denominator ** (last + 1)
    return powers // (k.numerator - k.denominator)


def check(document: Any) -> list[str]:
    """Return what a certificate proves, in sentences; raise an error of this module otherwise."""
    try:
        read = {FORMAT: _explicit, STRUCTURED: _structured}.get(document["format"])
        problem, claim = document["problem"], document["claim"]
        if read is None or problem["kind"] != "counting":
            raise UnreadableError(f"The document is not of the format {FORMAT!r} or 2.")
        k, delta = _number(problem["k"]), _number(problem["delta"])
        lower, upper = _number(claim["error_lower"]), _number(claim["error_upper"])
        primal, dual = read(document, k, delta)
    except UnreadableError:
        raise
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise UnreadableError(f"The document lacks or garbles a part: {error}.") from None
    _require(k >= 1 and 0 <= delta < 1, "k or delta is outside its range.")
    attained, proved = primal(), dual()
    _require(attained <= upper, f"The release errs by {float(attained)}, above the claim.")
    _require(proved >= lower, f"The multipliers prove only {float(proved)}, below the claim.")
    return [
        f"A private release errs with probability at most {_shown(upper, math.ceil)}.",
        f"No private release errs with probability below {_shown(lower, math.floor)}.",
    ]


def _shown(value: Fraction, rounded: Callable[[Fraction], int]) -> str:
    """Return a fraction, or its first decimals if it is long, rounded so that less is said."""
    if value.denominator < LONG:
        return str(value)
    digits = f"{rounded(value * 10**DECIMALS):0{DECIMALS + 1}d}"
    return f"{digits[:-DECIMALS]}.{digits[-DECIMALS:]}"


def _explicit(document: Any, k: Fraction, delta: Fraction) -> tuple[Bound, Bound]:
    """Return the checks of points that are written entry by entry."""
    channel = document["problem"]["channel"]
    channel = None if channel is None else _rows(channel)
    mechanism, (weights,) = _rows(document["primal"]), _rows([document["dual"]["y"]])
    multipliers = _multipliers(document["dual"]["mu"], len(weights))

    def primal() -> Fraction:
        _require(len(weights) == len(mechanism) >= 2, "y and the primal matrix differ in size.")
        return check_primal(mechanism, k, delta, channel)

    return primal, lambda: check_dual(weights, multipliers, k, delta, channel)


def _structured(document: Any, k: Fraction, delta: Fraction) -> tuple[Bound, Bound]:
    """Return the checks of points that are given by their structure."""
    problem, dual = document["problem"], document["dual"]
    apex, weight = (_number(document["primal"][name]) for name in ("apex", "weight"))
    size, middle, peak = problem["m"], dual["middle"], _number(dual["weight"])
    if problem["channel"] is not None or not all(type(n) is int for n in (size, middle)):
        raise ValueError("m and middle are whole numbers, and channel is null")
    if size * k.numerator.bit_length() > MAX_BITS:
        raise ValueError(f"powers of k up to {size} are longer than {MAX_BITS} bits")
    return (
        lambda: check_circulant(size, k, delta, apex, weight),
        lambda: check_peak(size, k, delta, middle, peak),
    )


def _number(text: Any) -> Fraction:
    if not isinstance(text, str) or not re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", text, re.ASCII):
        raise ValueError(f"{text!r} is not a rational in quotes")
    return Fraction(text)


def _rows(table: Any) -> list[list[Fraction]]:
    if not all(isinstance(row, (list, tuple)) for row in table):
        raise ValueError("a row is not a list")
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
