"""Mechanisms of a few values: all pairs of rows, by brute force over all outcomes."""

import itertools
import math
from fractions import Fraction as F

import pytest

from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.finite_mechanisms import FiniteMechanism, compose_all
from provedp.verify.accounting.releases import Finite, Gaussian, PoissonSampledGaussian

ROWS = [
    [F(1, 2), F(1, 3), F(1, 6)],
    [F(1, 3), F(1, 3), F(1, 3)],
    [F(1, 12), F(1, 3), F(7, 12)],
]


def brute_force(rows: list[list[F]], rounds: int, k: F) -> F:
    """The largest δ over all ordered pairs of rows, of which each is used in every round."""
    outcomes = list(itertools.product(range(len(rows[0])), repeat=rounds))
    return max(
        sum(
            (
                max(math.prod(p[o] for o in each) - k * math.prod(q[o] for o in each), F(0))
                for each in outcomes
            ),
            start=F(0),
        )
        for p, q in itertools.permutations(rows, 2)
    )


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize("k", [F(1), F(3, 2), F(5), F(7)])
def test_all_pairs_of_rows_by_brute_force(rounds: int, k: F) -> None:
    found = compose_all([(FiniteMechanism(ROWS), rounds)])
    assert found.at_ratio is not None
    assert found.at_ratio(k) == (brute_force(ROWS, rounds, k),) * 2


def test_the_largest_ratio_of_two_rows_is_pure() -> None:
    # 1/2 against 1/12 in the first column is the largest ratio: 6.
    one, two = (compose_all([(FiniteMechanism(ROWS), rounds)]) for rounds in (1, 2))
    assert one.at_ratio is not None and two.at_ratio is not None
    assert one.at_ratio(F(6)) == (0, 0) and one.at_ratio(F(599, 100))[0] > 0
    assert two.at_ratio(F(36)) == (0, 0) and two.at_ratio(F(35))[0] > 0
    low, high = one.epsilon(0)
    assert low <= math.log(6) <= high and high - low <= 1e-9


def test_two_rows_are_two_laws() -> None:
    rows = compose_all([(FiniteMechanism(ROWS[:2]), 5)])
    laws = compose_all([(Finite(ROWS[0], ROWS[1]), 5)])
    assert rows.at_ratio is not None and laws.at_ratio is not None
    assert rows.at_ratio(F(2)) == laws.at_ratio(F(2))


def test_many_rounds_and_other_noise_beside_them() -> None:
    mechanism = FiniteMechanism(ROWS)
    worst = compose_all([(Finite(ROWS[0], ROWS[2]), 60)]).delta(10.0)
    found = compose_all([(mechanism, 60)]).delta(10.0)
    assert found == pytest.approx(worst, rel=1e-6)
    beside = compose_all([(mechanism, 3), (Gaussian(F(1, 2)), 2)])
    assert beside.delta(1.0)[0] > compose_all([(mechanism, 3)]).delta(1.0)[1]
    sampled = compose_all([(mechanism, 1), (PoissonSampledGaussian(F(1), F(1, 10)), 5)])
    assert sampled.adjacency is Adjacency.ADD_OR_REMOVE_ONE
    low, high = sampled.delta(1.0)
    assert 0 < low <= high <= 1


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        (ROWS[:1], "2 to 8 rows"),
        (ROWS * 3, "2 to 8 rows"),
        ([ROWS[0], [F(1, 2), F(1, 2)]], "outcomes"),
        ([[F(1), F(0)], [F(0), F(1)]], "no outcome in common"),
        ([ROWS[0], [F(1, 2), F(1, 2), F(1, 2)]], "sums to"),
    ],
)
def test_rows_that_are_no_mechanism(rows: list[list[F]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        FiniteMechanism(rows)


def test_matrices_of_different_values_are_refused() -> None:
    with pytest.raises(ValueError, match="Got 2 and 3 rows"):
        compose_all([(FiniteMechanism(ROWS), 1), (FiniteMechanism(ROWS[:2]), 1)])
    with pytest.raises(ValueError, match="Got 2 and 3 rows"):
        compose_all([(FiniteMechanism(ROWS), 1), (Finite(ROWS[0], ROWS[1]), 1)])
