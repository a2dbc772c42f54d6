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

A release for any loss and any neighbours has another problem, other multipliers and claim, in the
first format:

    {"problem": {"kind": "release", "loss": L, "prior": null or w, "edges": [[1, 2], ...],
                 "k_lower": "2", "k_upper": "2", "delta": "0", "side": ["fair", ...]},
     "primal": P, "dual": {"y": [...], "mu": [[a, b, j, mu_abj], ...], "nu": [[name, n, v], ...]}
                       or {"y": [...], "lambda": [lambda_1, ...]},
     "claim": {"value_lower": "...", "value_upper": "..."}}

L and P are M x N, counts joined by an edge are neighbours in both orders, and the claim is about
the least loss: max_i of sum_j L_ij P_ij, or with a prior the sum of w_i times it. k_lower and
k_upper enclose an irrational k = e^epsilon: P is (ln k_lower, delta)-private, and the lower bound
holds for all (ln k_upper, delta)-private releases. P keeps the rows r.P <= s (or = s) of each side
condition, numbered from 1 as `side_rows` lists them.

Lower bound: y >= 0 sums to 1, and is w if there is a prior; mu >= 0, nu >= 0 where the row is no
equation, and with c_ij = y_i L_ij + sum_b mu_ibj - k sum_b mu_bij + sum_n nu_n r_nij, every such P
loses at least sum_i min_j c_ij - delta sum_ab max_j mu_abj - sum_n nu_n s_n. For counts in a row
(every edge is i, i + 1) and delta = 0 lambda does as well: a column x of P has entries within a
factor k of the next, and if sum_i (y_i L_ij - lambda_i) x_i >= 0 for all such x >= 0 and all j,
the loss is at least sum_ij lambda_i P_ij = sum_i lambda_i. The least such sum over i, ..., M with
x_i = 1 is f_i = y_i L_ij - lambda_i + min(k f, f / k), f = f_(i+1); f_1 >= 0 is the condition.

Guesses about the coins of one run have the kind "one-run":

    {"format": "provedp certificate 1",
     "problem": {"kind": "one-run", "canaries": m, "guesses": r, "right": v,
                 "k": "3", "delta": "1/20"},
     "primal": null or {"law": [p_0, ..., p_r]}, "dual": {"base": "...", "z": [z_1, ..., z_r]},
     "claim": {"probability_lower": "...", "probability_upper": "..."}}

Each of m canaries is in by a fair coin of its own, and the claim is about the greatest probability
that v or more of r guesses, r fixed, are right, over all (ln k, delta)-private mechanisms. Let p be
the law of the number of right guesses. "Guess j is right, and their number is in I" becomes, with
the coin of j turned over, "guess j is wrong, and their number is in I - 1": summed over j and
averaged over the coins, sum_(i in I) (i p_i - k (r - i + 1) p_(i-1)) <= m delta for every I. So for
z_i between 0 and w, sum_i z_i (i p_i - k (r - i + 1) p_(i-1)) <= w m delta.

Upper bound: with z_0 = z_(r+1) = 0, [i >= v] <= base + i z_i - k (r - i) z_(i+1) for i = 0, ..., r
gives P(V >= v) <= base + m delta max z. Lower bound: a law p is that of the mechanism that makes r
of m guesses at random and so many of them right, at random; it is private if
sum_i (i p_i - k (r - i + 1) p_(i-1))^+ and sum_i ((r - i) p_i - k (i + 1) p_(i+1))^+ are at most
m delta.
"""

import argparse
import itertools
import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
Proof = Callable[[], list[str]]


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


def _stochastic(rows: Rows, size: int, name: str, width: int | None = None) -> tuple[Whole, int]:
    whole, scale = _cleared(rows)
    width = size if width is None else width
    _require(len(whole) == size, f"{name} has {len(whole)} rows instead of {size}.")
    for index, row in enumerate(whole, start=1):
        _require(len(row) == width, f"Row {index} of {name} has {len(row)} entries, not {width}.")
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
    _require_privacy(outputs, scale, k, delta, _neighbours(len(outputs)))
    return 1 - Fraction(min(row[i] for i, row in enumerate(outputs)), scale)


def _require_privacy(
    outputs: Whole, scale: int, k: Fraction, delta: Fraction, pairs: Iterable[tuple[int, int]]
) -> None:
    for a, b in pairs:
        pair = outputs[a - 1], outputs[b - 1]
        gaps = (k.denominator * p - k.numerator * q for p, q in zip(*pair, strict=True))
        excess = sum(gap for gap in gaps if gap > 0)
        within = excess * delta.denominator <= delta.numerator * k.denominator * scale
        _require(within, f"Row {a} of the release exceeds delta against row {b}.")


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


@dataclass(frozen=True)
class Release:
    """The least loss of a private release: what a certificate of the kind "release" is about."""

    loss: Rows
    prior: Sequence[Fraction] | None
    edges: Sequence[tuple[int, int]]
    k_lower: Fraction
    k_upper: Fraction
    delta: Fraction
    side: Sequence[str] = ()

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Neighbouring counts, in both orders."""
        return [pair for a, b in self.edges for pair in ((a, b), (b, a))]

    @property
    def is_path(self) -> bool:
        """Whether every edge joins a count to the next."""
        return all(abs(a - b) == 1 for a, b in self.edges)


@dataclass(frozen=True)
class ReleaseDual:
    """Multipliers that bound the loss from below: mu and nu, or lambda."""

    y: Sequence[Fraction]
    mu: Multipliers = field(default_factory=dict)
    nu: Mapping[tuple[str, int], Fraction] = field(default_factory=dict)
    shares: Sequence[Fraction] | None = None  # lambda


@dataclass(frozen=True)
class SideRow:
    """A row sum of coefficients times P_ij <= bound, or = bound."""

    terms: tuple[tuple[int, int, int], ...]
    bound: Fraction = Fraction(0)
    is_equation: bool = False


def _pair(i: int, j: int, a: int, b: int, is_equation: bool = False) -> SideRow:
    return SideRow(((i, j, 1), (a, b, -1)), is_equation=is_equation)


def _falling_rows(size: int) -> Iterator[SideRow]:
    for i in range(1, size + 1):
        for j in range(1, size):
            yield _pair(i, j + 1, i, j) if j >= i else _pair(i, j, i, j + 1)


def _falling_columns(size: int) -> Iterator[SideRow]:
    for row in _falling_rows(size):
        yield SideRow(tuple((j, i, factor) for i, j, factor in row.terms))


def _places(size: int) -> Iterator[tuple[int, int]]:
    return itertools.product(range(1, size + 1), range(1, size + 1))


def _mirrored(size: int) -> Iterator[SideRow]:
    for i, j in _places(size):
        if (i, j) < (size + 1 - i, size + 1 - j):
            yield _pair(i, j, size + 1 - i, size + 1 - j, is_equation=True)


SIDES = {
    "symmetric": lambda size: list(_mirrored(size)),
    "fair": lambda size: [_pair(i, i, i + 1, i + 1, True) for i in range(1, size)],
    "row-monotone": lambda size: list(_falling_rows(size)),
    "column-monotone": lambda size: list(_falling_columns(size)),
    "row-honest": lambda size: [_pair(i, j, i, i) for i, j in _places(size) if i != j],
    "column-honest": lambda size: [_pair(i, j, j, j) for i, j in _places(size) if i != j],
    "weakly-honest": lambda size: [
        SideRow(((i, i, -1),), Fraction(-1, size)) for i in range(1, size + 1)
    ],
}  # of Cormode, Kulkarni and Srivastava (2018), for as many outputs as counts


def side_rows(name: str, size: int) -> list[SideRow]:
    """Return the rows of a side condition, in the order in which nu numbers them from 1.

    symmetric: P_ij = P_(M+1-i)(M+1-j); fair: P_ii is constant; monotone: P_ij falls as j moves away
    from i (row) or i from j (column); honest: P_ij <= P_ii (row) or P_jj (column), P_ii >= 1/M.
    """
    return SIDES[name](size)


def check_release(mechanism: Rows, problem: Release) -> Fraction:
    """Return the loss of P; raise `CertificateError` unless it is a release as asked for."""
    size, width = len(problem.loss), len(problem.loss[0])
    outputs, scale = _stochastic(mechanism, size, "the primal matrix", width)
    _require_privacy(outputs, scale, problem.k_lower, problem.delta, problem.pairs)
    for name in problem.side:
        for row in side_rows(name, size):
            total = sum(factor * outputs[i - 1][j - 1] for i, j, factor in row.terms)
            kept = total == row.bound * scale if row.is_equation else total <= row.bound * scale
            _require(kept, f"The primal matrix breaks a row of the condition {name!r}.")
    costs, unit = _cleared(problem.loss)
    losses = [
        sum(cost * share for cost, share in zip(*rows, strict=True) if cost)
        for rows in zip(costs, outputs, strict=True)
    ]
    if problem.prior is None:
        return Fraction(max(losses), scale * unit)
    mean = sum((w * x for w, x in zip(problem.prior, losses, strict=True)), start=Fraction(0))
    return mean / (scale * unit)


def check_release_dual(dual: ReleaseDual, problem: Release) -> Fraction:
    """Return the lower bound on the loss that the multipliers prove; raise if they prove none."""
    y = dual.y
    _require(len(y) == len(problem.loss), "y has not as many entries as there are counts.")
    _require(sum(y) == 1 and min(y) >= 0, "y is not a distribution.")
    _require(problem.prior is None or list(y) == list(problem.prior), "y is not the prior.")
    costs = [[share * entry for entry in row] for share, row in zip(y, problem.loss, strict=True)]
    if dual.shares is not None:
        return _bound_of_shares(dual.shares, costs, problem)
    return _bound_of_multipliers(dual, costs, problem)


def _bound_of_shares(
    shares: Sequence[Fraction], costs: list[list[Fraction]], problem: Release
) -> Fraction:
    _require(problem.is_path and problem.delta == 0, "lambda is for counts in a row and delta = 0.")
    _require(len(shares) == len(costs), "lambda has not as many entries as there are counts.")
    k = problem.k_upper
    for j in range(len(costs[0])):
        least = Fraction(0)
        for row, share in zip(reversed(costs), reversed(shares), strict=True):
            least = row[j] - share + (least / k if least > 0 else least * k)
        _require(least >= 0, f"lambda charges output {j + 1} more than it loses.")
    return sum(shares, start=Fraction(0))


def _bound_of_multipliers(
    dual: ReleaseDual, costs: list[list[Fraction]], problem: Release
) -> Fraction:
    size, width, k = len(costs), len(costs[0]), problem.k_upper
    _require(set(dual.mu) <= set(problem.pairs), "mu joins rows that are no neighbours.")
    for (a, b), row in dual.mu.items():
        _require(len(row) == width and min(row) >= 0, "mu has a negative entry.")
        for j, value in enumerate(row):
            if value:
                costs[a - 1][j] += value
                costs[b - 1][j] -= k * value
    known = {name: side_rows(name, size) for name in problem.side}
    charged = problem.delta * sum((max(row) for row in dual.mu.values()), start=Fraction(0))
    for (name, place), value in dual.nu.items():
        _require(name in known and 1 <= place <= len(known[name]), "nu names a row that is absent.")
        side = known[name][place - 1]
        _require(side.is_equation or value >= 0, "nu has a negative entry.")
        charged += value * side.bound
        for i, j, factor in side.terms:
            costs[i - 1][j - 1] += value * factor
    return sum(map(min, costs), start=Fraction(0)) - charged


def check(document: Any) -> list[str]:
    """Return what a certificate proves, in sentences; raise an error of this module otherwise."""
    try:
        read = READERS.get((document["format"], document["problem"]["kind"]))
        proof = None if read is None else read(document)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise UnreadableError(f"The document lacks or garbles a part: {error}.") from None
    if proof is None:
        raise UnreadableError(f"The document is not of the format {FORMAT!r} or 2.")
    return proof()


def _read_counting(document: Any, points: Callable[..., tuple[Bound, Bound]]) -> Proof:
    problem, claim = document["problem"], document["claim"]
    k, delta = _number(problem["k"]), _number(problem["delta"])
    lower, upper = _number(claim["error_lower"]), _number(claim["error_upper"])
    primal, dual = points(document, k, delta)
    return lambda: _check_counting(k, delta, lower, upper, primal, dual)


def _check_counting(
    k: Fraction, delta: Fraction, lower: Fraction, upper: Fraction, primal: Bound, dual: Bound
) -> list[str]:
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


def _read_release(document: Any) -> Proof:
    given, dual, claim = document["problem"], document["dual"], document["claim"]
    _require_keys(document, "format problem primal dual claim")
    _require_keys(given, "kind loss prior edges k_lower k_upper delta side")
    _require_keys(dual, "y lambda" if "lambda" in dual else "y mu nu")
    _require_keys(claim, "value_lower value_upper")
    lists = [given["edges"], given["side"], *(dual[key] for key in dual)]
    if not all(isinstance(each, list) for each in lists):
        raise ValueError("edges, side or a part of dual is no list")
    loss = _rows(given["loss"])
    prior = None if given["prior"] is None else _rows([given["prior"]])[0]
    numbers = [_number(given[name]) for name in ("k_lower", "k_upper", "delta")]
    edges = [_edge(entry, len(loss)) for entry in given["edges"]]
    side = [str(name) for name in given["side"]]
    if not set(side) <= set(SIDES) or len(set(side)) < len(side):
        raise ValueError(f"{side} are not all side conditions, each once")
    k_lower, k_upper, delta = numbers
    problem = Release(loss, prior, edges, k_lower, k_upper, delta, side)
    shares = _rows([dual["lambda"]])[0] if "lambda" in dual else None
    places = [] if shares is not None else dual["mu"]
    multipliers = _multipliers(places, len(loss), len(loss[0]))
    rows = _side_multipliers([] if shares is not None else dual["nu"])
    read = ReleaseDual(_rows([dual["y"]])[0], multipliers, rows, shares)
    bounds = [_number(claim[name]) for name in ("value_lower", "value_upper")]
    mechanism = _rows(document["primal"])
    return lambda: _check_release(problem, mechanism, read, *bounds)


def _check_release(
    problem: Release, mechanism: Rows, dual: ReleaseDual, lower: Fraction, upper: Fraction
) -> list[str]:
    require_problem(problem)
    attained = check_release(mechanism, problem)
    _require(attained <= upper, f"The release loses {float(attained)}, above the claim.")
    proved = check_release_dual(dual, problem)
    _require(proved >= lower, f"The multipliers prove only {float(proved)}, below the claim.")
    what = "worst-case loss" if problem.prior is None else "expected loss"
    first, second = (f"(ln({k}), {problem.delta})" for k in (problem.k_lower, problem.k_upper))
    kept = f" that is {', '.join(problem.side)}" if problem.side else ""
    return [
        f"A {first}-private release{kept} has {what} at most {upper}.",
        f"No {second}-private release{kept} has {what} below {lower}.",
    ]


def require_problem(problem: Release) -> None:
    """Raise `CertificateError` unless loss, prior, edges, k and delta are in their ranges."""
    size, width = len(problem.loss), len(problem.loss[0])
    inside = 1 <= problem.k_lower <= problem.k_upper and 0 <= problem.delta < 1
    _require(inside, "k or delta is outside its range.")
    _require(size >= 2 and width >= 1, "There are fewer than two counts, or no outputs.")
    _require(all(len(row) == width for row in problem.loss), "The loss has rows of two lengths.")
    _require(min(map(min, problem.loss)) >= 0, "The loss has a negative entry.")
    if problem.prior is not None:
        fits = len(problem.prior) == size and sum(problem.prior) == 1 and min(problem.prior) >= 0
        _require(fits, "The prior is not a distribution.")
    _require(not problem.side or size == width, "A side condition needs as many outputs as counts.")
    distinct = {frozenset(edge) for edge in problem.edges}
    _require(len(distinct) == len(problem.edges), "An edge is there twice.")
    _require(all(len(edge) == 2 for edge in distinct), "An edge joins a count to itself.")
    _require(len(_reached(problem.pairs)) == size, "The edges do not connect all counts.")


def _reached(pairs: Sequence[tuple[int, int]]) -> set[int]:
    """Return the counts that edges connect to the first."""
    reached, new = set[int](), {1}
    while new:
        reached |= new
        new = {b for a, b in pairs if a in new} - reached
    return reached


def _read_one_run(document: Any) -> Proof:
    problem, claim = document["problem"], document["claim"]
    canaries, guesses, right = (problem[name] for name in ("canaries", "guesses", "right"))
    if not all(type(size) is int for size in (canaries, guesses, right)):
        raise ValueError("canaries, guesses and right are whole numbers")
    k, delta, base = (
        _number(x) for x in (problem["k"], problem["delta"], document["dual"]["base"])
    )
    multipliers = _rows([document["dual"]["z"]])[0]
    law = None if document["primal"] is None else _rows([document["primal"]["law"]])[0]
    bounds = [_number(claim[name]) for name in ("probability_lower", "probability_upper")]
    run = OneRun(canaries, guesses, right, k, delta)
    return lambda: _check_one_run(run, law, base, multipliers, *bounds)


@dataclass(frozen=True)
class OneRun:
    """Coins of canaries, guesses about them and right guesses; k and delta of the mechanism."""

    canaries: int
    guesses: int
    right: int
    k: Fraction
    delta: Fraction

    def gains(self, law: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """Return what a law gains over the factor k, by both directions of a coin."""
        r, k, nothing = self.guesses, self.k, Fraction(0)
        up = [i * law[i] - k * (r - i + 1) * law[i - 1] for i in range(1, r + 1)]
        down = [(r - i) * law[i] - k * (i + 1) * law[i + 1] for i in range(r)]
        return (
            sum((max(x, nothing) for x in up), nothing),
            sum((max(x, nothing) for x in down), nothing),
        )


def _check_one_run(
    run: OneRun,
    law: Sequence[Fraction] | None,
    base: Fraction,
    multipliers: Sequence[Fraction],
    lower: Fraction,
    upper: Fraction,
) -> list[str]:
    inside = 1 <= run.right <= run.guesses <= run.canaries and run.k >= 1 and 0 <= run.delta < 1
    _require(inside, "canaries, guesses, right, k or delta is outside its range.")
    proved = check_right_guesses(run, base, multipliers)
    _require(proved <= upper, f"The multipliers prove only {float(proved)}, above the claim.")
    attained = Fraction(0) if law is None else check_law(run, law)
    _require(attained >= lower, f"The law attains only {float(attained)}, below the claim.")
    who = f"(ln({run.k}), {run.delta})-private"
    what = f"{run.right} or more of {run.guesses} guesses about {run.canaries} coins right"
    sentences = [f"No {who} mechanism lets {what} with probability above {_ceiling(upper)}."]
    if law is not None:
        sentences.append(f"One {who} mechanism lets {what} with probability {_floor(lower)}.")
    return sentences


def _ceiling(probability: Fraction) -> str:
    return _shown(probability, math.ceil)


def _floor(probability: Fraction) -> str:
    return _shown(probability, math.floor)


def check_right_guesses(run: OneRun, base: Fraction, multipliers: Sequence[Fraction]) -> Fraction:
    """Return the bound that multipliers prove; raise `CertificateError` unless they are ones."""
    r = run.guesses
    _require(len(multipliers) == r, f"There are {len(multipliers)} multipliers instead of {r}.")
    _require(min(multipliers) >= 0, "A multiplier is negative.")
    z = [Fraction(0), *multipliers, Fraction(0)]
    for i in range(r + 1):
        needed = base + i * z[i] - run.k * (r - i) * z[i + 1]
        _require(needed >= (i >= run.right), f"The multipliers fail at {i} right guesses.")
    return base + run.canaries * run.delta * max(multipliers)


def check_law(run: OneRun, law: Sequence[Fraction]) -> Fraction:
    """Return P(V >= v) of a law; raise `CertificateError` unless it is one, and private."""
    _require(len(law) == run.guesses + 1, "The law has another number of entries.")
    _require(min(law) >= 0 and sum(law) == 1, "The law is no distribution.")
    _require(max(run.gains(law)) <= run.canaries * run.delta, "The law is not private.")
    return sum(law[run.right :], Fraction(0))


READERS: dict[tuple[str, str], Callable[[Any], Proof]] = {
    (FORMAT, "counting"): lambda document: _read_counting(document, _explicit),
    (STRUCTURED, "counting"): lambda document: _read_counting(document, _structured),
    (FORMAT, "release"): _read_release,
    (FORMAT, "one-run"): _read_one_run,
}


def _require_keys(part: Any, names: str) -> None:
    if set(part) != set(names.split()):
        raise ValueError(f"the keys {', '.join(map(str, part))} are not {names}")


def parse(text: str) -> Any:
    """Return JSON data, in which no key is there twice: it would be read otherwise than it looks.

    Raises
    ------
    ValueError
        If it is no such text.
    """
    return json.loads(text, object_pairs_hook=_each_once)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("The document has a key twice.")
    return found


def _number(text: Any) -> Fraction:
    if not isinstance(text, str) or not re.fullmatch(r"-?\d+(/0*[1-9]\d*)?", text, re.ASCII):
        raise ValueError(f"{text!r} is not a rational in quotes")
    return Fraction(text)


def _rows(table: Any) -> list[list[Fraction]]:
    if not all(isinstance(row, (list, tuple)) for row in table):
        raise ValueError("a row is not a list")
    return [[_number(entry) for entry in row] for row in table]


def _multipliers(
    entries: Any, size: int, width: int | None = None
) -> dict[tuple[int, int], list[Fraction]]:
    width = size if width is None else width
    mu: dict[tuple[int, int], list[Fraction]] = {}
    seen = set()
    for a, b, j, value in entries:
        places = zip((a, b, j), (size, size, width), strict=True)
        inside = all(type(index) is int and 1 <= index <= last for index, last in places)
        if not inside or (a, b, j) in seen:
            raise ValueError(f"mu has no or two places for {a}, {b}, {j}")
        seen.add((a, b, j))
        mu.setdefault((a, b), [Fraction(0)] * width)[j - 1] = _number(value)
    return mu


def _edge(entry: Any, size: int) -> tuple[int, int]:
    a, b = entry
    if not all(type(count) is int and 1 <= count <= size for count in (a, b)):
        raise ValueError(f"{a}, {b} is no edge")
    return a, b


def _side_multipliers(entries: Any) -> dict[tuple[str, int], Fraction]:
    nu: dict[tuple[str, int], Fraction] = {}
    for name, place, value in entries:
        if not isinstance(name, str) or type(place) is not int or (name, place) in nu:
            raise ValueError(f"nu has no or two places for {name}, {place}")
        nu[name, place] = _number(value)
    return nu


def main(arguments: Sequence[str] | None = None) -> int:
    """Check one file and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a certificate without a solver.")
    parser.add_argument("file", help="a certificate, as JSON")
    path = parser.parse_args(arguments).file
    sys.set_int_max_str_digits(MAX_DIGITS)
    try:
        with open(path, encoding="utf-8") as file:
            print("\n".join(check(parse(file.read()))))
    except CertificateError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    except (OSError, ValueError, RecursionError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
