"""Section V-A: the baseline R1SMG, noise along one random direction, is not private as stated."""

from math import factorial

from provedp.theory import mixture, privacy
from provedp.theory.privacy.functions import gamma_lower
from provedp.verify.claims.prelude import *

DELTA = Q(2, 10**5)  # of the paper's experiments
TERMS = 40  # of a Poisson mixture


@published(
    Source(MIXTURE, "Section V-A", "R1SMG: 'all the DP mechanisms above satisfy the (ε, δ)-DP'"),
    Source(MIXTURE, "Figure 4"),
    Source(MIXTURE, "Figure 7"),
    Source(MIXTURE, "Figure 8"),
    formula=mixture.singular_gaussian_variance,
    defect=Defect.FALSE,
)
@refuted(bits=128, dimension=10, epsilon=Q(1), delta=DELTA, radius=Q(77, 100))
def singular_noise_is_private(
    variance: Formula, dimension: int, epsilon: Q, delta: Q, radius: Q
) -> Finding:
    """R1SMG's noise √s z v of the prescribed s is (ε, δ)-private: no ball of radius r about an
    answer has more than δ beyond e^ε times the mass that it has when the answer is Δ = 1 away. (In
    ten dimensions at ε = 1 the ball of radius 0.77 has more than 0.086 beyond.)
    """
    spread = variance(dimension, Q(1), epsilon, delta)
    lower = mixture.singular_gaussian_delta_lower(dimension, Q(1), spread, radius, epsilon)
    return at_most(lower, ball(delta))


@ours(Source(None, "noise along one random direction"))
@proved(
    argued=(
        "the law of cosines",
        "a direction that is uniform on the sphere is independent of the length",
    )
)
def far_ball_is_inside_its_cone() -> Finding:
    """A point at distance R of the true answer is within r < Δ of another answer Δ away only if the
    angle θ between them has cos θ ≥ (R² + Δ² − r²)/(2RΔ) ≥ √(1 − r²/Δ²), and R is between Δ − r and
    Δ + r. The angle and R are independent, which is the bound's product.
    """
    reach, move, inner, cosine, least = sympy.symbols("R D r c l", positive=True)
    square = reach**2 + move**2 - 2 * reach * move * cosine  # the squared distance
    near = [square <= inner**2, inner < move, cosine <= 1]
    cone = [*near, sympy.Eq(least**2 * move**2, move**2 - inner**2)]
    return all_of(
        entails(near, sympy.And(reach >= move - inner, reach <= move + inner)),
        entails(cone, cosine >= least),
        equal(
            (reach - move * least) ** 2,
            reach**2 - 2 * reach * move * least + move**2 * least**2,
        ),
    )


def seen_under_twice_the_angle(*arguments: Any) -> Any:
    """Return the bound with a far ball that is counted twice."""
    dimension, distance, variance, radius, epsilon = arguments
    more = ball(epsilon) + arb(2).log()
    return mixture.singular_gaussian_delta_lower(dimension, distance, variance, radius, more)


# By dimension: the radius of the ball, and six digits of what is beyond there.
RADII = {4: Q(57, 100), 6: Q(67, 100), 10: Q(77, 100), 20: Q(86, 100), 50: Q(93, 100)}
BEYOND = {
    4: (773796, 9),
    6: (167704, 7),
    10: (864342, 7),
    20: (227504, 6),
    50: (376863, 6),
}


@ours(
    Source(MIXTURE, "Section V-A", "R1SMG"),
    formula=mixture.singular_gaussian_delta_lower,
    mutants=(seen_under_twice_the_angle,),
    rests_on=(far_ball_is_inside_its_cone,),
)
@certified(bits=128, dimension=tuple(RADII))
def singular_noise_leaks_more_in_high_dimension(lower: Formula, dimension: int) -> Finding:
    """At ε = 1 and δ = 2·10⁻⁵ the δ of R1SMG's noise is at least 7.73796·10⁻⁴, 0.0167704,
    0.0864342, 0.227504 and 0.376863 in 4, 6, 10, 20 and 50 dimensions: the bound to six digits.
    """
    spread = mixture.singular_gaussian_variance(dimension, Q(1), Q(1), DELTA)
    found = lower(dimension, Q(1), spread, RADII[dimension], Q(1))
    digits, places = BEYOND[dimension]
    unit = Q(1, 10**places)
    return all_of(less(ball(digits * unit), found), less(found, ball((digits + 1) * unit)))


SIX_DIGITS = {3: Q(111072), 10: Q(643101, 10**5), 70: Q(171616, 10**5)}


def of_two_fewer_dimensions(dimension: int, sensitivity: Q, epsilon: Q, delta: Q) -> Any:
    """Return the variance times 1 − 2/M."""
    variance = mixture.singular_gaussian_variance(dimension, sensitivity, epsilon, delta)
    return variance * (1 - arb(2) / dimension)


@published(
    Source(MIXTURE, "Figure 4", "R1SMG for small d, 'the noise variance factor … becomes large'"),
    formula=mixture.singular_gaussian_variance,
    mutants=(of_two_fewer_dimensions,),
)
@certified(bits=128, epsilon=(Q(1, 2), Q(1), Q(5)), dimension=range(3, 71))
def singular_noise_is_large_in_small_dimension(
    variance: Formula, epsilon: Q, dimension: int
) -> Finding:
    """For δ = 2·10⁻⁵ and sensitivity 1 the standard deviation of R1SMG's noise along its direction
    falls from dimension to dimension up to 71, and is proportional to 1/√ε. At ε = 1 it is 111072
    in three dimensions, 6.43101 in ten and 1.71616 in seventy, to six digits.
    """
    here = variance(dimension, Q(1), epsilon, DELTA).sqrt()
    unit = here * ball(epsilon).sqrt()
    findings = [
        less(variance(dimension + 1, Q(1), epsilon, DELTA).sqrt(), here),
        close(unit, variance(dimension, Q(1), Q(1), DELTA).sqrt(), tolerance=1e-25),
    ]
    if dimension in SIX_DIGITS:
        known = ball(SIX_DIGITS[dimension])
        findings.append(at_most(abs(unit - known), known / 10**5 / 2))
    return all_of(*findings)


@repairs(singular_noise_is_private)
@certified(
    bits=128,
    dimension=(4, 10, 50),
    epsilon=(Q(1, 2), Q(1), Q(5)),
    delta=(DELTA, Q(1, 1000)),
    radius=(Q(1, 10), Q(77, 100), Q(5)),
)
def noise_in_every_direction_is_private(dimension: int, epsilon: Q, delta: Q, radius: Q) -> Finding:
    """Gaussian noise of the least σ in all directions at once is (ε, δ)-private in every dimension:
    a rotation puts Δ on one axis, and the other coordinates are noise alone. So no ball has more
    than its exact δ beyond e^ε times its other mass, which is a Poisson mixture of gamma laws.
    """
    sigma = ball(as_dyadic(privacy.gaussian_sigma(epsilon, delta, Q(1)).value))
    exact = privacy.gaussian_delta(1 / sigma, ball(epsilon))
    near, far = _masses(dimension, radius, 2 * sigma * sigma)
    return all_of(at_most(near - ball(epsilon).exp() * far, exact), at_most(exact, ball(delta)))


def _masses(dimension: int, radius: Q, square: arb) -> tuple[arb, arb]:
    """Return the mass of a ball about the mean, and a lower bound of it about a point at 1."""
    reach, rate = ball(radius * radius) / square, 1 / square
    weights = [(-rate).exp() * rate**j / factorial(j) for j in range(TERMS)]
    laws = [ball(gamma_lower(arb(dimension) / 2 + j, reach)) for j in range(TERMS)]
    parts = (w * law for w, law in zip(weights, laws, strict=True))
    return laws[0], sum(parts, start=arb(0))
