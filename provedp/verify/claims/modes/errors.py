"""Section 5.1 and 5.4, eq. (14) and (15): the measures of error."""

from itertools import permutations

from hypothesis import strategies as st

from provedp.theory import modes
from provedp.verify.claims.prelude import *


def _squared(first: list[Q], second: list[Q]) -> Q:
    return sum(((a - b) ** 2 for a, b in zip(first, second, strict=True)), start=Q(0))


PLACES = st.lists(
    st.tuples(st.integers(-4, 4).map(Q), st.fractions(-3, 3, max_denominator=3)).map(list),
    min_size=1,
    max_size=4,
)


@published(Source(MODES, "eq. (14)"), formula=modes.matching_error)
@certified(reference=PLACES, estimate=PLACES, examples=levels(20, 300))
def matching_error_is_the_least(
    error: Formula, reference: list[list[Q]], estimate: list[list[Q]]
) -> Finding:
    """(14): the least mean squared distance over all one-to-one matchings of min{k, k̂} pairs,
    divided by max{k, k̂}; here against all matchings.
    """
    few, many = sorted((reference, estimate), key=len)
    totals = [
        sum((_squared(p, q) for p, q in zip(few, chosen, strict=True)), start=Q(0))
        for chosen in permutations(many, len(few))
    ]
    assume(min(totals) > 0)
    return equal(error(reference, estimate), min(totals) / len(many))


@ours(Source(MODES, "eq. (14)", "'keeps the error on the same scale'"))
@refuted(reference=((Q(0),), (Q(10),)), estimate=((Q(1),), (Q(10),)), more=(Q(1000),))
def false_modes_do_not_lower_the_error(
    reference: tuple[tuple[Q, ...], ...], estimate: tuple[tuple[Q, ...], ...], more: tuple[Q, ...]
) -> Finding:
    """One more false mode does not lower the error. (The paper says that the denominator 'keeps
    the error on the same scale', not this: it raises the denominator and nothing else, from 1/2 to
    1/3.)
    """
    truth = matrix(reference)
    first = modes.matching_error(truth, matrix(estimate))
    second = modes.matching_error(truth, matrix([*estimate, more]))
    return at_most(first, second)


@repairs(false_modes_do_not_lower_the_error)
@certified(
    reference=st.lists(st.tuples(st.integers(-9, 9).map(Q)), min_size=1, max_size=4),
    estimate=st.lists(st.tuples(st.integers(-9, 9).map(Q)), min_size=1, max_size=4),
    more=st.tuples(st.integers(-9, 9).map(Q)),
    examples=levels(20, 300),
)
def missing_modes_do_not_lower_the_error(
    reference: tuple[tuple[Q, ...], ...], estimate: tuple[tuple[Q, ...], ...], more: tuple[Q, ...]
) -> Finding:
    """While there are fewer estimates than modes, one more does not lower the error: (14) compares
    methods with the same number of modes, known to all of them.
    """
    assume(len(estimate) < len(reference))
    return false_modes_do_not_lower_the_error(tuple(reference), tuple(estimate), more)


@published(Source(MODES, "eq. (15)"), formula=modes.regression_loss)
@certified(
    estimate=st.fractions(-4, 4, max_denominator=6),
    branches=st.lists(st.fractions(-4, 4, max_denominator=6), min_size=1, max_size=4),
    examples=levels(20, 300),
)
def regression_loss_is_the_least(loss: Formula, estimate: Q, branches: list[Q]) -> Finding:
    """(15) is the least squared distance to a conditional mode."""
    nearest = min(branches, key=lambda mode: abs(mode - estimate))
    assume(nearest != estimate)
    return equal(loss(estimate, branches), (nearest - estimate) * (nearest - estimate))


@ours(Source(MODES, "eq. (15)"), formula=modes.regression_loss)
@certified(branches=((Q(0), Q(1)), (Q(1), Q(2), Q(3))))
def regression_loss_is_blind_to_missing_branches(loss: Formula, branches: tuple[Q, ...]) -> Finding:
    """An estimate that returns one branch of several, everywhere, has no loss: (15) is no measure
    of whether all modes are found. Off every branch it has one.
    """
    return all_of(
        *(equal(loss(branch, list(branches)), 0) for branch in branches),
        equal(loss(branches[-1] + 2, list(branches)), 4),
    )
