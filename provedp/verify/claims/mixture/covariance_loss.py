"""How much the published Wishart noise gives away: Lemma 2 at every ε and in every dimension."""

from provedp.theory import mixture, privacy
from provedp.verify.claims.prelude import *

WIDTH = 1e-30  # of a comparison of balls at that precision


def with_the_published_ratio(total: Any, gamma: Any, epsilon: Any, direction: str) -> Any:
    """Return the profile of a law whose support does not move."""
    onto: Any = mixture.covariance_increase_delta(total, gamma, epsilon, "onto")
    return onto


@ours(
    Source(MIXTURE, "Lemma 2", "d = 1"),
    formula=mixture.covariance_increase_delta,
    mutants=(with_the_published_ratio,),
)
@certified(
    bits=128,
    total=(Q(1, 10), Q(1), Q(3)),
    gamma=(Q(1, 2), Q(8, 3)),
    epsilon=(Q(0), Q(1, 2), Q(1), Q(20)),
)
def no_epsilon_helps_when_the_variance_grows(
    profile: Formula, total: Q, gamma: Q, epsilon: Q
) -> Finding:
    """For d = 1, E(σ² + W ‖ σ² + Δ + W) = 1 − e^(−γΔ/2) at every ε: the mass below σ² + Δ. The
    other way it is (1 − e^(ε − γΔ/2))⁺. Both are the largest gaps over intervals from the start,
    and over half-lines, of the exponential law χ²₂/γ.
    """
    rate, level = ball(gamma / 2), ball(epsilon).exp()
    ends = [ball(total) * step / 10 for step in range(1, 41)]
    below = [1 - (-rate * x).exp() - level * _mass(rate, x - ball(total)) for x in ends]
    above = [(-rate * (x - ball(total))).exp() - level * (-rate * x).exp() for x in ends[9:]]
    forth, back = (profile(total, gamma, epsilon, way) for way in ("from", "onto"))
    return all_of(
        at_most(max_of(below), forth + ball(Q(1, 10**30))),
        close(forth, below[9], tolerance=WIDTH),
        close(back, max_of([arb(0), *above]), tolerance=WIDTH),
    )


def _mass(rate: arb, x: arb) -> arb:
    """Return P(X ≤ x) for an exponential X; x within rounding of 0 counts as 0."""
    return (1 - (-rate * x).exp()).max(arb(0))


def max_of(values: list[arb]) -> arb:
    """Return the largest of several balls."""
    largest = values[0]
    for value in values[1:]:
        largest = largest.max(value)
    return largest


@ours(Source(MIXTURE, "Lemma 2", "any dimension"))
@proved(
    argued=(
        "the density of W_d(I/γ, ν) is c |W|^((ν − d − 1)/2) e^(−γ tr W/2) on the cone",
        "U ↦ E + U maps the cone onto {W ⪰ E} for E ⪰ 0, so the integral over it has the factor",
        "E ⪯ E₊, so W ⪰ E₊ implies W ⪰ E",
    )
)
def density_is_translated_with_a_constant_factor() -> Finding:
    """With ν = d + 1 the exponent (ν − d − 1)/2 of |W| is zero: the density is c e^(−γ tr W/2) on
    the cone. So at W = E + U, E ⪰ 0, it is e^(−γ tr E/2) times the density at U: P(W ⪰ E) =
    e^(−γ tr E/2), and for any E, with W ⪰ E₊ inside W ⪰ E, e^(−γ tr E₊/2) ≤ P(W ⪰ E).
    """
    gamma, dimension, moved, rest = sympy.symbols("gamma d t u", positive=True)
    degrees = dimension + 1
    return all_of(
        equal(degrees - 1, dimension),
        equal(
            sympy.exp(-gamma * (moved + rest) / 2),
            sympy.exp(-gamma * moved / 2) * sympy.exp(-gamma * rest / 2),
        ),
    )


GROWTHS: tuple[Any, ...] = (
    [[Q(3, 4)]],
    [[Q(1), Q(1, 2)], [Q(1, 2), Q(1)]],
    [[Q(1), Q(2)], [Q(2), Q(4)]],
    [[Q(1), Q(0), Q(0)], [Q(0), Q(1, 3), Q(0)], [Q(0), Q(0), Q(0)]],
)


def divergence_of_half_the_change(shift: Any, gamma: Any, k: Any) -> Any:
    """Return the divergence for E/2."""
    return mixture.covariance_noise_delta(matrix(shift) / 2, gamma, k)


@ours(
    Source(MIXTURE, "Lemma 2", "any dimension"),
    formula=mixture.covariance_noise_delta,
    mutants=(divergence_of_half_the_change,),
)
@certified(bits=128, shift=GROWTHS, gamma=(Q(1, 2), Q(8, 3)), k=(Q(1), Q(3), Q(100)))
def growth_counts_by_its_trace_alone(divergence: Formula, shift: Any, gamma: Q, k: Q) -> Finding:
    """For E ⪰ 0 of any rank and dimension the divergences are those of d = 1 with Δ = tr E: from
    Σ + W, 1 − e^(−γ tr E/2) at every ε; onto it, (1 − e^(ε − γ tr E/2))⁺.
    """
    half = ball(gamma * sum(matrix(shift).diagonal()) / 2)
    back = [[-entry for entry in row] for row in shift]
    return all_of(
        close(divergence(shift, gamma, k), 1 - (-half).exp(), tolerance=WIDTH),
        close(
            divergence(back, gamma, k),
            (1 - ball(k) * (-half).exp()).max(arb(0)),
            tolerance=WIDTH,
        ),
    )


@ours(
    Source(MIXTURE, "Lemma 2", "fixed γ"),
    formula=privacy.constant_ratio_delta,
    survivors={"ε for 2ε": "no larger ε gives a smaller δ, which is the statement"},
    rests_on=(density_is_translated_with_a_constant_factor,),
)
@proved(
    argued=(
        "both laws have a density on {S ⪰ Σ(D), S ⪰ Σ(D′)} alone, with a constant ratio there, so "
        "the profile is that of a constant ratio on a set of mass a = P(W ⪰ E)",
        "δ over both directions of a flip takes the least a, at E and at −E",
    )
)
def published_noise_is_as_private_as_its_support(divergence: Formula) -> Finding:
    """For a γ that does not depend on the data, Σ_k + W is (ε, δ)-private with ε = γ max |tr E|/2
    and δ = 1 − min P(W ⪰ E) ≤ 1 − e^(−γ max(tr E₊, tr E₋)/2), over the changes ±E of admissible
    flips, and no larger ε gives a smaller δ: E_k = 1 − a min(1, k/r) with a constant ratio r ≤ k.
    """
    overlap, least, ratio, k = sympy.symbols("a l r k", positive=True)
    inside = [k >= 1, overlap <= 1, overlap <= ratio, least <= overlap]
    found = divergence(ratio, overlap, k)
    return all_of(
        entails([*inside, ratio <= k], found <= 1 - least),
        entails([*inside, ratio <= k], sympy.Eq(found, 1 - overlap)),
        entails(inside, found >= 1 - overlap),
    )
