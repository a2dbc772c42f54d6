"""Finite mechanisms: responses, and noisy counts."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from scipy import stats

from provedp.theory import counting
from provedp.theory.privacy import k_ary_response_delta, rappor_ratio
from provedp.verify.audit import audit_matrix
from provedp.verify.audit.zoo.cells import Cells, finite
from provedp.verify.audit.zoo.entry import Entry, Generator, Outputs
from provedp.verify.audit.zoo.verdicts import ratio_beyond

E = math.e
COUNTS = 8  # of the optimal mechanism, at e^ε = 2 and δ = 1/20
OPTIMAL = counting.release_matrix(COUNTS, Fraction(2), Fraction(1, 20))
GEOMETRIC = counting.truncated_geometric_matrix(21, Fraction(3))
FLIP = Fraction(19, 20)


def randomised_response(data: int, rng: Generator, count: int) -> Outputs:
    """A bit, flipped with probability 1/(1 + e)."""
    return np.where(rng.random(count) < 1 / (1 + E), 1 - data, data)


def k_ary_response(data: int, rng: Generator, count: int) -> Outputs:
    """One of ten values, kept with probability e²/(e² + 9)."""
    kept = rng.random(count) < E**2 / (E**2 + 9)
    return np.where(kept, data, (data + rng.integers(1, 10, count)) % 10)


def truncated_geometric(data: int, rng: Generator, count: int) -> Outputs:
    """A count in 0..20 with two-sided geometric noise of ratio 1/3, clipped."""
    noise = rng.geometric(2 / 3, count) - rng.geometric(2 / 3, count)
    return np.asarray(np.clip(data + noise, 0, 20))


def optimal_count(data: int, rng: Generator, count: int) -> Outputs:
    """A count in 0..7 from the optimal mechanism for e^ε = 2 and δ = 1/20."""
    ends = np.cumsum(OPTIMAL[data].astype(float))
    return np.searchsorted(ends[:-1], rng.random(count), side="right")


def rappor(data: int, rng: Generator, count: int) -> Outputs:
    """One-time RAPPOR, 4 of 20 bits, f = 0.95."""
    bits = np.zeros(20)
    bits[4 * data : 4 * data + 4] = 1
    u = rng.random((count, 20))
    return np.where(u < 0.475, 1.0, np.where(u < 0.95, 0.0, bits))


def _k_ary_law(odds: float, size: int) -> Cells:
    shares = [[odds if i == value else 1.0 for i in range(size)] for value in (0, 1)]
    return finite(range(size), *(np.array(share) / (odds + size - 1) for share in shares))


def _rows(matrix: Any, first: int) -> Cells:
    rows = matrix[first : first + 2].astype(float)
    return finite(range(rows.shape[1]), rows[0], rows[1])


def _rappor_law() -> Cells:
    """Return the law of how many of the eight bits at stake agree with the first value."""

    def cell_index(outputs: Any) -> Any:
        bits = np.asarray(outputs)
        return (bits[:, :4].sum(1) + 4 - bits[:, 4:8].sum(1)).astype(int)

    right, wrong = (stats.binom(8, share).pmf(np.arange(9)) for share in (0.525, 0.475))
    return Cells(cell_index, right, wrong)


ENTRIES = [
    Entry("randomised response", randomised_response, (0, 1), 1, 0, 1, "p/(1 − p) = e", False,
          "privacy.k_ary_response_has_this_profile", lambda: _k_ary_law(E, 2),
          lambda: bool(k_ary_response_delta(sympy.E, sympy.E, 2) > 0)),
    Entry("10-ary response", k_ary_response, (0, 1), 2, 0, 2, "e² by construction", False,
          "privacy.k_ary_response_has_this_profile", lambda: _k_ary_law(E**2, 10),
          lambda: bool(k_ary_response_delta(sympy.E**2, sympy.E**2, 10) > 0)),
    Entry("truncated geometric", truncated_geometric, (10, 11), math.log(3), 0, math.log(3),
          "consecutive masses have ratio 3", False,
          "privacy.truncated_geometric_has_the_profile_of_its_noise",
          lambda: _rows(GEOMETRIC, 10), lambda: audit_matrix(GEOMETRIC, ("ratio", 3)).refuted),
    Entry("optimal count", optimal_count, (3, 4), math.log(2), 0.05, math.log(2),
          "equality between neighbouring counts", False,
          "counting.canonical_release_is_private", lambda: _rows(OPTIMAL, 3),
          lambda: audit_matrix(OPTIMAL, ("ratio", 2), Fraction(1, 20)).refuted),
    Entry("RAPPOR", rappor, (0, 1), 0.801, 0, math.log(rappor_ratio(4, float(FLIP))),
          "((2 − f)/f)^8", False, "privacy.rappor_ratio_is_attained", _rappor_law,
          lambda: ratio_beyond(lambda: rappor_ratio(4, FLIP), 0.801)),
]  # fmt: skip
