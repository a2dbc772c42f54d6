"""Wrong statements of the same shape fail: each is a claim on modes with one number off."""

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest

from provedp.verify.claims.modes import (
    coverage,
    estimates,
    joint_growth,
    lower_bound,
    masses,
    merging,
    perturbations,
    reproduction,
)
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import Level, instances_of
from provedp.verify.ledger.run import gather, verdict_of

ROUND = dict(n=700, m=700, rounds=1)
WRONG: list[tuple[Claim, dict[str, Any]]] = [
    # one draw more leaves the basins
    (
        coverage.draws_stay_and_cover_if_the_valley_is_low,
        dict(law=coverage.SEPARATED, radius=F(1, 100), reach=F(1, 5), draws=39),
    ),
    # one ball less does not cover
    (
        coverage.every_order_of_draws_covers,
        dict(points=tuple(F(i, 4) for i in range(9)), reach=F(1, 4), balls=4),
    ),
    # bounds a little smaller than what is found
    (masses.gap_between_masses_has_no_constant, dict(digits=20, most=F(7, 1000))),
    (
        joint_growth.excess_grows_like_the_root_of_the_minibatch,
        dict(d=1, m=1402, factor=F(137, 10)),
    ),
    # the seed of another run
    (
        reproduction.blobs_of_table_1_are_those_of_the_program,
        dict(method="DP-GRAMS-C", seed=42),
    ),
]
RIGHT: list[tuple[Claim, dict[str, Any]]] = [
    # refutations that are none: what is refuted holds for other numbers
    (lower_bound.perturbation_has_its_distances, dict(h=F(2, 5), beta=3, constant=6)),
    (
        lower_bound.smoothness_of_the_class_is_that_of_the_theorem,
        dict(beta=F(5, 2), h=F(1, 10**4), place=F(-3, 4), bound=10),
    ),
    (perturbations.noise_falls_like_one_over_epsilon, dict(epsilon=F(6), constant=2)),
    (
        merging.ward_merge_is_pure,
        dict(ends=((0, F(0)), (0, F(1, 2)), (1, F(0))), given=(0, 1, 2), modes=2),
    ),
]


def verdict_at(claim: Claim, instance: dict[str, Any]) -> tuple[Verdict, bool]:
    """Return the verdict at one instance, and whether it met the hypotheses and failed there."""
    there = replace(claim, instances=instances_of({"cases": [instance]}))
    evidence = gather(there, claim.formula, Level.QUICK)
    return verdict_of(there, evidence), evidence.witness is not None


@pytest.mark.parametrize(("claim", "instance"), WRONG, ids=lambda x: getattr(x, "id", ""))
def test_a_wrong_number_fails(claim: Claim, instance: dict[str, Any]) -> None:
    assert verdict_at(claim, instance)[1]


@pytest.mark.parametrize(("claim", "instance"), RIGHT, ids=lambda x: getattr(x, "id", ""))
def test_a_refuted_claim_holds_where_it_should(claim: Claim, instance: dict[str, Any]) -> None:
    assert verdict_at(claim, instance) == (Verdict.CERTIFIED, False)


def test_ward_is_asked_for_nothing_where_its_condition_fails() -> None:
    claim = merging.ward_merge_is_pure_if_all_basins_are_met
    ends = (*((0, F(0)),) * 8, (1, F(0)), (2, F(0)))
    assert verdict_at(claim, dict(ends=ends, given=tuple(range(10)), modes=3))[0] is Verdict.VACUOUS


def test_lemma_6_is_not_refuted_where_bandwidths_are_wide() -> None:
    claim = estimates.density_derivatives_converge_uniformly
    instance = dict(n=2, h=F(1, 100), radius=F(1), constant=1000)
    assert verdict_at(claim, instance)[0] is Verdict.VACUOUS


def test_three_terms_bound_the_noise_of_other_schedules() -> None:
    claim = perturbations.noise_is_within_a_factor_of_three_terms
    assert verdict_at(claim, dict(epsilon=F(50), schedule=ROUND)) == (Verdict.CERTIFIED, False)
