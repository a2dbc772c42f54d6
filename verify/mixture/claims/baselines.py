"""Section V-A: what the baselines claim, what noise by class sizes tells, and public sizes."""

from collections.abc import Callable
from fractions import Fraction as Q
from math import factorial
from typing import Any

import sympy
from flint import arb, ctx

from provedp.mechanisms.mixture.baseline_noise import (
    COVARIANCE,
    MEAN,
    RELEASES,
    WEIGHTS,
    Sizes,
    Target,
)
from provedp.mechanisms.parameters import ratio_below
from provedp.theory import mixture, privacy
from provedp.theory.matrices import matrix
from provedp.theory.mixture import LabelledData
from provedp.theory.numbers import ball
from provedp.verify.ledger import (
    Finding,
    all_of,
    assume,
    at_most,
    certified,
    close,
    entails,
    equal,
    less,
    ours,
    proved,
    published,
    refuted,
    repairs,
)
from provedp.verify.mixture.claims import parameters
from provedp.verify.privacy.claims import finite

PRECISION = 192  # bits
WIDTH = 1e-40  # of a comparison of balls at that precision
DELTA = Q(2, 10**5)  # of Section V-A


def equal_features(counts: tuple[int, int]) -> tuple[LabelledData, LabelledData]:
    """Return data of one feature, 0 for every record, and the same with record 0 in class 1."""
    data = LabelledData(matrix([[Q(0)]] * sum(counts)), (0,) * counts[0] + (1,) * counts[1], 2)
    return data, data.flipped(0, 1)


def _assume_equal_statistics(data: LabelledData, other: LabelledData) -> None:
    """Assume that both are admissible and their means and covariances equal."""
    assume(min(*data.counts, *other.counts) > 2)
    assume(bool((mixture.class_means(data) == mixture.class_means(other)).all()))
    pairs = zip(mixture.class_covariances(data), mixture.class_covariances(other), strict=True)
    assume(all((a == b).all() for a, b in pairs))


def _scale_ratio(data: LabelledData, other: LabelledData) -> Any:
    """Return by how much more noise the first mean gets in the second data set.

    Features are numbers in [−1, 1], so that ℓ₁ and ℓ₂ sensitivities are the same.
    """
    one, two = (Sizes.private(each.counts, 1, Q(1)) for each in (data, other))
    return two.mean(two.classes[0], 2) / one.mean(one.classes[0], 2)


@published(
    "Section V-A, i.i.d. Laplace mechanism: (ε, 0)", formula=mixture.class_size_laplace_delta
)
@refuted(counts=(5, 3), k=Q(10**6))
def laplace_baseline_is_private(
    profile: Callable[..., Any], counts: tuple[int, int], k: Q
) -> Finding:
    """Laplace noise on π, μ_k and Σ_k, each by its own ℓ₁ sensitivity, is (ε, 0)-private.

    Counterexample: eight records with the same feature, (5, 3) against (4, 4). Means and
    covariances agree, but the scale of the noise on the first mean is to that of its neighbour as 4
    to 5, so that the ratio of the laws is unbounded: δ = 256/3125 · e^(−4ε) > 0 at every ε.
    """
    data, other = equal_features(counts)
    _assume_equal_statistics(data, other)
    assume(_scale_ratio(data, other) == Q(counts[0], counts[0] - 1))
    return at_most(profile(k, counts[0]), Q(0))


@published("Section V-A, i.i.d. Gaussian mechanism: (ε, δ)", formula=mixture.class_size_delta)
@refuted(counts=(5, 3), epsilon=Q(1))
def gaussian_baseline_is_private(
    profile: Callable[..., Any], counts: tuple[int, int], epsilon: Q
) -> Finding:
    """Gaussian noise on π, μ_k and Σ_k, each by its own ℓ₂ sensitivity, is (ε, δ)-private, for
    δ = 2·10⁻⁵.

    Counterexample: eight records with the same feature, (5, 3) against (4, 4). The noise on the
    first mean has the same centre 0, but standard deviations as 4 to 5: δ > 0.012 at ε = 1.
    """
    data, other = equal_features(counts)
    _assume_equal_statistics(data, other)
    assume(_scale_ratio(data, other) == Q(counts[0], counts[0] - 1))
    return at_most(profile("gaussian", epsilon, counts[0], 1), ball(DELTA))


COLOURED = ("1", "-1", "0", "0", "1/100", "-1/100", "0")


@published("Section V-A, Colored Gaussian mechanism: (ε, δ)", formula=privacy.gaussian_pair_delta)
@refuted(points=COLOURED, epsilon=Q(1))
def coloured_baseline_is_private(
    profile: Callable[..., Any], points: tuple[str, ...], epsilon: Q
) -> Finding:
    """Gaussian noise on the means with the covariance of least trace that meets (10), for the
    displacements of the data's own flips, is (ε, δ)-private, for δ = 2·10⁻⁵.

    Counterexample: seven records on a line. Both means of the first class are 0, but its noise has
    standard deviations as 1/3 to 1/400: after the flip it has three records, none of which may
    leave. With 0 for 1/100 the neighbour's mean gets no noise at all.
    """
    data = LabelledData(matrix([[Q(x)] for x in points]), (0,) * 4 + (1,) * 3, 2)
    other = data.flipped(3, 1)
    assume(mixture.class_means(data)[0, 0] == mixture.class_means(other)[0, 0] == 0)
    # On a line the least Z ⪰ Δ² for all displacements is the largest square.
    shapes = [
        max(step[0] ** 2 for step in mixture.mean_displacements(each, 0)) for each in (data, other)
    ]
    return at_most(profile([0], [[shapes[0]]], [[shapes[1]]], epsilon), ball(DELTA))


@published("Section V-A, '(ε, 0)-DP … sufficient to guarantee (ε, δ)-DP'")
@proved()
def pure_privacy_is_enough() -> Finding:
    """(ε, 0)-privacy implies (ε, δ)-privacy for every δ ≥ 0, event by event."""
    p, q, k, delta = sympy.symbols("p q k delta", real=True)
    return entails([k >= 1, delta >= 0, p <= k * q], p <= k * q + delta)


@published("Section V-A, projections preserve privacy by post-processing")
@proved()
def projections_cost_nothing() -> Finding:
    """What is computed from a private release without the data is as private. The hull of the
    weights (N is public), the floor of the covariances and B are public.
    """
    return finite.post_processing_keeps_guarantees()


@ours("noise by class sizes", formula=mixture.class_size_delta)
@certified(
    noise=("laplace", "gaussian"), count=(4, 5, 50), entries=(2, 4, 14), epsilon=(Q(0), Q(1))
)
def class_size_profile_is_the_largest_gap(
    profile: Callable[..., Any], noise: str, count: int, entries: int, epsilon: Q
) -> Finding:
    """For D entries with the same centre and scales as N − 1 to N, no event {Σ|x_i| > t} (Laplace)
    or {Σx_i² > t} (Gaussian) separates the laws by more than the closed form, which is positive,
    and the one on whose boundary the ratio is e^ε does by as much. For even D all tails are finite
    sums.
    """
    with ctx.workprec(PRECISION):
        level, ratio = ball(epsilon), ball(Q(count, count - 1))
        found = profile(noise, level, count, entries)
        terms, ratio = (entries // 2, ratio**2) if noise == "gaussian" else (entries, ratio)

        def gap(t: arb) -> arb:
            return _gamma_tail(terms, t / ratio) - level.exp() * _gamma_tail(terms, t)

        end = (level + terms * ratio.log()) / (1 - 1 / ratio)
        others = [gap(end * arb(step) / 20) for step in range(1, 60) if step != 20]
        return all_of(
            at_most(others, found), close(found, gap(end), tolerance=WIDTH), less(0, found)
        )


def _gamma_tail(terms: int, x: arb) -> arb:
    """Return P(G > x) for a sum G of so many standard exponentials."""
    parts = [x**j / factorial(j) for j in range(terms)]
    return (-x).exp() * sum(parts[1:], start=parts[0])


@ours("noise by class sizes, one entry", formula=mixture.class_size_laplace_delta)
@certified(count=(2, 3, 5, 50), k=(Q(1), Q(3, 2), Q(10)))
def one_entry_is_a_special_case(profile: Callable[..., Any], count: int, k: Q) -> Finding:
    """With one entry and Laplace noise the closed form is a power, and positive at every ε."""
    with ctx.workprec(PRECISION):
        general = mixture.class_size_delta("laplace", ball(k).log(), count, 1)
        found = profile(k, count)
        return all_of(
            at_most(abs(general - ball(found)), ball(Q(1, 10**40))),
            less(0, found),
        )


def of_a_class_with_one_more(noise: str, epsilon: arb, count: int, entries: int) -> Any:
    """Return the profile for N + 1 and N."""
    return mixture.class_size_delta(noise, epsilon, count + 1, entries)


@ours(
    "noise by class sizes, where it matters",
    formula=mixture.class_size_delta,
    mutants=(of_a_class_with_one_more,),
)
@certified(
    cases=[
        dict(noise="gaussian", count=5, entries=1, above=Q(12, 1000), below=Q(13, 1000)),
        dict(noise="gaussian", count=50, entries=4, above=Q(0), below=Q(1, 10**11)),
        dict(noise="laplace", count=50, entries=14, above=Q(0), below=Q(1, 10**15)),
        dict(noise="gaussian", count=14, entries=12, above=Q(4, 1000), below=Q(5, 1000)),
        dict(noise="gaussian", count=200, entries=2555, above=Q(58, 10**5), below=Q(6, 10**4)),
        dict(noise="laplace", count=50, entries=2555, above=Q(13, 100), below=Q(14, 100)),
    ]
)
def class_sizes_leak_in_small_classes_and_many_dimensions(
    profile: Callable[..., Any], noise: str, count: int, entries: int, above: Q, below: Q
) -> Finding:
    """At ε = 1 the size alone tells next to nothing for Iris (N_k = 50, four means or fourteen
    entries), but more than δ = 2·10⁻⁵ allows for the twelve means of a class of 14 as in Table I,
    and, before the projection, for the 2555 means and covariances of a class of 200 at d = 70, the
    end of Figure 8.
    """
    with ctx.workprec(PRECISION):
        found = profile(noise, ball(Q(1)), count, entries)
        return all_of(less(ball(above), found), less(found, ball(below)))


@repairs(laplace_baseline_is_private, formula=mixture.mean_sensitivity)
@proved()
def laplace_noise_for_public_sizes_is_private(sensitivity: Callable[..., Any]) -> Finding:
    """If every class has at least n records in both data sets, n public, Laplace noise by the ℓ₁
    sensitivities for n + 1 is (ε, 0)-private: |x − a| changes by at most |a − b|, so a release
    loses at most Δ₁/b, its share of ε; and 1/3 + 2 (1/6 + 1/6) = 1, for the weights, two means and
    two covariances.
    """
    x, a, b = sympy.symbols("x a b", real=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    m, n, bound, epsilon = sympy.symbols("m n B epsilon", positive=True)
    moves = parameters.means_move_at_most_so_far, parameters.covariances_move_at_most_so_far
    largest = sensitivity(bound, sympy.Integer(4), d, 1)
    scale = largest / (sympy.Rational(MEAN.numerator, MEAN.denominator) * epsilon)
    return all_of(
        entails([], sympy.Abs(x - a) - sympy.Abs(x - b) <= sympy.Abs(a - b)),
        equal(largest / scale, epsilon / 6),
        equal(epsilon * sympy.Rational(WEIGHTS + 2 * (MEAN + COVARIANCE)), epsilon),
        # Sensitivities fall with the size: those for n + 1 cover every class.
        entails([n >= m, m >= 4], 1 / n <= 1 / m),
        moves[0](sensitivity),
        moves[1](mixture.covariance_sensitivity),
    )


@repairs(gaussian_baseline_is_private, formula=mixture.mean_sensitivity)
@certified(
    epsilon=(Q(1, 10), Q(1), Q(5), Q(60)),
    delta=(Q(1, 100), DELTA),
    dimension=(1, 4),
    least=(3, 40),
)
def gaussian_noise_for_public_sizes_is_private(
    sensitivity: Callable[..., Any], epsilon: Q, delta: Q, dimension: int, least: int
) -> Finding:
    """If every class has at least n records in both data sets, n public, Gaussian noise of the
    least standard deviation for (ε/3, δ/5) on the weights and (ε/6, δ/5) on each mean and
    covariance is (ε, δ)-private, by basic composition of the five that a flip changes.
    """
    target = Target(ratio_below(epsilon), delta)
    sizes = Sizes.public((least, least), dimension, Q(4), least)
    scales = sizes.scales(target.least, 2)
    covariance = mixture.covariance_sensitivity
    with ctx.workprec(PRECISION):
        # One sensitivity and scale of each kind; a little less noise would not do.
        kinds = (
            (WEIGHTS, mixture.weight_sensitivity(2 * least, 2), scales.weights),
            (MEAN, sensitivity(Q(4), least + 1, dimension, 2), scales.means[0]),
            (COVARIANCE, covariance(Q(4), least + 1, dimension, 2), scales.covariances[0]),
        )
        shifts = [(target.epsilon(share), ball(move) / ball(scale)) for share, move, scale in kinds]
        spent = [privacy.gaussian_delta(mu, level) for level, mu in shifts]
        beyond = [
            privacy.gaussian_delta(mu * ball(Q(100001, 100000)), level) for level, mu in shifts
        ]
        return all_of(
            at_most(spent, ball(delta / RELEASES)),
            less(ball(delta / RELEASES), beyond),
            at_most(ball(target.ratio).log(), ball(epsilon)),
            equal(WEIGHTS + 2 * (MEAN + COVARIANCE), Q(1)),
        )


@repairs(coloured_baseline_is_private)
@proved()
def coloured_noise_for_a_ball_is_white() -> Finding:
    """For all displacements up to r = 2B/(n + 1), n a public least size, the cheapest covariance
    is r² I, whatever Σ weighs it: Z ⪰ ΔΔᵀ for Δ = ru says uᵀZu ≥ r², so every eigenvalue is at
    least r², and r² I meets this for every |Δ| ≤ r, since (uᵀΔ)² ≤ r². So the mechanism is that of
    i.i.d. Gaussian noise for public sizes, and as private.
    """
    r, z, total, weight, dot = sympy.symbols("r z T w u", real=True)
    count = sympy.Symbol("d", integer=True, positive=True)
    square = sympy.Symbol("s", real=True)  # |Δ|²
    return all_of(
        # uᵀΔΔᵀu at Δ = ru, |u| = 1.
        equal((r * 1) ** 2, r**2),
        # One more eigenvalue, of weight w ≥ 0 in Σ⁻¹, adds at least w r² to the cost.
        entails(
            [weight >= 0, z >= r**2, total >= square], total + weight * z >= square + weight * r**2
        ),
        # Cauchy's inequality for |u| = 1.
        entails([dot**2 <= square, square <= r**2], dot**2 <= r**2),
        equal(sympy.summation(r**2, (sympy.Symbol("i"), 1, count)), count * r**2),
    )
