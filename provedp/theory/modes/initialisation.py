"""Density-aware private initialisation (DAP): its utilities, its exact law, and its true budget."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.theory.domain import argument_error, check_argument, domain, integers, reals
from provedp.theory.matrices import Matrix
from provedp.theory.modes.points import Points, same_dimension
from provedp.theory.numbers import Number, certainly

__all__ = ["dap_budget_factor", "dap_counts", "dap_law"]

RADIUS = reals(0)
COUNT = integers(0)
DRAWS = integers(1)
LARGEST_LAW = 200_000  # sequences that are enumerated


@domain(candidates=Points(), data=Points(), radius=RADIUS)
def dap_counts(candidates: Any, data: Any, radius: Number) -> tuple[int, ...]:
    """Number of records within the radius of each candidate.

    n u_j = #{i : ‖X_i − z_j‖ ≤ h_DAP}, closed balls

    Parameters
    ----------
    candidates
        z_1, …, z_N, N × d.
    data
        X_1, …, X_n, n × d.
    radius
        h_DAP.

    Returns
    -------
    N integers; one replaced record changes each by at most 1.

    Raises
    ------
    ValueError
        If the dimensions differ.

    Source: modes paper, eq. (3).

    >>> dap_counts([[0], [1], [2], [3]], [[0], [0.25], [3]], 1)
    (2, 2, 1, 1)
    """
    same_dimension("candidates", candidates, data)
    gaps = candidates[:, None, :] - data[None, :, :]
    return tuple(int(count) for count in _closer(gaps, radius, "dap_counts").sum(axis=1))


@domain(
    candidates=Points(apart=True),
    draws=DRAWS,
    suppression=reals(0, apart=True),
    ratio=reals(0, open_low=True),
)
def dap_law(
    counts: Sequence[int], candidates: Any, draws: int, suppression: Number, ratio: Number
) -> dict[tuple[int, ...], Number]:
    """Law of the indices that DAP draws, by enumeration.

    Pr(J_ℓ = j) ∝ e^((ε_draw/2) n u_j) over the candidates that no earlier draw suppressed; all of
    them again when none is left

    Parameters
    ----------
    counts
        n u_j, integers, one per candidate.
    candidates
        z_1, …, z_N, N × d.
    draws
        k.
    suppression
        ρ_init: candidates within it of a drawn one are suppressed.
    ratio
        e^(ε_draw/2) = e^(ε_init/(2k)).

    Returns
    -------
    Every possible sequence of indices with its probability, over the field of the ratio.

    Raises
    ------
    ValueError
        If the lengths differ, or there are too many sequences.

    Source: modes paper, Algorithm 2.

    >>> from fractions import Fraction as F
    >>> dap_law([1, 0], [[0], [1]], 1, 0, F(3))
    {(0,): Fraction(3, 4), (1,): Fraction(1, 4)}
    """
    size, places = len(candidates), check_counts(counts)
    if len(places) != size:
        raise ValueError(f"{len(places)} counts for {size} candidates.")
    if size**draws > LARGEST_LAW:
        raise ValueError(f"{size} candidates and {draws} draws are too many to enumerate.")
    weights = [ratio**count for count in places]
    near = _within(candidates, suppression)
    law: dict[tuple[int, ...], Number] = {(): ratio / ratio}
    for _ in range(draws):
        law = {
            (*past, j): chance * weights[j] / sum(weights[i] for i in active)
            for past, chance in law.items()
            for active in [_active(past, near)]
            for j in active
        }
    return law


def dap_ratio(first: Mapping[Any, Number], second: Mapping[Any, Number]) -> Number:
    """Return the largest ratio of two laws on the same outcomes, in either direction.

    Parameters
    ----------
    first, second
        Outcomes and positive probabilities, as from `dap_law`.

    Returns
    -------
    The largest ratio, e^ε for the least ε between the two.

    Raises
    ------
    ValueError
        If the outcomes differ.

    Source: the definition of (ε, 0)-privacy.

    >>> from fractions import Fraction as F
    >>> dap_ratio({0: F(3, 4), 1: F(1, 4)}, {0: F(1, 2), 1: F(1, 2)})
    Fraction(2, 1)
    """
    if first.keys() != second.keys():
        raise ValueError("The two laws have different outcomes.")
    return max(max(first[key] / second[key], second[key] / first[key]) for key in first)


@domain(draws=DRAWS, epochs=DRAWS)
def dap_budget_factor(draws: int, epochs: int = 1) -> Fraction:
    """Part of ε_init that DAP spends when suppression reaches twice as far as a utility.

    (k + E)/(2k) for ρ_init ≥ 2 h_DAP and at most E − 1 resets

    The candidates whose counts a record enters are at most 2 h_DAP apart, so that at most one of
    an epoch is drawn: that draw costs at most ε_draw, every other one only ε_draw/2, the move of
    the normalising sum.

    Parameters
    ----------
    draws
        k.
    epochs
        E, one more than the number of times that all candidates are reopened; at most k.

    Returns
    -------
    The factor, at most 1; it is the least one for E = 1 and all data.

    Source: ours, in the place of the factor 1 in the modes paper's Theorem 4.1.

    >>> dap_budget_factor(3)
    Fraction(2, 3)
    """
    if epochs > draws:
        raise argument_error("modes.dap_budget_factor", "epochs", f"at most k = {draws}", epochs)
    return Fraction(draws + epochs, 2 * draws)


def check_counts(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the counts as integers, at least 0."""
    return tuple(check_argument("modes.dap_law", "counts", COUNT, count) for count in counts)


def _within(candidates: Matrix, radius: Number) -> list[set[int]]:
    """Return, for each candidate, those that its draw suppresses."""
    gaps = candidates[:, None, :] - candidates[None, :, :]
    inside = _closer(gaps, radius, "dap_law")
    return [{j for j, near in enumerate(row) if near} for row in inside]


def _closer(gaps: Matrix, radius: Number, name: str) -> Any:
    """Return which differences, the last axis, are at most a radius long; refuse undecided ones."""
    squares, bound = (gaps * gaps).sum(axis=2), radius * radius
    if squares.dtype != object:
        return squares <= bound
    inside = np.vectorize(lambda square: certainly(square <= bound), otypes=[bool])(squares)
    outside = np.vectorize(lambda square: certainly(square > bound), otypes=[bool])(squares)
    if not (inside | outside).all():
        raise ValueError(
            f"modes.{name} cannot tell whether two points are within the radius: give the points "
            "and the radius as rational numbers."
        )
    return inside


def _active(past: tuple[int, ...], near: list[set[int]]) -> list[int]:
    """Return the candidates left after the draws so far; all when none is left."""
    left = set(range(len(near)))
    for index in past:
        left = (left - near[index]) or set(range(len(near)))
    return sorted(left)
