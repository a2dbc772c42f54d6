"""Theorem 4.6, repaired: two densities, how far their modes are apart, and Le Cam's two points."""

from provedp.theory import modes
from provedp.verify.claims.modes.kernels import scaled_bump_keeps_its_seminorm
from provedp.verify.claims.modes.lower_bound import (
    odd_perturbation_has_its_distances,
    scores_differ_at_the_mode,
)
from provedp.verify.claims.prelude import *

QUARTER = sympy.Rational(1, 4)


@ours(Source(MODES, "Theorem 4.6", "the modes of p_1 and p_−1"))
@proved(
    argued=(
        "∇²ψ = e^(−r²/2)(u_1 u uᵀ − u_1 I − e_1 uᵀ − u e_1ᵀ) has norm at most (r³ + 3r) e^(−r²/2)",
        "e^v is at least its series up to v⁵, for v = r² ≥ 0",
        "a strictly concave function has at most one critical point, its maximum",
    )
)
def perturbed_densities_have_one_mode() -> Finding:
    """For N(0, I_d), ψ(u) = u_1 e^(−‖u‖²/2), h ≤ 1 and κ = h^(β − 2) ≤ 1/4: |ψ| ≤ 1, ‖∇²ψ‖ ≤ 8/3
    and ‖∇ψ‖² ≤ 2, so that the Hessian of ln p_±1, −I ± κ ∇²ψ/(1 ± h^β ψ) − κ²h² ∇ψ∇ψᵀ/(1 ± h^β ψ)²,
    has eigenvalues between −3 and −1/9: both have one mode.
    """
    v = sympy.Symbol("v", real=True)  # r²
    series = 1 + v + v**2 / 2 + v**3 / 6 + v**4 / 24 + v**5 / 120
    kappa, h, value, curve, slope = sympy.symbols("k h p c s", real=True)
    below = 1 + kappa * h**2 * value
    inside = [kappa > 0, kappa <= QUARTER, h > 0, h <= 1, value >= -1, value <= 1]
    sizes = [3 * curve <= 8, 3 * curve >= -8, slope >= 0, slope <= 2]
    part = sympy.Symbol("b", positive=True)  # 1 ± h^β ψ
    eigenvalue = -1 + kappa * curve / part - kappa**2 * h**2 * slope / part**2
    return all_of(
        entails([v >= 0], v <= series),  # ψ² ≤ v e^(−v)
        entails([v >= 0], 9 * v * (v + 3) ** 2 <= 64 * series),
        entails([v >= 0], (1 + v) ** 2 <= 2 * series),  # ‖∇ψ‖² ≤ (1 + v)² e^(−v)
        entails(inside, below >= 3 * QUARTER),
        entails(
            [*inside[:4], *sizes, part >= 3 * QUARTER],
            sympy.And(eigenvalue <= -sympy.Rational(1, 9), eigenvalue >= -3),
        ),
    )


@ours(
    Source(MODES, "Theorem 4.6", "the modes of p_1 and p_−1"),
    rests_on=(perturbed_densities_have_one_mode, "modes.score_of_a_perturbed_density"),
)
@proved(
    argued=(
        "∂_iψ = −u_1 u_i w for i > 1 makes a critical point lie on the first axis, as "
        "|κ u_1 w/(1 + h^β ψ)| < 1",
        "on it the score is positive at u = 0 and negative at u = 1: the mode is between",
        "1 − u²/2 ≤ w = e^(−u²/2) ≤ 1; p_−1(x) = p_1(−x)",
    )
)
def modes_of_the_two_densities_are_apart() -> Finding:
    """The mode of p_1 is hu on the first axis with u(1 + h^β u w) = κ(1 − u²)w, w = e^(−u²/2) and κ
    = h^(β − 2) ≤ 1/4: (3/4)κ ≤ u ≤ κ. That of p_−1 is its mirror image, so that the two are between
    (3/2)h^(β − 1) and 2h^(β − 1) apart, in every dimension.
    """
    u, kappa, w, b = sympy.symbols("u k w b", real=True)
    small = [kappa > 0, kappa <= QUARTER, b >= 0, b <= QUARTER, w > 0, w <= 1, w >= 1 - u**2 / 2]
    root = sympy.Eq(u * (1 + b * u * w), kappa * (1 - u**2) * w)
    h, beta = sympy.symbols("h beta", positive=True)
    return all_of(
        entails([*small, root, u > 0, u < 1], u <= kappa),
        entails([*small, root, u > 0, 4 * u <= 1], 4 * u >= 3 * kappa),
        entails([*small, u >= -1, u <= 1], kappa * sympy.Abs(u) * w < 1 + b * u * w),
        equal(2 * h * h ** (beta - 2), 2 * h ** (beta - 1)),
    )


@ours(
    Source(MODES, "Theorem 4.6", "the modes of p_1 and p_−1, in numbers"),
    formula=modes.error_exponent,
)
@certified(bits=128, h=(Q(1, 8), Q(1, 100)), beta=(3, 4))
def mode_of_a_perturbed_density_is_where_it_should_be(
    exponent: Formula, h: Q, beta: int
) -> Finding:
    """For N(0, 1) the slope of ln p_1 is positive at (3/4)h^(β − 1) and negative at h^(β − 1), and
    with n = h^(−(2β + 1)) records h^(2(β − 1)) is the theorem's rate n^(−2(β − 1)/(1 + 2β)).
    """
    width, signs = ball(h), []
    for part in (Q(3, 4), Q(1)):
        x = ball(part) * width ** (beta - 1)
        u = x / width
        weight = (-u * u / 2).exp()
        slope = width ** (beta - 1) * (1 - u * u) * weight
        signs.append(-x + slope / (1 + width**beta * u * weight))
    n = (-(1 + 2 * beta) * width.log()).exp()
    rate = (-ball(exponent(1, Q(beta))) * n.log()).exp()
    return all_of(
        less(0, signs[0]),
        less(signs[1], 0),
        close(width ** (2 * (beta - 1)) / rate, 1, tolerance=1e-30),
    )


@published(
    Source(MODES, "Theorem 4.6", "the proof: Lemma 6.1 of [37], in the place of it"),
    rests_on=("privacy.guarantees_extend_to_groups",),
)
@proved(
    argued=(
        "n independent records of two laws at total variation t can be drawn so that they differ "
        "in N places, with mean nt, and P(N > 10nt) ≤ 1/10 by Markov's inequality",
        "(1 − e^(−Nε))/(e^ε − 1) ≤ N, from (1 − x^N)/(1 − x) ≤ N for x = e^(−ε) ≤ 1",
    )
)
def private_tests_err_on_close_laws() -> Finding:
    """An (ε, δ)-private test of two laws at total variation t errs, with D = nt, with probabilities
    a and b such that a + b ≥ (9/10) e^(−10Dε) − 10Dδ. On data that differ in N ≤ K = 10D records a
    verdict S has Pr(S) ≥ e^(−Kε) Pr′(S) − Kδ; averaged over the pairs, a ≥ e^(−Kε)(1 − b − 1/10) −
    Kδ.
    """
    here, there, power, slack, size = sympy.symbols("q r E s K", real=True)
    a, b, delta = sympy.symbols("a b delta", nonnegative=True)
    grown = sympy.Symbol("G", positive=True)  # e^(Nε)
    return all_of(
        # Pr′(S) ≤ e^(Nε) Pr(S) + s e^(Nε), with s = δ(1 − e^(−Nε))/(e^ε − 1) ≤ Nδ
        entails(
            [there <= grown * here + slack * grown, slack <= size * delta],
            here >= there / grown - size * delta,
        ),
        entails(
            [a >= power * (1 - b - sympy.Rational(1, 10)) - size * delta, power > 0, power <= 1],
            a + b >= sympy.Rational(9, 10) * power - size * delta,
        ),
    )


def _two_points() -> Finding:
    """Find both bounds on the larger of two error probabilities, at the bandwidths of the proof."""
    h, n, level, delta, d, beta = sympy.symbols("h n e delta d beta", positive=True)
    variation, kl, moved, power, total = sympy.symbols("t l D E x", positive=True)
    a, b = sympy.symbols("a b", nonnegative=True)
    worst = sympy.Max(a, b)
    far = (1 / (8 * n * level)) ** (1 / (beta + d))
    return all_of(
        equal(far ** (beta + d), 1 / (8 * n * level)),
        # h^(β + d) = 1/(8nε): 10Dε ≤ 1 and 10Dδ ≤ δ/ε
        entails(
            [variation <= total * 4 / 5, 8 * n * level * total <= 1, moved <= n * variation],
            10 * moved * level <= 1,
        ),
        entails([10 * moved * level <= 1, 10 * delta <= level], 100 * moved * delta <= 1),
        # e^(−1) ≥ 0.36
        entails(
            [
                power >= sympy.Rational(36, 100),
                a + b >= sympy.Rational(9, 10) * power - sympy.Rational(1, 10),
            ],
            worst >= sympy.Rational(1, 10),
        ),
        # n KL ≤ 2 at h^(2β + d) = 1/n, and a + b ≥ e^(−n KL)/2 with e^(−2) ≥ 0.135
        entails([kl <= 2 * total, n * total <= 1], n * kl <= 2),
        entails(
            [power >= sympy.Rational(135, 1000), a + b >= power / 2],
            worst >= sympy.Rational(33, 1000),
        ),
    )


@published(
    Source(MODES, "Theorem 4.6", "the lower bound"),
    rests_on=(
        modes_of_the_two_densities_are_apart,
        odd_perturbation_has_its_distances,
        private_tests_err_on_close_laws,
        scaled_bump_keeps_its_seminorm,
    ),
)
@proved(
    argued=(
        "an estimate gives a test: the density whose mode is nearer; where it errs the estimate is "
        "off by half of the distance of the modes",
        "a + b ≥ e^(−n KL)/2, the inequality of Bretagnolle and Huber",
        "e^(−1) ≥ 0.36 and e^(−2) ≥ 0.135; √(2/π) ≤ 4/5",
        "p_±1 is in the class for an L that does not depend on h: p_0 is smooth, h^β ψ(x/h) keeps "
        "its seminorm, and the Hessian of ln p is bounded",
    )
)
def no_private_estimator_is_faster() -> Finding:
    """For every d and β > 2: if 8nε ≥ 4^((β + d)/(β − 2)) and δ ≤ ε/10, every (ε, δ)-private
    estimator of the mode has a mean squared error of at least (9/160)(8nε)^(−2(β − 1)/(d + β)) for
    p_1 or p_−1, and if n ≥ 4^((2β + d)/(β − 2)) every estimator has at least n^(−2(β − 1)/(d +
    2β))/60. (With nε → ∞, δ = o(1/n) gives δ ≤ ε/10. The paper's detour from scores to modes takes
    every estimate of a mode for a root of an estimated score, and is not needed.)
    """
    worst, gap, error, h, beta = sympy.symbols("w g m h beta", positive=True)
    size, off = sympy.symbols("x s", positive=True)  # h^(β − 1)
    moved = [2 * gap >= 3 * size, error >= (gap / 2) ** 2 * worst]
    d = sympy.Symbol("d", integer=True, positive=True)
    exponents = modes.lower_bound_exponents(d, 2 + off)
    return all_of(
        _two_points(),
        entails([*moved, 10 * worst >= 1], error >= 9 * size**2 / 160),
        entails([*moved, 1000 * worst >= 33], error >= size**2 / 60),
        equal((h ** (beta - 1)) ** 2, h ** (2 * (beta - 1))),
        # h = n^(−1/(2β + d)) and h = (8nε)^(−1/(β + d))
        equal(exponents[0], 2 * (1 + off) / (d + 2 * (2 + off))),
        equal(exponents[1], 2 * (1 + off) / (d + 2 + off)),
    )


@published(
    Source(MODES, "Theorem 4.6", "after it: the lower bound for score estimation"),
    rests_on=(
        scores_differ_at_the_mode,
        odd_perturbation_has_its_distances,
        private_tests_err_on_close_laws,
        scaled_bump_keeps_its_seminorm,
    ),
)
@proved(
    argued=(
        "an estimate of the score at 0 gives a test: the density whose score there is nearer",
        "a + b ≥ e^(−n KL)/2, the inequality of Bretagnolle and Huber",
        "e^(−1) ≥ 0.36 and e^(−2) ≥ 0.135; √(2/π) ≤ 4/5",
    )
)
def no_private_score_is_faster() -> Finding:
    """Under the same conditions, for p_1 or p_−1 the mean squared error of an estimated score at 0,
    and so that of its supremum, is at least (1/10)(8nε)^(−2(β − 1)/(d + β)), and without privacy
    n^(−2(β − 1)/(d + 2β))/31: the scores there are 2h^(β − 1) apart.
    """
    worst, gap, error = sympy.symbols("w g m", positive=True)
    size = sympy.Symbol("x", positive=True)  # h^(β − 1)
    moved = [gap >= 2 * size, error >= (gap / 2) ** 2 * worst]
    return all_of(
        _two_points(),
        entails([*moved, 10 * worst >= 1], error >= size**2 / 10),
        entails([*moved, 1000 * worst >= 33], error >= size**2 / 31),
    )
