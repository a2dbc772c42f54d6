"""Reported faults of accountants, sensitivities and formulas, decided without sampling."""

import math
import operator
from collections.abc import Sequence
from functools import reduce

import numpy as np
from flint import arb

from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    classical_sigma,
    gaussian_delta,
    gaussian_mixture_delta,
    subsampled_gaussian_delta,
)
from provedp.verify.audit import Pair, audit_stability
from provedp.verify.audit.zoo.entry import Account
from provedp.verify.audit.zoo.verdicts import level_beyond

TENTH = ball(1) / 10
CLASSICAL = "privacy.classical_gaussian_is_private_for_every_epsilon"


def half_sum(records: Sequence[float]) -> float:
    """Return a sum in half precision, in the order of the records."""
    total = np.float16(0)
    for record in records:
        total = np.float16(total + np.float16(record))
    return float(total)


def bounded_distinct(users: Sequence[Sequence[int]]) -> int:
    """Return the number of distinct values, each for the first user who has it, one a user.

    The order is the fault: a value that goes to a user who may not count it is lost for all.
    """
    taken: set[int] = set()
    counted = 0
    for values in users:
        fresh = [value for value in values if value not in taken]
        taken.update(fresh)
        counted += min(1, len(fresh))
    return counted


def squared_deviations(records: Sequence[float]) -> float:
    """Return the sum of squared deviations from the mean, every step in double precision."""
    mean = reduce(operator.add, records) / len(records)
    return reduce(operator.add, [(record - mean) ** 2 for record in records])


def _integer_sum() -> bool:
    """Return whether three removals and additions move a sum of two integers by more than ⌊3·5/2⌋.

    Lists of one length differ in an even number of them, so that the fraction is never needed.
    """
    lists = [[a, b] for a in range(6) for b in range(a, 6)]
    pairs = [Pair(x, y) for x in lists for y in lists if set(x) & set(y)]
    return audit_stability(sum, pairs, (3 * 5) // 2).refuted


def _rounded_mean() -> bool:
    high = [2.0**50 + 0.25] * 1024
    pair = Pair(high, [2.0**50, *high[1:]])
    return audit_stability(squared_deviations, [pair], 40.6).refuted


def _rounded_order() -> bool:
    pair = Pair([2.0] * 1024 + [0.0] + [1.0] * 9, [2.0] * 1024 + [2.0] + [1.0] * 9)
    return audit_stability(half_sum, [pair], 2).refuted


def _heavy_user() -> bool:
    light = [[value] for value in range(5)]
    return audit_stability(bounded_distinct, [Pair(light, [list(range(5)), *light])], 1).refuted


def _classical(epsilon: int) -> bool | None:
    def delta() -> arb:
        sigma = classical_sigma(ball(epsilon), ball(1) / 10**5, ball(1), ball(5) / 4)
        return ball(gaussian_delta(1 / sigma, ball(epsilon)))

    return level_beyond(delta, 1e-5)


def _rounded_down() -> bool | None:
    claimed = math.floor(1000 * gaussian_delta(1.0, 1.0)) / 1000
    return level_beyond(lambda: gaussian_delta(arb(1), arb(1)), claimed)


def _order_near_one() -> bool | None:
    rate = ball(105) / 100_000
    return level_beyond(lambda: subsampled_gaussian_delta(arb(1), rate, arb(1)), 1e-3)


def _overestimated_rate() -> bool | None:
    """Return whether the δ for a sampling rate of 1/8 is exceeded at the true one, 16/100000."""
    claimed = float(subsampled_gaussian_delta(1.0, 1 / 8, math.e))
    rate = ball(16) / 100_000
    return level_beyond(lambda: subsampled_gaussian_delta(arb(1), rate, arb(1).exp()), claimed)


def _replaced() -> bool | None:
    """Return whether replacing one record breaks what holds for adding or removing one."""
    claimed = float(subsampled_gaussian_delta(1.0, 0.1, math.e))
    return level_beyond(
        lambda: gaussian_mixture_delta(arb(1), arb(-1), TENTH, arb(1).exp()), claimed
    )


ACCOUNTS = [
    Account("opendp #2923: rounded mean", _rounded_mean,
            "a sum of squared deviations moves by 63.9, charged 40.6", True),
    Account("google #126: rounded sums", _rounded_order,
            "in half precision one record in [0, 2] moves the sum by 4", True),
    Account("google #84: bounded distinct", _heavy_user,
            "one user more takes away four values of others", True),
    Account("smartnoise-sdk #462: classical at 10", lambda: _classical(10), "δ = 2.3 · 10⁻⁵", True,
            CLASSICAL),
    Account("smartnoise-sdk #462: classical at 20", lambda: _classical(20), "δ = 1.5 · 10⁻³", True,
            CLASSICAL),
    Account("opendp #2820: δ rounded down", _rounded_down, "0.12693… as 0.126", True,
            "privacy.gaussian_noise_is_least"),
    Account("opacus #128: replaced, not removed", _replaced,
            "δ(1) = 3.3 · 10⁻⁴ for replacing a record, 2.1 · 10⁻⁴ for removing", True,
            "privacy.sampled_gaussian_profile_is_the_largest_gap"),
    Account("must pass: opendp #314", _integer_sum,
            "⌊3 · 5/2⌋ = 7 for sums of two integers in [0, 5], which move by 5", False),
    Account("must pass: tf-privacy #166", _order_near_one,
            "ε = 0 at δ = 10⁻³ and rate 0.00105 is true: δ(0) = 4 · 10⁻⁴", False,
            "privacy.sampled_gaussian_profile_is_the_largest_gap"),
    Account("must pass: opacus #813", _overestimated_rate,
            "the sampling rate is overestimated, and ε with it", False,
            "privacy.sampled_gaussian_profile_is_the_largest_gap"),
    Account("must pass: classical formula at 1", lambda: _classical(1), "δ < 10⁻⁵", False,
            "privacy.classical_gaussian_is_private_up_to_one"),
    Account("must pass: classical formula at 5", lambda: _classical(5), "δ = 1.3 · 10⁻⁶", False,
            "privacy.classical_gaussian_has_a_largest_epsilon"),
]  # fmt: skip
