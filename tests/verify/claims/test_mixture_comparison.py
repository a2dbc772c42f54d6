"""The exact bounds on divergences on Iris are on the right side of what runs and searches give."""

from fractions import Fraction as F

import numpy as np
import pytest

from provedp.mechanisms.mixture.published.alternation import Budget, alternate
from provedp.mechanisms.mixture.published.baselines import IndependentGaussian, LaplaceMixture
from provedp.mechanisms.mixture.published.component import components, expected_costs
from provedp.verify.claims.mixture.comparison import divergences
from provedp.verify.claims.mixture.expected_comparison import (
    least_baseline_divergence,
    most_published_divergence,
    shape_prices,
)
from provedp.verify.claims.mixture.instances.iris import standardised_iris


@pytest.mark.parametrize("epsilon", [F(1, 2), F(1), F(5)])
def test_upper_bound_is_just_above_the_search(epsilon):
    parts = components(standardised_iris(), 0.0, "all", expected_costs)
    found = alternate(parts, Budget(float(epsilon), 2e-5)).last.objective
    assert found < float(most_published_divergence(epsilon)) < 1.25 * found


@pytest.mark.parametrize(
    ("noise", "mechanism"), [("laplace", LaplaceMixture), ("gaussian", IndependentGaussian)]
)
def test_lower_bound_is_below_the_average_of_runs(noise, mechanism):
    average = np.mean(divergences(mechanism, standardised_iris(), 1.0))
    bound = float(least_baseline_divergence(noise, F(1)))
    assert average / 20 < bound < average


def test_prices_of_shapes_are_those_of_a_semidefinite_program():
    # tr(Σ⁻¹Z) from cvxpy with Clarabel, for all admissible flips.
    assert [float(price) for price in shape_prices()] == pytest.approx(
        [0.57258, 0.10594, 0.12486], rel=1e-4
    )
