"""Randomised responses: one value out of several, and bits that are noisy each."""

import itertools

from provedp.theory import privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import ERLINGSSON

hockey_stick: Formula = privacy.hockey_stick  # it reads lists of numbers too


@ours(Source(None, "randomised response with n answers"), formula=privacy.k_ary_response_delta)
@certified(size=(2, 3, 10), odds=(Q(3, 2), Q(3), Q(8)), k=(Q(1), Q(2), Q(3), Q(9)))
def k_ary_response_has_this_profile(profile: Formula, size: int, odds: Q, k: Q) -> Finding:
    """E_k of the laws for two values is (κ − k)⁺/(κ + n − 1), outcome by outcome: the least e^ε is
    κ, the odds of the true answer. (n = 2: a bit that is flipped with probability 1/(1 + κ).)
    """
    whole = odds + size - 1
    laws = [[(odds if i == value else Q(1)) / whole for i in range(size)] for value in (0, 1)]
    return all_of(
        equal(profile(k, odds, size), hockey_stick(*laws, k)),
        equal(profile(odds, odds, size), 0),
        less(0, profile((1 + odds) / 2, odds, size)),
    )


def _bits(bits: int, flip: Q) -> list[list[Q]]:
    """Return the laws of 2h bits, the first or the last h of which are set."""
    one, zero = 1 - flip / 2, flip / 2
    laws = []
    for value in (0, 1):
        truth = [value == 0] * bits + [value == 1] * bits
        wrong = [
            sum(bit != right for bit, right in zip(each, truth, strict=True))
            for each in itertools.product((False, True), repeat=2 * bits)
        ]
        laws.append([one ** (2 * bits - count) * zero**count for count in wrong])
    return laws


@ours(Source(ERLINGSSON, "Theorem 1"), formula=privacy.rappor_ratio)
@certified(length=(1, 2, 3), flip=(Q(1, 2), Q(9, 10), Q(19, 20)))
def rappor_ratio_is_attained(ratio: Formula, length: int, flip: Q) -> Finding:
    """The largest ratio of the probabilities of one-time RAPPOR, over all 4^h outcomes in the bits
    of two values that do not overlap, is ((2 − f)/f)^(2h); the other bits have the same law.
    """
    first, second = _bits(length, flip)
    ratios = [a / b for a, b in zip(first, second, strict=True)]
    attained = equal(max(ratios), ratio(length, flip))
    if not attained.holds:
        return attained
    return all_of(attained, equal(hockey_stick(first, second, ratio(length, flip)), 0))


@ours(Source(ERLINGSSON, "four of the bits at f = 0.95"))
@refuted(bits=128, epsilon=Q(4, 5))
def rappor_with_four_bits_has_four_fifths(epsilon: Q) -> Finding:
    """One-time RAPPOR with h = 4 and f = 0.95 is 0.8-private. (It has 8 ln(21/19) = 0.80066….)"""
    return at_most(ball(privacy.rappor_ratio(4, Q(19, 20))).log(), ball(epsilon))


@repairs(rappor_with_four_bits_has_four_fifths)
@certified(epsilon=(Q(801, 1000),))
def rappor_with_four_bits_has_a_little_more(epsilon: Q) -> Finding:
    """It is 0.801-private."""
    return rappor_with_four_bits_has_four_fifths(epsilon)
