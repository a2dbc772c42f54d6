"""What follows from Lemma 3's failure: end to end, how often, and how much; and the sharp norms."""

from functools import reduce

from provedp.theory import modes, privacy
from provedp.theory.numbers import minimum
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.modes.instances.correlations import intervals_left
from provedp.verify.claims.modes.instances.pools import Pool, saturated
from provedp.verify.claims.modes.joint_release import (
    NEARLY_WORST,
    density_and_gradient_move_within_their_noise,
    one_percent_less,
    scales_are_as_stated,
)
from provedp.verify.claims.prelude import *


@published(Source(MODES, "Lemma 3"), Source(MODES, "eq. (9)"), defect=Defect.FALSE)
@refuted(bits=128, pool=saturated(1500), epsilon=Q(1), delta=Q(1, 10**6))
def transcript_of_all_starts_is_private(pool: Pool, epsilon: Q, delta: Q) -> Finding:
    """With σ of (9) the noisy scores of one round on all n = m records are (ε_modes, δ)-private.
    (With 1500 records and three starts the exact δ at ε = 1 is above 1.9·10⁻⁶, for a promised
    10⁻⁶.)
    """
    claimed = modes.joint_sensitivity(Q(1), pool.d, pool.clip, pool.floor)
    sigma = modes.noise_scale(claimed, epsilon, delta, pool.m, pool.m, 1)
    found = privacy.gaussian_delta(pool.score_shift() / sigma, ball(epsilon))
    return at_most(found, ball(delta))


@repairs(
    transcript_of_all_starts_is_private,
    formula=modes.linear_release_scales,
    mutants=(one_percent_less,),
    rests_on=(density_and_gradient_move_within_their_noise,),
)
@certified(
    bits=128,
    pool=(NEARLY_WORST,),
    epsilon=(Q(1), Q(1, 10)),
    delta=(Q(1, 10**6),),
)
def transcript_of_density_and_gradient_is_private(
    scales: Formula, pool: Pool, epsilon: Q, delta: Q
) -> Finding:
    """With c times the noise of the linear release, 1/c the μ of the least Gaussian noise for (ε,
    δ), one round on all records is (ε, δ)-private: here for 51 starts and records at nearly the
    worst distance; the moves of any others are no larger by the claim that this rests on.
    """
    multiplier = ball(as_dyadic(privacy.gaussian_sigma(epsilon, delta, Q(1)).value))
    density, gradient = scales(Q(1), pool.d, pool.m, Q(1, 10**6))
    value, slope = pool.part_shifts()
    shift = ((value / density) ** 2 + (slope / gradient) ** 2).sqrt() / multiplier
    return all_of(
        scales_are_as_stated(scales, pool, Q(1, 10**6)),
        at_most(privacy.gaussian_delta(shift, ball(epsilon)), ball(delta)),
    )


@published(Source(MODES, "Corollary 4.2"), Source(MODES, "Algorithm 1"), defect=Defect.FALSE)
@refuted(
    bits=128,
    pool=saturated(2000),
    initial=Q(1, 10),
    epsilon=Q(1),
    delta=Q(1, 10**6),
    step=Q(1, 10**4),
)
def whole_run_is_private(pool: Pool, initial: Q, epsilon: Q, delta: Q, step: Q) -> Finding:
    """The output of DP-GRAMS is (ε_init + ε_modes, δ)-private. (Three draws from three candidates
    return them all, whatever the data are. After one round on all of 2000 records three clusters
    are the three endpoints, and with a small η each is that of the start next to it but for a
    probability far below δ: the exact δ(1.1) is more than 5·10⁻⁶, for a promised 10⁻⁶.)
    """
    claimed = modes.joint_sensitivity(Q(1), pool.d, pool.clip, pool.floor)
    sigma = modes.noise_scale(claimed, epsilon, delta, pool.m, pool.m, 1)
    level = ball(epsilon + initial)
    found = privacy.gaussian_delta(pool.score_shift() / sigma, level)
    gap = ball(pool.starts[1] - pool.starts[0]) / 2
    spare = gap / ball(step) - ball(pool.clip) / ball(pool.floor)
    strays = 2 * len(pool.starts) * normal_cdf(-spare / sigma)
    return at_most(found - (1 + level.exp()) * strays, ball(delta))


@repairs(
    whole_run_is_private,
    formula=modes.linear_release_scales,
    mutants=(one_percent_less,),
    rests_on=(
        density_and_gradient_move_within_their_noise,
        "modes.every_draw_spends_at_most_its_part",
        "privacy.pure_releases_are_randomised_response",
        "privacy.post_processing_keeps_guarantees",
    ),
)
@certified(
    bits=128,
    pool=(NEARLY_WORST,),
    initial=(Q(1, 10**6), Q(1, 2)),
    epsilon=(Q(1),),
    delta=(Q(1, 10**6),),
    step=(Q(1, 10**4),),
)
def whole_run_with_linear_release_is_private(
    scales: Formula, pool: Pool, initial: Q, epsilon: Q, delta: Q, step: Q
) -> Finding:
    """With the linear release in the ascent, starts and ascent together are (ε_init + ε_modes,
    δ)-private, at every step size η: the exact profile of any (ε_init, 0)-private release beside
    that Gaussian noise; the output is a function of both.
    """
    multiplier = ball(as_dyadic(privacy.gaussian_sigma(epsilon, delta, Q(1)).value))
    density, gradient = scales(Q(1), pool.d, pool.m, Q(1, 10**6))
    value, slope = pool.part_shifts()
    shift = ((value / density) ** 2 + (slope / gradient) ** 2).sqrt() / multiplier
    ratio = ball(initial).exp()
    found = privacy.response_and_gaussian_delta(ratio, shift, ball(epsilon + initial))
    return all_of(scales_are_as_stated(scales, pool, Q(1, 10**6)), at_most(found, ball(delta)))


@ours(
    Source(MODES, "Lemma 3", "2√I₀ is not attained"),
    formula=modes.density_sensitivity,
)
@certified(bits=64, d=levels((1,), (1, 2, 3)))
def density_moves_most_at_one_distance(sharp: Formula, d: int) -> Finding:
    """No pair of records moves m h^d p̂ by more than D₀ in its norm, and D₀ is below 2√I₀ by more
    than a quarter: the correlation of two kernels is least at the stationary distance.
    """
    found = sharp(d)
    twice = 2 * modes.density_norm_squared(d).sqrt()
    least = found**2 / 2 - modes.density_norm_squared(d)
    pairs = [modes.density_correlation(d, Q(i, 100)) for i in range(290, 320)]
    attained = reduce(minimum, pairs)
    return all_of(
        less(0, found),
        equal(intervals_left(d, 0), 0),
        at_most(-least, attained),
        close(-least / attained, 1, tolerance=1e-4),
        less(found, 3 * twice / 4),
    )


@ours(
    Source(MODES, "Lemma 3", "2√I₁ is not attained"),
    formula=modes.gradient_sensitivity,
)
@certified(bits=64, d=levels((1,), (1, 2, 3)))
def gradient_moves_most_at_one_distance(sharp: Formula, d: int) -> Finding:
    """No pair of records moves m h^(d+1) ∇p̂ by more than D₁ in its norm, and D₁ is below 2√I₁."""
    found = sharp(d)
    twice = 2 * modes.gradient_norm_squared(d).sqrt()
    least = found**2 / 2 - modes.gradient_norm_squared(d)
    pairs = [modes.gradient_correlation(d, Q(i, 100)) for i in range(200, 250)]
    attained = reduce(minimum, pairs)
    return all_of(
        less(0, found),
        equal(intervals_left(d, 1), 0),
        at_most(-least, attained),
        close(-least / attained, 1, tolerance=1e-4),
        less(found, twice),
    )
