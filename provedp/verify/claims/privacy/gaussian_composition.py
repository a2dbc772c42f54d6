"""Gaussian noise in several steps, on integers, and beside a discrete release."""

from provedp.theory import privacy
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import KAIROUZ

WIDTH = 1e-40  # of a comparison of balls at that precision


@ours(Source(None, "adaptive composition of Gaussian noise"))
@proved(
    argued=(
        "sums of independent normals are normal; the laws across the change are the same",
        "induction on the releases: each is a function of what came before and of its own Y",
        "a likelihood ratio is a sufficient statistic",
    )
)
def adaptive_gaussian_releases_are_one() -> Finding:
    """Releases with Gaussian noise, each of which may depend on what came before, with changes of
    length at most μ_i in units of the noise, are together a function of one number, N(0, 1) or
    N(μ, 1) with μ² = Σ μ_i². Given Y ~ N(0, 1) or N(μ_i, 1), s Y + √(1 − s²) Z with s = m/μ_i and
    an independent normal Z has variance 1 and mean 0 or m: the release, along its change of length
    m ≤ μ_i (across it both laws are the same). So all releases are a function of independent
    Y₁, …, Y_T; their log-likelihood ratio is Σ (μ_i Y_i − μ_i²/2), a function of S = Σ μ_i Y_i,
    which has mean 0 or Σ μ_i² and variance Σ μ_i²: a step adds μ_i² to both.
    """
    m, mu, y, spent = sympy.symbols("m mu y V", positive=True)
    s = m / mu
    log_ratio = sympy.expand(-((y - mu) ** 2) / 2 + y**2 / 2)
    return all_of(
        base_case(equal(s**2 + (1 - s**2), 1)),
        equal(s * mu, m),
        entails([m <= mu], 1 - s**2 >= 0),
        equal(log_ratio, mu * y - mu**2 / 2),
        # S/√V has variance 1 and mean √V after steps with Σ μ_i² = V; one more adds μ² to V.
        equal((spent + mu * mu) / sympy.sqrt(spent + mu**2), sympy.sqrt(spent + mu**2)),
        base_case(equal((spent + mu**2 * 1) / sympy.sqrt(spent + mu**2) ** 2, 1)),
    )


@ours(Source(None, "RoundedGaussian"))
@proved(argued=())
def rounded_noise_on_integers_is_gaussian_noise() -> Finding:
    """Noise rounded to the nearest integer and added to an integer x is Gaussian noise added to x
    and rounded then, x + ⌊y + 1/2⌋ = ⌊x + y + 1/2⌋: a function of a release with Gaussian noise.
    """
    x = sympy.Symbol("x", integer=True)
    y = sympy.Symbol("y", real=True)
    half = sympy.Rational(1, 2)
    return equal(x + sympy.floor(y + half), sympy.floor(x + y + half))


@ours(Source(KAIROUZ, "Theorem 2.1"))
@machine_checked("laws.pure_releases_are_randomised_response")
@proved(argued=("outcome by outcome, or density by density",))
def pure_releases_are_randomised_response() -> Finding:
    """Two laws P ≤ kQ, Q ≤ kP are mixtures of the same two, A = (kP − Q)/(k − 1) and
    B = (kQ − P)/(k − 1), with weights k/(k + 1) and 1/(k + 1), in one order or the other: a
    (ln k, 0)-private release is randomised response with ratio k > 1, post-processed.
    """
    p, q, a, b = sympy.symbols("p q A B", real=True)
    k = sympy.Symbol("k", positive=True)
    first, second = (k * p - q) / (k - 1), (k * q - p) / (k - 1)
    inside = [k > 1, p <= k * q, q <= k * p]
    return all_of(
        equal((k * first + second) / (k + 1), p),
        equal((first + k * second) / (k + 1), q),
        entails([*inside], sympy.And(first >= 0, second >= 0)),
        # Outcomes of P and Q sum to one, and so do those of A and B.
        base_case(equal((first + second).subs({p: 1, q: 1}), 2)),
        base_case(equal(first.subs({p: 1, q: 1}), 1)),
    )


def as_if_the_losses_were_equal(k: arb, mu: arb, epsilon: arb) -> Any:
    """Return the profile of the Gaussian part at ε − ln k."""
    return privacy.gaussian_delta(mu, (epsilon - k.log()).max(arb(0)))


@ours(
    Source(None, "a (ln k, 0)-private release beside Gaussian noise"),
    formula=privacy.response_and_gaussian_delta,
    mutants=(as_if_the_losses_were_equal,),
    survivors={
        "ε for −ε": "the two answers change places, and the closed form is symmetric in them"
    },
)
@certified(bits=192, k=(Q(1), Q(11, 10), Q(3)), mu=(Q(1, 4), Q(2)), epsilon=(Q(0), Q(1, 2), Q(2)))
def response_and_gaussian_profile_is_the_largest_gap(
    profile: Formula, k: Q, mu: Q, epsilon: Q
) -> Finding:
    """Given each answer of randomised response the best event is a half-line of the Gaussian
    release; no two half-lines separate more than the closed form, and those at ε/μ ± ln k/μ do.
    """
    ratio, shift, level = ball(k), ball(mu), ball(epsilon)
    found = profile(ratio, shift, level)
    truth, lie = ratio / (ratio + 1), 1 / (ratio + 1)

    def gap(end: arb, here: arb, there: arb) -> arb:
        """Return what the event beyond `end` separates, after one of the answers."""
        return here * normal_cdf(shift - end) - level.exp() * there * normal_cdf(-end)

    def best(here: arb, there: arb) -> tuple[arb, list[arb]]:
        end = (level + (there / here).log()) / shift + shift / 2
        others = [gap(end + arb(step) / 7, here, there) for step in range(-40, 41) if step]
        return gap(end, here, there), others

    (one, less_than_one), (two, less_than_two) = best(truth, lie), best(lie, truth)
    return all_of(
        close(found, one + two, tolerance=WIDTH),
        *(less(other, one) for other in less_than_one),
        *(less(other, two) for other in less_than_two),
    )


def slightly_less_noise(k: Q, epsilon: Q, delta: Q) -> Any:
    """Return the noise without the discrete release."""
    return privacy.gaussian_sigma(epsilon, delta)


@ours(
    Source(None, "a (ln k, 0)-private release beside Gaussian noise"),
    formula=privacy.response_and_gaussian_sigma,
    mutants=(slightly_less_noise,),
)
@certified(
    bits=192, k=(Q(21, 20), Q(5, 4)), epsilon=(Q(1, 2), Q(1)), delta=(Q(1, 100), Q(1, 10**6))
)
def noise_beside_a_discrete_release_is_least(sigma: Formula, k: Q, epsilon: Q, delta: Q) -> Finding:
    """The calibrated σ meets the joint target, and one that is smaller by 10⁻⁹ does not."""
    value = ball(as_dyadic(sigma(k, epsilon, delta).value))
    positive = less(0, value)
    if not positive.holds:
        return positive
    smaller = value * (1 - ball(Q(1, 10**9)))
    spent = [
        privacy.response_and_gaussian_delta(ball(k), 1 / each, ball(epsilon))
        for each in (value, smaller)
    ]
    return all_of(positive, at_most(spent[0], ball(delta)), less(ball(delta), spent[1]))
