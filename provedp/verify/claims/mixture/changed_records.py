"""Section IV-C: what a record whose features change does to a covariance, and to Lemma 2."""

from provedp.theory import mixture
from provedp.verify.claims.mixture.covariance_noise import by_class
from provedp.verify.claims.prelude import *


@published(
    Source(
        MIXTURE,
        "Section IV-C",
        "changing one feature value: 'our algorithm remains applicable; "
        "only the update of Γ_k⁻¹ in (25) is replaced'",
    ),
    Source(MIXTURE, "Section V-E"),
    defect=Defect.FALSE,
)
@refuted(before=(1, 1, 1, -1), after=(1, 1, 1, 1), bound=1, epsilon=Q(1))
def covariance_noise_covers_a_changed_feature(
    before: tuple[int, ...], after: tuple[int, ...], bound: int, epsilon: Q
) -> Finding:
    """With ‖x‖ ≤ B the noise of (11) serves for a changed feature as it stands: where both laws of
    Σ_k + W have a density, its log-ratio is at most ε′ at 3γ = 2 N_k ε′. (Here it is 4ε′/3.)
    """
    assume(max(map(abs, (*before, *after))) <= bound)
    assume(sum(a != b for a, b in zip(before, after, strict=True)) == 1)
    first, second = (
        mixture.class_covariances(by_class((values,)))[0][0, 0] for values in (before, after)
    )
    gamma = 2 * len(before) * epsilon / 3
    return at_most(mixture.covariance_log_ratio(second - first, gamma), epsilon)


@ours(Source(MIXTURE, "eq. (2)", "(2c)"), Source(MIXTURE, "eq. (30)"))
@machine_checked("means.changed_record_moves_a_covariance_by_two_squares")
@proved(argued=())
def changed_record_moves_a_covariance_by_two_squares() -> Finding:
    """A record of a class of N that changes from x to x′ moves Σ_k by E = (u uᵀ − v vᵀ)/N with u =
    x′ − m, v = x − m and m the mean of the others; entry by entry, from their sums and moments.
    """
    n, s, t, moment, a, b, c, d = sympy.symbols("N s t T a b c d", real=True)

    def entry(x: sympy.Expr, y: sympy.Expr) -> sympy.Expr:
        return (moment + x * y - (s + x) * (t + y) / n) / (n - 1)

    left, right = s / (n - 1), t / (n - 1)
    moved = ((a - left) * (b - right) - (c - left) * (d - right)) / n
    return equal(entry(a, b) - entry(c, d), moved)


@ours(
    Source(MIXTURE, "eq. (30)", "for covariances"),
    Source(MIXTURE, "eq. (32)", "for covariances"),
    rests_on=(changed_record_moves_a_covariance_by_two_squares,),
)
@machine_checked("means.changed_record_moves_a_trace_by_so_much", part="the trace")
@proved(
    argued=(
        "N tr E = ‖u‖² − ‖v‖² with ‖u‖, ‖v‖ ≤ 2B, by the triangle inequality",
        "a matrix of rank two has the absolute eigenvalue sum √(tr² − 4 det) if det ≤ 0, as here "
        "by Cauchy's inequality",
        "‖a‖² + ‖b‖² = (‖x‖² + ‖x′‖²)/2 ≤ B² and ‖c‖ ≤ ‖b‖ + ‖m‖",
    )
)
def changed_record_moves_a_covariance_by_so_much() -> Finding:
    """For ‖x‖ ≤ B: |tr E| ≤ 4B²/N, and the sum of absolute eigenvalues is at most 3√3 B²/N. With
    x′ − x = 2a, x′ + x = 2b and c = b − m: N tr E = 4 aᵀc, and N‖E‖₁ = ‖u − v‖‖u + v‖ = 4‖a‖‖c‖ as
    u uᵀ − v vᵀ has rank two; ‖a‖² + ‖b‖² ≤ B² and ‖c‖ ≤ ‖b‖ + B do the rest.
    """
    p, q, r = sympy.symbols("p q r", real=True)  # ‖u‖², ‖v‖², uᵀv: the entries of a Gram matrix
    half, middle, bound = sympy.symbols("a b B", nonnegative=True)
    sums = (p + q - 2 * r) * (p + q + 2 * r)  # (‖u − v‖‖u + v‖)²
    determinant = -(p * q - r**2)  # the product of the two eigenvalues
    inside = [half**2 + middle**2 <= bound**2, bound > 0]
    square = 16 * half**2 * (middle + bound) ** 2
    outer, inner = sympy.symbols("U V", nonnegative=True)  # ‖u‖ and ‖v‖
    return all_of(
        equal((p - q) ** 2 - 4 * determinant, sums),
        entails(inside, square <= 27 * bound**4),
        entails(
            [outer <= 2 * bound, inner <= 2 * bound],
            sympy.And(outer**2 - inner**2 <= 4 * bound**2, inner**2 - outer**2 <= 4 * bound**2),
        ),
    )


@ours(
    Source(MIXTURE, "eq. (30)", "for covariances"), Source(MIXTURE, "eq. (32)", "for covariances")
)
@certified(bound=(Q(1), Q(5, 2)), count=range(3, 8))
def bounds_on_a_moved_covariance_are_attained(bound: Q, count: int) -> Finding:
    """|tr E| and the Frobenius norm reach 4B²/N: all others at B, a record that goes from B to −B.
    ‖E‖₁ = 3√3 B²/N is reached in the plane: m = (−B, 0), x and x′ = (B/2, ±√3 B/2).
    """
    others = (bound,) * (count - 1)
    first, second = (
        mixture.class_covariances(by_class(((*others, x),)))[0][0, 0] for x in (bound, -bound)
    )
    root = sympy.sqrt(3)
    u, v = sympy.Matrix([3, root]) * bound / 2, sympy.Matrix([3, -root]) * bound / 2
    gap, total = u - v, u + v
    nuclear = sympy.sqrt(gap.dot(gap) * total.dot(total))
    inside = sympy.Matrix([1, root]) * bound / 2
    return all_of(
        equal(second - first, 4 * bound**2 / count),
        equal(nuclear, 3 * root * sympy.Rational(str(bound)) ** 2),
        equal(sympy.simplify(inside.dot(inside)), sympy.Rational(str(bound)) ** 2),
    )


@repairs(
    covariance_noise_covers_a_changed_feature,
    rests_on=("mixture.flip_moves_the_scatter_by_a_square",),
)
@machine_checked("releases.two_squares_are_two_steps")
@proved(
    argued=(
        "sums over all outcomes of the inequality give δ + e^ε δ",
        "the data between the two steps have one record less",
    )
)
def two_squares_are_two_steps() -> Finding:
    """Noise on the scatter that is (ε, δ)-private when a record enters or leaves, a square of norm
    below 4B² each, is (2ε, (1 + e^ε) δ)-private when one changes: it leaves and enters, and
    (p − k²r)⁺ ≤ (p − kq)⁺ + k (q − kr)⁺ for the laws before, between and after.
    """
    p, q, r, k = sympy.symbols("p q r k", nonnegative=True)
    gain = sympy.Max(p - k**2 * r, 0)
    steps = sympy.Max(p - k * q, 0) + k * sympy.Max(q - k * r, 0)
    return entails([k >= 1], gain <= steps)
