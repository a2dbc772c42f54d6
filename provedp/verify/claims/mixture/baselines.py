"""Section V-A: what the baselines claim, and the same noise for public class sizes."""

from collections.abc import Callable

from flint import ctx

from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.mixture.published.baseline_noise import (
    COVARIANCE,
    MEAN,
    WEIGHTS,
    Sizes,
    Target,
)
from provedp.theory import mixture, privacy
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.mixture import parameters
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy import finite
from provedp.verify.claims.privacy.combination import guarantees_compose
from provedp.verify.claims.privacy.laplace_noise import laplace_noise_is_private

PRECISION = 192  # bits
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


def public_sizes(counts: tuple[int, ...], dimension: int, bound: Q) -> Sizes:
    """Return sizes that hold for all data whose classes have at least three records."""
    return Sizes.public(counts, dimension, bound, 3)


def sizes_of_larger_classes(counts: tuple[int, ...], dimension: int, bound: Q) -> Sizes:
    """Return sizes as if every class had at least four records."""
    return Sizes.public(counts, dimension, bound, 4)


def _first_scales(sizes: Callable[..., Sizes], *data: LabelledData) -> list[Any]:
    """Return what noise on the first mean is proportional to, for features in [−1, 1].

    In one dimension ℓ₁ and ℓ₂ sensitivities are the same.
    """
    found = [sizes(each.counts, 1, Q(1)) for each in data]
    return [each.mean(each.classes[0], 2) for each in found]


@published(
    Source(MIXTURE, "Section V-A", "i.i.d. Laplace mechanism: (ε, 0)"),
    formula=mixture.class_size_laplace_delta,
    defect=Defect.FALSE,
)
@refuted(counts=(5, 3), k=Q(10**6))
def laplace_baseline_is_private(profile: Formula, counts: tuple[int, int], k: Q) -> Finding:
    """Laplace noise on π, μ_k and Σ_k, each by its own ℓ₁ sensitivity, is (ε, 0)-private.

    Counterexample: eight records with the same feature, (5, 3) against (4, 4). Means and
    covariances agree, but the scale of the noise on the first mean is to that of its neighbour as 4
    to 5, so that the ratio of the laws is unbounded: δ = 256/3125 · e^(−4ε) > 0 at every ε.
    """
    data, other = equal_features(counts)
    _assume_equal_statistics(data, other)
    one, two = _first_scales(Sizes.private, data, other)
    assume(two / one == Q(counts[0], counts[0] - 1))
    return at_most(profile(k, counts[0]), Q(0))


@published(
    Source(
        MIXTURE,
        "Section V-A",
        "i.i.d. Gaussian mechanism: (ε, δ); 'all the DP mechanisms above satisfy the (ε, δ)-DP'",
    ),
    formula=Sizes.private,
    defect=Defect.FALSE,
)
@refuted(counts=(5, 3), epsilon=Q(1))
def gaussian_baseline_is_private(
    sizes: Callable[..., Sizes], counts: tuple[int, int], epsilon: Q
) -> Finding:
    """Gaussian noise on π, μ_k and Σ_k, each by its own ℓ₂ sensitivity, is (ε, δ)-private, for
    δ = 2·10⁻⁵.

    Counterexample: eight records with the same feature, (5, 3) against (4, 4). The noise on the
    first mean has the same centre 0, but standard deviations as 4 to 5: δ > 0.012 at ε = 1.
    """
    data, other = equal_features(counts)
    _assume_equal_statistics(data, other)
    one, two = (matrix([[scale**2]]) for scale in _first_scales(sizes, data, other))
    centre = matrix([[Q(0)]])[0]
    return at_most(privacy.gaussian_pair_delta(centre, two, one, epsilon), ball(DELTA))


COLOURED = ("1", "-1", "0", "0", "1/100", "-1/100", "0")


@published(
    Source(MIXTURE, "Section V-A", "Colored Gaussian mechanism: (ε, δ)"),
    formula=privacy.gaussian_pair_delta,
    defect=Defect.FALSE,
)
@refuted(points=COLOURED, epsilon=Q(1))
def coloured_baseline_is_private(profile: Formula, points: tuple[str, ...], epsilon: Q) -> Finding:
    """Gaussian noise on the means with the covariance of least trace that meets (10), for the
    displacements of the data's own flips, is (ε, δ)-private, for δ = 2·10⁻⁵.

    Counterexample: seven records on a line. Both means of the first class are 0, but its noise has
    standard deviations as 1/3 to 1/400: after the flip it has three records, none of which may
    leave: δ > 0.977 at ε = 1. With 0 for 1/100 the neighbour's mean gets no noise at all.
    """
    data = LabelledData(matrix([[Q(x)] for x in points]), (0,) * 4 + (1,) * 3, 2)
    other = data.flipped(3, 1)
    assume(mixture.class_means(data)[0, 0] == mixture.class_means(other)[0, 0] == 0)
    # On a line the least Z ⪰ Δ² for all displacements is the largest square.
    shapes = [
        max(step[0] ** 2 for step in mixture.mean_displacements(each, 0)) for each in (data, other)
    ]
    return at_most(profile([0], [[shapes[0]]], [[shapes[1]]], epsilon), ball(DELTA))


@published(Source(MIXTURE, "Section V-A", "'(ε, 0)-DP … sufficient to guarantee (ε, δ)-DP'"))
@machine_checked("releases.pure_privacy_is_enough")
@proved(argued=())
def pure_privacy_is_enough() -> Finding:
    """(ε, 0)-privacy implies (ε, δ)-privacy for every δ ≥ 0, event by event."""
    p, q, k, delta = sympy.symbols("p q k delta", real=True)
    return entails([k >= 1, delta >= 0, p <= k * q], p <= k * q + delta)


@published(
    Source(MIXTURE, "Section V-A", "projections preserve privacy by post-processing"),
    rests_on=(finite.post_processing_keeps_guarantees,),
)
@machine_checked("privacy.post_processing_keeps_guarantees", part="for finitely many outcomes")
@proved(argued=("the projections hold no private number: N, the floor and B are public",))
def projections_cost_nothing() -> Finding:
    """What is computed from a private release without the data is as private. The hull of the
    weights (N is public), the floor of the covariances and B are public.
    """
    return finite.post_processing_keeps_guarantees()


@repairs(
    laplace_baseline_is_private,
    formula=mixture.mean_sensitivity,
    survivors={
        "times 1 + 1e-4; doubled": "a larger sensitivity is a bound too",
    },
    rests_on=(
        guarantees_compose,
        laplace_noise_is_private,
        projections_cost_nothing,
        parameters.means_move_at_most_so_far,
        parameters.covariances_move_at_most_so_far,
    ),
)
@proved(
    argued=(
        "|Σ_i |x_i − a_i| − Σ_i |x_i − b_i|| ≤ Σ_i |a_i − b_i|, entry by entry",
        "a flip moves the weights by 2/N in ℓ₁",
        "five releases compose: the weights, two means and two covariances",
    )
)
def laplace_noise_for_public_sizes_is_private(sensitivity: Formula) -> Finding:
    """If every class has at least n records in both data sets, n public, Laplace noise by the ℓ₁
    sensitivities for n + 1 is (ε, 0)-private: |x − a| changes by at most |a − b|, so a release
    loses at most Δ₁/b, its share of ε; and 1/3 + 2 (1/6 + 1/6) = 1, for the weights, two means and
    two covariances.
    """
    x, a, b = sympy.symbols("x a b", real=True)
    d, m, n = sympy.symbols("d m n", integer=True, positive=True)
    bound, epsilon = sympy.symbols("B epsilon", positive=True)
    largest, smaller = (sensitivity(bound, size, d, 1) for size in (n, n + m))
    return all_of(
        entails([], sympy.Abs(x - a) - sympy.Abs(x - b) <= sympy.Abs(a - b)),
        equal(epsilon * sympy.Rational(WEIGHTS + 2 * (MEAN + COVARIANCE)), epsilon),
        # Sensitivities fall with the size: those for n + 1 cover every class.
        equal(largest - smaller, largest * m / (n + m)),
        less(0, largest * m / (n + m)),
        parameters.means_move_at_most_so_far(sensitivity),
        parameters.covariances_move_at_most_so_far(mixture.covariance_sensitivity),
    )


@repairs(
    gaussian_baseline_is_private,
    formula=public_sizes,
    mutants=(sizes_of_larger_classes,),
    rests_on=(
        guarantees_compose,
        projections_cost_nothing,
        parameters.means_move_at_most_so_far,
        parameters.covariances_move_at_most_so_far,
    ),
)
@certified(
    epsilon=(Q(1, 10), Q(1), Q(5), Q(60)),
    delta=(Q(1, 100), DELTA),
    dimension=(1, 4),
    records=(6, 150),
)
def gaussian_noise_for_public_sizes_is_private(
    sizes: Callable[..., Sizes], epsilon: Q, delta: Q, dimension: int, records: int
) -> Finding:
    """If every class has at least n records in both data sets, n public (3 in the paper), Gaussian
    noise for the ℓ₂ sensitivities at n + 1 is (ε, δ)-private: of the least
    standard deviation for (ε/3, δ/5) on the weights and (ε/6, δ/5) on each mean and covariance, by
    basic composition of the five that a flip changes.
    """
    target = Target(ratio_below(epsilon), delta)
    given = (records // 2, records // 2), dimension, Q(4)
    return all_of(
        at_most(ball(target.ratio).log(), ball(epsilon)),
        equal(WEIGHTS + 2 * (MEAN + COVARIANCE), Q(1)),
        _least_noise_is_enough(target, sizes(*given), 3),
        _least_noise_is_enough(target, Sizes.public(*given, 40), 40),
    )


def _least_noise_is_enough(target: Target, sizes: Sizes, least: int) -> Finding:
    """Find that each kind of noise meets its share, and that a little less would not."""
    scales = sizes.scales(target.least, 2)
    given = sizes.bound, least + 1, sizes.dimension, 2
    with ctx.workprec(PRECISION):
        kinds = (
            (WEIGHTS, mixture.weight_sensitivity(sizes.records, 2), scales.weights),
            (MEAN, mixture.mean_sensitivity(*given), scales.means[0]),
            (COVARIANCE, mixture.covariance_sensitivity(*given), scales.covariances[0]),
        )
        shifts = [
            (target.epsilon(share), ball(move) / ball(as_dyadic(scale)))
            for share, move, scale in kinds
        ]
        spent = [privacy.gaussian_delta(mu, level) for level, mu in shifts]
        more = ball(Q(100001, 100000))
        beyond = [privacy.gaussian_delta(mu * more, level) for level, mu in shifts]
        return all_of(at_most(spent, ball(target.each)), less(ball(target.each), beyond))


@repairs(
    coloured_baseline_is_private,
    rests_on=(parameters.means_move_at_most_so_far,),
)
@proved(
    argued=(
        "uᵀZu ≥ r² for every unit u says that all eigenvalues of Z are at least r²",
        "tr(Σ⁻¹Z) is a sum of the eigenvalues of Z with weights ≥ 0, so it is least at r² I",
        "its law is then that of i.i.d. Gaussian noise: what holds of one holds of the other",
    )
)
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
        # One more eigenvalue, of weight w ≥ 0 in Σ⁻¹, adds at least w r² to the cost.
        entails(
            [weight >= 0, z >= r**2, total >= square], total + weight * z >= square + weight * r**2
        ),
        # Cauchy's inequality for |u| = 1.
        entails([dot**2 <= square, square <= r**2], dot**2 <= r**2),
        equal(sympy.summation(r**2, (sympy.Symbol("i"), 1, count)), count * r**2),
    )
