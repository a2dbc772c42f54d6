"""Variants of the sparse vector technique without any ε: what they release costs every query.

The names are those of `sparse_vector`.
"""

from provedp.theory import privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy.selection import laplace_tail
from provedp.verify.claims.privacy.sparse_vector import (
    hard_pair,
    laplace_density_falls_no_faster,
    loss,
)
from provedp.verify.claims.references import LYU

EPSILONS = (Q(1, 2), Q(1), Q(3))


@ours(Source(LYU, "Algorithm 3", "Roth, 2011"), formula=privacy.released_value_probability)
@refuted(bits=128, size=3, epsilon=Q(1))
def noisy_answers_may_be_released(value: Formula, size: int, epsilon: Q) -> Finding:
    """Sparse vector with scales b = b′ = 2/ε and cut-off 1 may release the noisy answer that
    exceeded the threshold: n answers 'below' and then one at T or less have probabilities that
    change by the factor e^ε at most when the n queries rise by one.
    """
    decay = (-ball(epsilon) / 2).exp()
    return at_most(value(size, 1, 1, arb(1)), ball(epsilon).exp() * value(size, 1, 1, decay))


@ours(Source(LYU, "Algorithm 3", "Roth, 2011"), formula=privacy.released_value_probability)
@certified(size=(0, 1, 2, 5, 40), decay=(Q(1, 2), Q(9, 10)), rates=((1, 1), (2, 1), (1, 3)))
def released_answers_cost_every_query(
    value: Formula, size: int, decay: Q, rates: tuple[int, int]
) -> Finding:
    """The loss there is exactly n/b′, here for n up to 40, without bound: a value v ≤ T shows that
    the noisy threshold was below v, and there every 'below' becomes rarer by the factor e^(−1/b′).
    """
    first, second = (value(size, *rates, g) for g in (Q(1), decay))
    a, s = rates
    inner = Q(a, 2) / (2**size * (a + size * s))  # ∫_{z ≤ v} f(z) F(z)ⁿ dz at v = 0
    outer = inner * Q(s, 2) / (a + size * s + s)
    return all_of(equal(second, decay**size * first), equal(first, outer))


@repairs(
    noisy_answers_may_be_released,
    rests_on=("privacy.sparse_vector_is_private", "privacy.guarantees_compose"),
)
@proved(argued=("probabilities of the answers and densities of the value multiply",))
def noisy_answers_may_be_released_afresh() -> Finding:
    """Released with noise of its own, of scale 1/ε′, the answer costs ε′ more: the answers of
    Algorithm 1 and then that value have probabilities that change by e^ε and e^ε′ at most.
    """
    p, q, first, second, k, other = sympy.symbols("p q first second k other", nonnegative=True)
    inside = [p <= k * q, first <= other * second]
    return all_of(
        entails(inside, p * first <= k * other * q * second), laplace_density_falls_no_faster()
    )


@ours(Source(LYU, "Algorithm 5", "Stoddard et al., 2014"), formula=privacy.noisy_threshold_between)
@refuted(bits=128, low=Q(-1, 2), high=Q(1, 2), epsilon=Q(1))
def queries_need_no_noise(between: Formula, low: Q, high: Q, epsilon: Q) -> Finding:
    """With noise of scale 2/ε on the threshold, the queries need none, nor a cut-off: one query at
    `low` below and one at `high` above become rarer by the factor e^ε at most when the queries
    change places, high − low ≤ 1. (It becomes impossible.)
    """
    scale = 2 / ball(epsilon)
    first = between(ball(low), ball(high), scale)
    return at_most(first, ball(epsilon).exp() * between(ball(high), ball(low), scale))


@ours(Source(LYU, "Algorithm 5", "Stoddard et al., 2014"), formula=privacy.noisy_threshold_between)
@certified(bits=128, scale=(Q(1, 2), Q(2)), half=(Q(1, 4), Q(1, 2)))
def queries_without_noise_have_no_epsilon(between: Formula, scale: Q, half: Q) -> Finding:
    """For queries at −h and h the answers are these with probability 1 − e^(−h/b), and never when
    they change places: 1 − e^(−1/4) at b = 2 and h = 1/2.
    """
    found = between(ball(-half), ball(half), ball(scale))
    mass = 1 - (-ball(half) / ball(scale)).exp()
    return all_of(
        less(abs(found - mass), ball(Q(1, 10**30))),
        equal(between(ball(half), ball(-half), ball(scale)), 0),
        less(0, found),
    )


@repairs(queries_need_no_noise)
@certified(bits=128, low=(Q(-1, 2), Q(0)), high=(Q(1, 2),), epsilon=EPSILONS)
def queries_with_noise_may_change_places(low: Q, high: Q, epsilon: Q) -> Finding:
    """With noise of scale 4/ε on the queries it does."""
    data = [{"below": [a], "above": [b]} for a, b in ((low, high), (high, low))]
    return at_most(loss(privacy.sparse_vector_scales(epsilon, 1), *data), ball(epsilon))


@ours(Source(LYU, "Algorithm 6", "Chen et al., 2015"))
@refuted(bits=128, below=3, above=3, epsilon=Q(1))
def answers_need_no_cutoff(below: int, above: int, epsilon: Q) -> Finding:
    """With noise of scale 2/ε on the threshold and on each query, all answers are ε-private,
    however many are 'above'.
    """
    return at_most(loss((2 / epsilon, 2 / epsilon), *hard_pair(below, above)), ball(epsilon))


@ours(Source(LYU, "Algorithm 6", "Chen et al., 2015"))
@proved(argued=("the integrands for n pairs are compared at z and z + 1, for every z",))
def answers_without_cutoff_have_no_epsilon() -> Finding:
    """The loss on n queries 'below' and n 'above' that start at the threshold is at least n/b′:
    F(z)(1 − F(z)) ≥ e^(1/b′) F(z − 1)(1 − F(z + 1)) for every z, so that the integrand for n pairs
    falls by e^(−n/b′) at least. With x = e^(z/b′) and d = e^(−1/b′), F is x/2 for x ≤ 1 and
    1 − 1/(2x) beyond.
    """
    x, d, here, left, right = sympy.symbols("x d here left right", positive=True)
    laws = [laplace_tail(here, x), laplace_tail(left, d * x), laplace_tail(right, x / d), d < 1]
    return entails(laws, left * (1 - right) <= d * here * (1 - here))


@ours(Source(LYU, "Algorithm 6", "Chen et al., 2015"), formula=privacy.sparse_vector_probability)
@certified(bits=128, pairs=(1, 2, 4, 8), rate=(1, 2))
def answers_without_cutoff_cost_every_pair(law: Formula, pairs: int, rate: int) -> Finding:
    """And so it is for 1, 2, 4 and 8 pairs: more than n/b′, at most 1/b + 2n/b′; the probabilities
    of all patterns sum to one.
    """
    zeros, up, down = [Q(0)] * pairs, [Q(1)] * pairs, [Q(-1)] * pairs
    cost = (law(1, rate, below=zeros, above=zeros) / law(1, rate, below=up, above=down)).log()
    one, two = [Q(1, 3)], [Q(-2)]
    total = law(1, rate, below=[*one, *two]) + law(1, rate, above=[*one, *two])
    total += law(1, rate, below=one, above=two) + law(1, rate, below=two, above=one)
    return all_of(
        less(arb(pairs * rate), cost),
        at_most(cost, arb(1 + 2 * pairs * rate)),
        less(abs(total - 1), ball(Q(1, 10**30))),
    )


@repairs(answers_need_no_cutoff)
@certified(bits=128, below=(1, 3, 10), above=(1, 3), epsilon=EPSILONS)
def answers_with_a_cutoff_are_private(below: int, above: int, epsilon: Q) -> Finding:
    """They are if it stops after c 'above' and b′ = 4c/ε, here for exactly c of them."""
    scales = privacy.sparse_vector_scales(epsilon, above)
    return at_most(loss(scales, *hard_pair(below, above)), ball(epsilon))
