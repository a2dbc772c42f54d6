"""The laws that draws follow are those that a recorder takes for granted, and promises are kept.

Scales of Gaussian noise, laws of counts, and ε and δ as they are read.
"""

from fractions import Fraction as Q
from typing import Any

import numpy as np
import pytest
from scipy import stats

from provedp.mechanisms import counting
from provedp.mechanisms.counting import OptimalCount
from provedp.mechanisms.exact import sampling
from provedp.mechanisms.exact.inversion import ExactSampler
from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.exact.rounded_gaussian import FIRST_BITS, RoundedGaussian
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.modes import PrivateModes
from provedp.theory.numbers import ball
from provedp.verify.claims.counting.spending import (
    draws_of_counts_spend_what_they_promise,
    draws_of_universal_counts_spend_what_they_promise,
)
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.run import gather
from provedp.verify.spending.laws import (
    decides_as_it_says,
    drawn_law,
    falls_as_it_says,
    rounds_as_it_says,
)

LAWS = draws_of_counts_spend_what_they_promise


@pytest.mark.parametrize("sigma", [Q(1, 3), Q(5), Q(10**9 + 1, 7), Q(10**30)])
def test_draws_have_the_scale_that_the_recorder_sees(sigma: Q) -> None:
    """A quantile is right by the distribution function, which the sampler does not use."""
    noise, rng = RoundedGaussian(sigma), np.random.default_rng(1)
    for _ in range(20):
        uniform = int.from_bytes(rng.bytes(FIRST_BITS // 8), "little")
        assert rounds_as_it_says(noise, uniform, FIRST_BITS) is True


def test_a_draw_of_another_scale_is_seen() -> None:
    noise = RoundedGaussian(Q(50))
    noise.sigma, drawn = Q(45), noise
    wider = RoundedGaussian(Q(50))
    uniform = 3 << (FIRST_BITS - 4)
    assert rounds_as_it_says(wider, uniform, FIRST_BITS) is True
    drawn._rounded = wider._rounded  # type: ignore[method-assign]
    assert rounds_as_it_says(drawn, uniform, FIRST_BITS) is False


def test_laws_by_all_answers_are_those_on_paper() -> None:
    """Three counts, k = 2: 1/2, 1/4, 1/4 around the circle."""
    law = drawn_law(OptimalCount(3, "ln(2)"))
    assert law.tolist() == [[Q(2 if i == j else 1, 4) for j in range(3)] for i in range(3)]


MATRICES = {"BehindChannel": Q(9, 10), "MatrixRelease": Q(4, 5)}  # by what they have twice


def built(name: str) -> Any:
    build: Any = getattr(counting, name)
    if name not in MATRICES:
        return build(4, "ln(4)")
    p = MATRICES[name]
    return build([[p, 1 - p], [1 - p, p]], "ln(4)")


@pytest.mark.parametrize("name", LAWS.instances.values["name"])
def test_laws_that_are_published_are_those_that_are_drawn(name: str) -> None:
    mechanism = built(name)
    assert drawn_law(mechanism).tolist() == mechanism.law().tolist()


def test_each_number_gets_a_draw_of_its_own() -> None:
    """The recorder takes the place of `added_to`: what that does is seen here."""
    noise, exact = RoundedGaussian(Q(40)), [5, -7, 5, 0, 0]
    alone = np.random.default_rng(3)
    expected = [value + noise.draw(alone) for value in exact]
    assert noise.added_to(exact, np.random.default_rng(3)) == expected


def test_noisy_counts_are_what_a_threshold_looks_at() -> None:
    noise, counts = RoundedGaussian(Q(40)), dict(enumerate([5, 90, 5, 60, 0, 70, 100, 3]))
    alone = np.random.default_rng(5)
    noisy = {group: count + noise.draw(alone) for group, count in counts.items()}
    found = noise.added_to_occupied(counts, 50, np.random.default_rng(5))
    assert found == {group: count for group, count in noisy.items() if count >= 50}
    assert set(found) != {group for group, count in counts.items() if count >= 50}


@pytest.mark.parametrize("ratio", [Q(101, 100), Q(2), Q(50)])
def test_geometric_draws_are_the_quantiles_of_their_law(ratio: Q) -> None:
    noise, source = TwoSidedGeometric(ratio), np.random.default_rng(1)
    found = [
        falls_as_it_says(noise, int.from_bytes(source.bytes(16), "little"), 128) for _ in range(100)
    ]
    assert all(found)
    least = [falls_as_it_says(noise, uniform, 128) for uniform in (1 << 127, (1 << 127) + 1)]
    assert least == [True, True]


def test_geometric_integers_have_a_draw_each() -> None:
    noise = TwoSidedGeometric(Q(11, 10))
    alone = np.random.default_rng(5)
    expected = [value + noise.draw(alone) for value in (3, 7, 7)]
    assert noise.added_to([3, 7, 7], np.random.default_rng(5)) == expected


def test_refinable_integers_have_both_laws() -> None:
    """χ² of 20 000 draws each, at 10⁻³; the difference is 0 as often as it says."""
    noise, rng = RefinableGeometric(Q(3, 2), Q(3)), np.random.default_rng(2)
    seen = noise.added_to([0] * 20_000, rng)
    noisy, refined = np.array(seen.noisy), np.array(seen.refine())
    for drawn, k in ((noisy, 1.5), (refined, 3.0)):
        law = [(k - 1) / (k + 1) * k ** -abs(n) for n in range(-4, 5)]
        counts = [int((drawn == n).sum()) for n in range(-4, 5)]
        rest = 20_000 * (1 - sum(law))
        found = stats.chisquare([*counts, 20_000 - sum(counts)], [*(20_000 * np.array(law)), rest])
        assert found.pvalue > 1e-3
    stays = float(noise.unchanged) + float(1 - noise.unchanged) / 5  # P(0) of the first law is 1/5
    assert (noisy == refined).mean() == pytest.approx(stays, abs=0.015)


@pytest.mark.parametrize("claim", [LAWS, draws_of_universal_counts_spend_what_they_promise])
def test_laws_of_counts_keep_their_promise(claim: Claim) -> None:
    evidence = gather(claim, claim.formula, Level.QUICK, shrink=False)
    assert evidence.witness is None


@pytest.mark.parametrize("name", LAWS.instances.values["name"])
def test_several_counts_are_released_by_the_law_of_one(name: str) -> None:
    """A list of counts is drawn in turn, from the source that single ones are drawn from."""
    mechanism = built(name)
    counts = [0, 1, 1, 0, 1]
    alone = np.random.default_rng(2)
    assert mechanism.release(counts, np.random.default_rng(2)) == [
        mechanism.release(count, alone) for count in counts
    ]


def test_behind_a_channel_no_matrix_is_taken_that_is_not_private() -> None:
    identity = [[1, 0], [0, 1]]
    with pytest.raises(ValueError, match="'matrix' parameter of BehindChannel"):
        counting.BehindChannel([[Q(9, 10), Q(1, 10)], [Q(1, 10), Q(9, 10)]], "ln(2)", 0, identity)


@pytest.mark.parametrize("order", [1, -1])
def test_a_matrix_is_private_both_ways_or_is_refused(order: int) -> None:
    """At k = 2 the rows (1, 0) and (1/2, 1/2) need no δ one way, and one half the other."""
    law = [[Q(1), Q(0)], [Q(1, 2), Q(1, 2)]][::order]
    assert counting.MatrixRelease(law, "ln(2)", "1/2").m == 2
    for epsilon, delta in (("ln(2)", "49/100"), ("ln(2)", 0), ("ln(1000000)", "0.4")):
        with pytest.raises(ValueError, match="'matrix' parameter of MatrixRelease"):
            counting.MatrixRelease(law, epsilon, delta)
    near = [[Q(3, 4), Q(1, 4)], [Q(1, 4), Q(3, 4)]][::order]  # k = 3 to the last
    with pytest.raises(ValueError, match="'matrix' parameter of MatrixRelease"):
        counting.MatrixRelease(near, "ln(2.999)")


@pytest.mark.parametrize("law", [[Q(1, 3), Q(2, 3)], [Q(1, 7), Q(0), Q(5, 7), Q(1, 7)]])
def test_laws_in_a_table_are_drawn_as_they_say(law: list[Q]) -> None:
    """No cut is a dyadic number: a word on either side of it, and one that holds it."""
    assert decides_as_it_says(ExactSampler(law))


def test_random_bits_are_as_many_as_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(
        sampling.secrets, "randbits", lambda count: asked.append(count) or (1 << count) - 1
    )
    assert sampling.random_bits(64) == 2**64 - 1
    assert asked == [64]


ASKED = {
    "mixture": lambda e, d: PrivateMixture(e, d, bound=1, classes=(0, 1)),
    "modes": lambda e, d: PrivateModes(e, d, box="private"),
    "count": lambda e, d: OptimalCount(4, e, d),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize(
    ("epsilon", "exact"),
    [(0.1, Q(1, 10)), (0.3, Q(0.3)), ("1/3", Q(1, 3)), (2, Q(2)), ("0.7", Q(7, 10))],
)
def test_what_is_promised_is_at_most_what_is_asked_for(name: str, epsilon: Any, exact: Q) -> None:
    """A float stands for the smaller of its decimal and its dyadic number."""
    promise = ASKED[name](epsilon, 0.1).guarantee
    assert ball(promise.ratio).log() < ball(exact)
    assert promise.delta <= Q(1, 10)
