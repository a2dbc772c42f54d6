"""Lemma 1 and (10): when Gaussian noise on the class means is private, and when not."""

from provedp.theory import mixture, privacy
from provedp.theory.mixture import LabelledData
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.mixture.bounded_features import flips_move_means_by_so_much
from provedp.verify.claims.mixture.instances.scalar_runs import chosen_place, mean_share
from provedp.verify.claims.prelude import *

DELTA = Q(2, 10**5)  # δ in Section V-A
# Two classes on the line, |x| ≤ 1; record 3 moves from class 0 to class 1, both means stay 0.
CENTRED = ("1", "-1", "0", "0", "1/100", "-1/100", "0")


def _centred(points: tuple[str, ...]) -> LabelledData:
    return LabelledData(matrix([[Q(x)] for x in points]), (0, 0, 0, 0, 1, 1, 1), 2)


@published(
    Source(MIXTURE, "Lemma 1", "for every ε_k"),
    Source(MIXTURE, "eq. (10)", "for every ε_k"),
    formula=mixture.mean_budget,
    defect=Defect.DEGENERATE,
)
@refuted(bits=128, epsilon=Q(10), delta=DELTA)
def noise_on_a_mean_is_private_for_every_budget(budget: Formula, epsilon: Q, delta: Q) -> Finding:
    """Gaussian noise with ΔᵀΓΔ ≤ ε_k²/(2 ln(4/δ)) for every displacement is (ε_k, δ/2)-private, for
    every ε_k > 0 and δ in (0, 1). Its exact δ at ΔᵀΓΔ = μ² is Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ).
    (It fails from ε_k = 9.4 on, which no experiment of the paper comes near.)
    """
    size = budget(ball(epsilon), ball(delta)).sqrt()
    return at_most(privacy.gaussian_delta(size, ball(epsilon)), ball(delta / 2))


LIMITS = {Q(1, 100): Q(81, 10), DELTA: Q(939, 100), Q(1, 10**9): Q(106, 10)}


@repairs(noise_on_a_mean_is_private_for_every_budget)
@certified(
    bits=128,
    epsilon=(Q(1, 10), Q(1), Q(3), Q(8), Q(9), Q(10)),
    delta=tuple(LIMITS),
)
def noise_on_a_mean_is_private_up_to_a_limit(epsilon: Q, delta: Q) -> Finding:
    """The same up to a limit that is 8.1 for δ = 10⁻², 9.39 for δ = 2·10⁻⁵ and 10.6 for δ = 10⁻⁹,
    each within 1/100: up to there, and not 1/100 beyond.
    """
    assume(epsilon <= LIMITS[delta])

    def spent(level: Q) -> Any:
        size = ball(mixture.mean_budget(ball(level), ball(delta))).sqrt()
        return privacy.gaussian_delta(size, ball(level))

    beyond = LIMITS[delta] + Q(1, 100)
    return all_of(
        at_most([spent(epsilon), spent(LIMITS[delta])], ball(delta / 2)),
        less(ball(delta / 2), spent(beyond)),
    )


@ours(Source(MIXTURE, "Lemma 1", "small ε_k"), formula=mixture.mean_budget)
@proved(
    argued=(
        "δ(ε) of Gaussian noise is at most Φ(−x), its first term, and grows with μ",
        "Φ(−x) ≤ ½ e^(−x²/2) for x ≥ 0",
    )
)
def noise_on_a_mean_is_private_below_two_ln_four(budget: Formula) -> Finding:
    """For ε_k ≤ 2 ln 4 and every δ < 1: δ(ε_k) ≤ Φ(−x) ≤ ½ e^(−x²/2) with x = t − ε/(2t),
    t = √(2 ln(4/δ)) = ε/μ. As x²/2 = t²/2 − ε/2 + ε²/(8t²) and ½ e^(−t²/2) = δ/8, this is at most
    (δ/8) e^(ε/2) ≤ δ/2. And x ≥ 0, for which the bound on Φ is valid, since 2t² ≥ 4 ln 4 ≥ ε.
    """
    epsilon, t, root, power = sympy.symbols("epsilon t root power", positive=True)
    delta = sympy.Symbol("delta", positive=True)
    x = t - epsilon / (2 * t)
    log = sympy.log(4 / delta)
    return all_of(
        equal(epsilon**2 / budget(epsilon, delta), 2 * log),
        equal(x**2 / 2, t**2 / 2 - epsilon / 2 + epsilon**2 / (8 * t**2)),
        equal(sympy.exp(-log) / 2, delta / 8),
        base_case(equal(sympy.exp(2 * sympy.log(4) / 2), sympy.Integer(4))),
        entails([power <= 4], delta / 8 * power <= delta / 2),
        entails([t**2 >= 2 * root, 2 * root >= epsilon], x >= 0),
    )


@published(
    Source(MIXTURE, "Lemma 1", "with Γ_k of Algorithm 1 at the data at hand"),
    Source(MIXTURE, "eq. (10)", "with Γ_k of Algorithm 1 at the data at hand"),
    defect=Defect.FALSE,
)
@refuted(points=CENTRED, record=3, label=1, epsilon=Q(1))
def noise_fitted_to_the_data_is_private(
    points: tuple[str, ...], record: int, label: int, epsilon: Q
) -> Finding:
    """If each data set is released with a Γ_k that meets (10) for it, as Algorithm 1 does, then the
    mean of class k is (ε_k, δ/2)-private, even at the whole ε in the place of ε_k.

    Here both means are 0, but the variances of the noise differ by a factor of 219: how much noise
    there is tells the data apart, with δ above 0.83.
    """
    data = _centred(points)
    both = (data, data.flipped(record, label))
    assume((record, label) in mixture.admissible_flips(data))
    assume(all(mixture.class_means(d)[0, 0] == 0 for d in both))
    first, second = (_relative_variance(d, epsilon) for d in both)
    found = privacy.gaussian_pair_delta(
        matrix([[Q(0)]])[0], matrix([[first / second]]), matrix([[Q(1)]]), epsilon
    )
    return at_most(found, ball(DELTA / 2))


def _relative_variance(data: LabelledData, epsilon: Q) -> Q:
    """Return Γ₀⁻¹ over 8 ln(4/δ)/(ε − ε₀)² for ε₀ = ε/3: exact."""
    place = chosen_place(data, 0, epsilon, epsilon / 3)
    largest = max(abs(step) for step in mixture.mean_displacements(data, 0)[:, 0])
    variance: Q = (largest / mean_share(place)) ** 2
    return variance


@ours(
    Source(MIXTURE, "Section IV-C", "noise for all data"),
    formula=mixture.leave_sensitivity,
    rests_on=(flips_move_means_by_so_much,),
)
@machine_checked("means.admissible_flips_move_means_by_half_the_radius")
@proved(argued=())
def admissible_flips_move_means_by_half_the_radius(leave: Formula) -> Finding:
    """An admissible flip takes a record from a class of at least four and adds it to one of at
    least three, so in the ball of radius B it moves a mean by at most B/2, whatever the class sizes
    are.
    """
    bound, size = sympy.symbols("B N", positive=True)
    return all_of(
        equal(leave(bound, 4), bound / 2),
        equal(mixture.join_sensitivity(bound, 3), bound / 2),
        entails([size >= 4], 2 * bound / size <= bound / 2),
        entails([size >= 3], 2 * bound / (size + 1) <= bound / 2),
    )


@repairs(
    noise_fitted_to_the_data_is_private,
    rests_on=(admissible_flips_move_means_by_half_the_radius,),
)
@certified(
    bits=128, points=[CENTRED], record=(0, 1, 2, 3), label=(1,), epsilon=(Q(1, 5), Q(1), Q(3))
)
def noise_fixed_for_all_data_is_private(
    points: tuple[str, ...], record: int, label: int, epsilon: Q
) -> Finding:
    """With one Γ⁻¹ = (B/2)² 2 ln(4/δ)/ε_k² I for all data in the ball of radius B, each mean is
    (ε_k, δ/2)-private for ε_k = 1/5, 1 and 3: B/2 is the furthest that an admissible flip moves a
    mean, and its δ, which is at most δ/2, covers what less far moves give away, as here.
    """
    data = _centred(points)
    other = data.flipped(record, label)
    furthest = mixture.leave_sensitivity(Q(1), 4)
    moved = abs(mixture.class_means(data) - mixture.class_means(other)).max()
    root = 2 * ball(mixture.mean_budget(ball(epsilon), ball(DELTA))).sqrt()
    worst = privacy.gaussian_delta(root * ball(furthest), ball(epsilon))
    found = privacy.gaussian_delta(root * ball(moved), ball(epsilon)) if moved else arb(0)
    return all_of(at_most(moved, furthest), at_most(found, worst), at_most(worst, ball(DELTA / 2)))


@published(
    Source(MIXTURE, "Section IV-C", "a scalable variant: sufficient conditions"),
    defect=Defect.FALSE,
)
@refuted(bits=128, count=4, epsilon=Q(1, 5))
def noise_scaled_by_the_class_size_is_private(count: int, epsilon: Q) -> Finding:
    """With Γ_k⁻¹ = 8B² ln(4/δ)/((N_k − 1)² ε_k²) I the mean of class k is (ε_k, δ/2)-private for
    every class size.

    The noise depends on N_k, which a flip changes: with N − 1 records at −B and one at B that
    leaves, the event |x + B| ≥ 2σ, σ from N_k − 1 = N − 1, is too likely afterwards.
    """
    assume(count >= 4)
    before, after = (
        ball(mixture.scalable_variance(arb(1), n, ball(epsilon), ball(DELTA))).sqrt()
        for n in (count, count - 1)
    )
    moved, end = ball(mixture.leave_sensitivity(Q(1), count)), 2 * before
    here = normal_cdf((moved - end) / before) + normal_cdf((-moved - end) / before)
    there = 2 * normal_cdf(-end / after)
    return at_most(there - ball(epsilon).exp() * here, ball(DELTA / 2))


@repairs(
    noise_scaled_by_the_class_size_is_private,
    rests_on=(admissible_flips_move_means_by_half_the_radius,),
)
@certified(bits=128, count=(4, 5, 10, 100), epsilon=(Q(1, 5), Q(1), Q(3)))
def noise_scaled_by_the_least_class_size_is_private(count: int, epsilon: Q) -> Finding:
    """With the least size of a class that a record may leave, 4, in the place of N_k − 1, the same
    noise serves all data: (B/2)² 2 ln(4/δ)/ε_k². A class of 4 is the worst, and larger ones give
    away less: at ε_k = 1/5, 1 and 3.
    """
    furthest, moved = (ball(mixture.leave_sensitivity(Q(1), n)) for n in (4, count))
    root = 2 * ball(mixture.mean_budget(ball(epsilon), ball(DELTA))).sqrt()
    worst, found = (
        privacy.gaussian_delta(root * move, ball(epsilon)) for move in (furthest, moved)
    )
    bounded = at_most(worst, ball(DELTA / 2))
    return bounded if count == 4 else all_of(less(found, worst), bounded)
