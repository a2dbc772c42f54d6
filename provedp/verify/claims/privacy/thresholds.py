"""Noisy counts that are released beyond a threshold only: the δ of one user, right and wrong."""

from provedp.theory import privacy
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy.sparse_vector import laplace_density_falls_no_faster
from provedp.verify.claims.references import KOROLOVA, OPENDP, SMARTNOISE

WIDTH = 1e-30  # of a comparison of balls at that precision
SELECTION = Source(KOROLOVA, "release beyond a threshold")
LEVELS = (Q(1, 2), Q(1), Q(2))
DELTAS = (Q(1, 100), Q(1, 1000), Q(1, 10**6))


def usual_threshold(epsilon: Any, delta: Any) -> Any:
    """Return 1 + ln(1/(2δ))/ε."""
    return 1 + (1 / (2 * ball(delta))).log() / ball(epsilon)


def threshold_less_one(epsilon: Any, delta: Any) -> Any:
    """Return ln(1/(2δ))/ε, as if the user had not been counted."""
    return usual_threshold(epsilon, delta) - 1


def half_of_it(epsilon: Any, threshold: Any) -> Any:
    """Return δ/2."""
    return privacy.laplace_threshold_delta(epsilon, threshold) / 2


@ours(SELECTION, formula=privacy.laplace_threshold_delta, mutants=(half_of_it,))
@certified(bits=128, epsilon=LEVELS, delta=DELTAS)
def one_user_is_released_with_probability_delta(released: Formula, epsilon: Q, delta: Q) -> Finding:
    """At the threshold 1 + ln(1/(2δ))/ε a group of one user is released with probability δ: that is
    the hockey-stick divergence from no user at every ε, since without a user nothing is released.
    """
    return close(released(ball(epsilon), usual_threshold(epsilon, delta)), delta, tolerance=WIDTH)


@ours(
    SELECTION,
    rests_on=("privacy.laplace_noise_is_private", "privacy.post_processing_keeps_guarantees"),
)
@machine_checked("releases.release_beyond_a_threshold_is_private", part="between one user and none")
@proved(argued=("the threshold is applied to the noisy count: post-processing",))
def release_beyond_a_threshold_is_private() -> Finding:
    """Between one user more or less of n ≥ 1 the noisy count costs ε, and its threshold nothing;
    between none and one δ, both ways, if one user is released with probability δ and none never.
    For an event U of outputs with one user, P(U) ≤ δ if 'nothing' is not in it, and otherwise it is
    certain without users; and without users, P(U) is 0, or 1 ≤ P′(nothing) + δ. So the whole is
    (ε, δ)-private for one user in one group.
    """
    p, q, k, slack, event = sympy.symbols("p q k delta event", nonnegative=True)
    released, rest = sympy.symbols("released rest", nonnegative=True)
    inside = [k >= 1, slack < 1, released <= slack]
    certain = sympy.Eq(event, (1 - released) + rest)  # 'nothing' is in U, and `rest` of the others
    return all_of(
        laplace_density_falls_no_faster(),
        entails([*inside, event <= released], event <= k * 0 + slack),
        entails([*inside, rest <= released, certain], event <= k * 1 + slack),
        entails([*inside, rest <= released, certain], 1 <= k * event + slack),
        entails([p <= k * q, k >= 1], p <= k * q + slack),
    )


@ours(Source(KOROLOVA, "release beyond a threshold", "one less"), formula=threshold_less_one)
@refuted(bits=128, epsilon=Q(1), delta=Q(1, 1000))
def threshold_need_not_count_the_user(threshold: Formula, epsilon: Q, delta: Q) -> Finding:
    """The threshold ln(1/(2δ))/ε keeps the promise (ε, δ): one user's group is released with
    probability δ at most. (It is released with probability e^ε δ.)
    """
    spent = privacy.laplace_threshold_delta(ball(epsilon), threshold(epsilon, delta))
    return at_most(spent, ball(delta) + ball(Q(1, 10**30)))


@repairs(
    threshold_need_not_count_the_user,
    formula=usual_threshold,
    mutants=(threshold_less_one,),
)
@certified(bits=128, epsilon=LEVELS, delta=DELTAS)
def threshold_counts_the_user(threshold: Formula, epsilon: Q, delta: Q) -> Finding:
    """The threshold 1 + ln(1/(2δ))/ε does, up to 10⁻³⁰, and spends all of δ; it is above 1."""
    above = less(1, threshold(epsilon, delta))
    if not above.holds:
        return above
    spent = privacy.laplace_threshold_delta(ball(epsilon), threshold(epsilon, delta))
    return all_of(
        above,
        threshold_need_not_count_the_user(threshold, epsilon, delta),
        close(spent, delta, tolerance=WIDTH),
    )


@ours(SELECTION, formula=privacy.laplace_threshold_delta)
@certified(bits=128, epsilon=LEVELS, delta=DELTAS)
def threshold_less_one_costs_a_factor(released: Formula, epsilon: Q, delta: Q) -> Finding:
    """With the threshold ln(1/(2δ))/ε it is released with probability e^ε δ."""
    found = released(ball(epsilon), threshold_less_one(epsilon, delta))
    return close(found, ball(epsilon).exp() * ball(delta), tolerance=WIDTH)


@ours(
    Source(None, "a threshold on two-sided geometric noise"),
    formula=privacy.geometric_threshold_delta,
)
@certified(decay=(Q(1, 3), Q(1, 2), Q(9, 10)), least=(1, 2, 5, 7))
def geometric_threshold_is_a_tail(released: Formula, decay: Q, least: int) -> Finding:
    """One user is released with the probability of noise of at least t − 1: summed outcome by
    outcome over some, and the rest by symmetry; a threshold that is one lower costs 1/r times δ.
    """
    mass = [(1 - decay) / (1 + decay) * decay ** abs(x) for x in range(2 - least, least - 1)]
    outside = (1 - sum(mass)) / 2 if least > 1 else (1 + (1 - decay) / (1 + decay)) / 2
    return all_of(
        equal(released(decay, least), outside),
        equal(released(decay, least), decay * released(decay, least - 1) if least > 1 else outside),
    )


def strictly_beyond(decay: Q, threshold: int) -> Q:
    """Return the δ for counts above the threshold, not at it."""
    return rational(privacy.geometric_threshold_delta(decay, threshold + 1))


@ours(
    Source(OPENDP, "issue 2922", "a threshold that is released at equality"),
    formula=strictly_beyond,
)
@refuted(decay=Q(3, 8), threshold=5)
def release_at_the_threshold_costs_nothing(charged: Formula, decay: Q, threshold: int) -> Finding:
    """For integer noise the δ of releasing counts above the threshold also holds if a count at the
    threshold is released.
    """
    return at_most(privacy.geometric_threshold_delta(decay, threshold), charged(decay, threshold))


def at_or_beyond(decay: Q, threshold: int) -> Q:
    """Return the δ for counts at the threshold or above."""
    return rational(privacy.geometric_threshold_delta(decay, threshold))


@repairs(
    release_at_the_threshold_costs_nothing,
    formula=at_or_beyond,
    mutants=(strictly_beyond,),
)
@certified(decay=(Q(1, 3), Q(3, 8), Q(9, 10)), threshold=(1, 2, 5))
def release_at_the_threshold_costs_one_step(charged: Formula, decay: Q, threshold: int) -> Finding:
    """The δ of the next lower threshold does: 1/r times as much."""
    return all_of(
        release_at_the_threshold_costs_nothing(charged, decay, threshold),
        equal(charged(decay, threshold) * decay, strictly_beyond(decay, threshold)),
    )


@ours(Source(None, "a threshold on Gaussian noise"), formula=privacy.gaussian_threshold_delta)
@certified(bits=128, sigma=(Q(1), Q(3)), threshold=(Q(1), Q(5, 2), Q(7)))
def gaussian_threshold_is_a_tail(released: Formula, sigma: Q, threshold: Q) -> Finding:
    """One user is released with probability 1 − Φ((τ − 1)/σ)."""
    other = 1 - normal_cdf((ball(threshold) - 1) / ball(sigma))
    return close(released(ball(sigma), ball(threshold)), other, tolerance=WIDTH)


@ours(Source(SMARTNOISE, "issue 204", "the threshold for Laplace noise, under Gaussian noise"))
@refuted(bits=128, epsilon=Q(1), delta=Q(1, 1000), sigma=Q(3))
def gaussian_noise_may_use_the_laplace_threshold(epsilon: Q, delta: Q, sigma: Q) -> Finding:
    """With Gaussian noise of standard deviation 3 the threshold 1 + ln(1/(2δ))/ε, ε = 1, releases
    one user with probability δ at most. (It is Φ(−ln(500)/3) = 0.019 for δ = 10⁻³.)
    """
    bound = usual_threshold(epsilon, delta)
    return at_most(privacy.gaussian_threshold_delta(ball(sigma), bound), ball(delta))


@repairs(gaussian_noise_may_use_the_laplace_threshold)
@certified(bits=128, delta=DELTAS, sigma=(Q(1), Q(3)))
def gaussian_noise_needs_a_quantile(delta: Q, sigma: Q) -> Finding:
    """The threshold 1 − σ Φ⁻¹(δ) does, and 1/1000 less does not."""
    bound = 1 - ball(sigma) * privacy.functions.normal_quantile(ball(delta))
    spent = [
        privacy.gaussian_threshold_delta(ball(sigma), bound - step)
        for step in (0, ball(Q(1, 1000)))
    ]
    return all_of(close(spent[0], delta, tolerance=WIDTH), less(ball(delta), spent[1]))
