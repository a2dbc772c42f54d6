"""Definition 1 and Lemma 2: how far an optimal release may be from P* (Appendix C)."""

from hypothesis import strategies as st

from provedp.theory import counting
from provedp.verify.claims.counting.instances.four_counts import four_counts
from provedp.verify.claims.prelude import *
from provedp.verify.ledger import is_defined
from provedp.verify.solvers.channel import optimal_set

FACES = dict(
    m=levels(range(3, 5), range(3, 7)),
    k=(Q(1), Q(11, 10), Q(2)),
    delta=(Q(0), Q(1, 20), Q(1, 4), Q(1, 2)),
)


@published(
    "Lemma 2, eq. (22)",
    formula=counting.radius_upper,
    survivors={
        "times 1 + 1e-4; plus 1e-4; doubled; size off by one": "a larger radius is a bound too"
    },
)
@certified(**FACES)
def radius_is_at_most_the_bound(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Δ_M ≤ R_M: no optimal release is farther from P* than R_M in any entry. (The geometric sum
    stands for its quotient, so k = 1 is included.)
    """
    return at_most(optimal_set.radius(m, k, delta), upper(m, k, delta))


@published("Lemma 2, eq. (22); Appendix C")
@proved()
def chains_of_constraints_bound_every_entry() -> Finding:
    """For every M: n privacy constraints between row j and row i give p_ij ≤ k^n γ* + δ s_n with
    s_n = 1 + k + … + k^(n−1), and p_ij ≥ (γ* − δ s_n)/k^n, by induction on n = |i − j|; both are
    weakest at n = M − 1. So Φ₀ and φ₀ enclose the off-diagonal entries of every optimal release,
    and an entry differs from P*'s, which is in [φ, Φ], by at most max(Φ₀ − φ, Φ − φ₀).
    """
    a, b, k, slack, power, s, g = sympy.symbols("a b k delta K s g", real=True)
    inside = [k >= 1, slack >= 0, power >= 1, s >= 0, g >= 0]
    above = entails(
        [*inside, b <= power * g + slack * s, a <= k * b + slack],
        a <= k * power * g + slack * (1 + k * s),
    )
    below = entails(
        [*inside, b * power >= g - slack * s, b <= k * a + slack],
        a * k * power >= g - slack * (s + power),
    )
    longer = entails(inside, k * power * g + slack * (1 + k * s) >= power * g + slack * s)
    low, high, own, other, least, most = sympy.symbols("low high own other least most", real=True)
    apart = entails(
        [low <= own, own <= high, least <= other, other <= most],
        sympy.Abs(other - own) <= sympy.Max(most - low, high - least),
    )
    return all_of(above, below, longer, apart)


@ours("Lemma 2, eq. (22)", formula=counting.radius_upper)
@certified(delta=(Q(1, 4),))
def radius_bound_is_attained(upper: Formula, delta: Q) -> Finding:
    """R_M is attained at M = 3, ε = 0, δ = 1/4, so it cannot be improved by a factor."""
    return equal(upper(3, Q(1), delta), optimal_set.radius(3, Q(1), delta))


@published("Lemma 2, eq. (23)", formula=counting.radius_upper_as_printed)
@refuted(m=3, k=Q(1), delta=Q(1, 4))
def radius_bound_is_defined(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """R_M as printed is a number for every ε ≥ 0, as Lemma 2 and Theorem 2 use it."""
    return is_defined(upper, m, k, delta)


@repairs(radius_bound_is_defined, formula=counting.radius_upper)
@certified(m=range(2, 40), k=(Q(1), Q(3, 2)), delta=(Q(0), Q(1, 4)))
def radius_bound_with_the_sum_is_defined(upper: Formula, m: int, k: Q, delta: Q) -> Finding:
    """With 1 + k + … + k^(M−2) for (1 − k^(M−1))/(1 − k), R_M is defined for every ε ≥ 0 and the
    same where both are.
    """
    defined = radius_bound_is_defined(upper, m, k, delta)
    if k == 1:
        return defined
    return all_of(defined, equal(upper(m, k, delta), counting.radius_upper_as_printed(m, k, delta)))


@published("Lemma 2; Appendix C", formula=counting.radius_upper, mutants=(counting.error,))
@certified(m=range(2, 60))
def radius_bound_vanishes_without_leakage(upper: Formula, m: int) -> Finding:
    """R_M → 0 as ε, δ → 0: it is 0 at (0, 0), where it is a maximum of continuous functions."""
    return equal(upper(m, Q(1), Q(0)), 0)


@published("Appendix C, eq. (50)")
@certified(
    difference=st.lists(st.integers(-9, 9), min_size=1, max_size=7).map(
        lambda head: [*head, -sum(head)]
    )
)
def entry_is_at_most_half_the_row_norm(difference: list[int]) -> Finding:
    """In a row that sums to zero no entry exceeds half the sum of the absolute values: the
    positive and the negative entries have the same total.
    """
    norm = sum(abs(entry) for entry in difference)
    return at_most(max(abs(entry) for entry in difference), Q(norm, 2))


def half_the_error(m: int, k: Q, delta: Q) -> Q:
    """Return (1 − δ)(1 − α_M)/2."""
    return rational(counting.error(m, k, delta) / 2)


@published(
    "Appendix C, eq. (51)",
    formula=counting.error,
    mutants=(half_the_error,),
    survivors={
        "times 1 + 1e-4; plus 1e-4; doubled": "a larger error is a bound too",
        "times 1 − 1e-4; minus 1e-4; size off by one; ε for 2ε": "the radius has room",
    },
)
@certified(**FACES)
def radius_is_at_most_the_error(error: Formula, m: int, k: Q, delta: Q) -> Finding:
    """Δ_M ≤ (1 − δ)(1 − α_M): rows with the same diagonal entry differ by at most what is left."""
    return at_most(optimal_set.radius(m, k, delta), error(m, k, delta))


@published("Appendix C, between eq. (51) and R_M", formula=counting.error)
@certified(m=range(2, 60))
def simple_radius_bound_is_loose_without_leakage(error: Formula, m: int) -> Finding:
    """At (0, 0) the bound (51) is (M − 1)/M, though the optimum is unique there (Δ_M = 0)."""
    return equal(error(m, Q(1), Q(0)), Q(m - 1, m))


@ours("Definition 1, the radius for M = 3", formula=counting.radius_of_three)
@proved()
def radius_for_three_counts_in_general(radius: Formula) -> Finding:
    """Δ_3 = (1 − δ)/(k + 2) · (1 − (1 − δ′)⁺/k): in (18), which holds all optimal releases, the
    free entries are u and 2 − u (in units of (1 − δ)/(k + 2)), both 1 in P*, with u in [(1 −
    δ′)⁺/k, 1]; the lower end attains it.
    """
    k, slack, u = sympy.symbols("k delta u", real=True)
    scale = (1 - slack) / (k + 2)
    low = sympy.Max(1 - slack / scale, 0) / k
    found = radius(k, slack)
    inside = [k > 1, slack >= 0, slack < 1, u <= 1, u >= low]
    return all_of(
        entails(inside, sympy.And(scale * (1 - u) <= found, scale * ((2 - u) - 1) <= found)),
        entails([*inside, sympy.Eq(u, low)], sympy.Eq(scale * (1 - u), found)),
    )


@ours("Definition 1, the radius for M = 3", formula=counting.radius_of_three)
@certified(k=(Q(1), Q(11, 10), Q(2), Q(5)), delta=(Q(0), Q(1, 20), Q(1, 10), Q(1, 4), Q(1, 2)))
def radius_for_three_counts(radius: Formula, k: Q, delta: Q) -> Finding:
    """Δ_3 = (1 − δ)/(k + 2) · (1 − (1 − δ′)⁺/k): the spread of u in (18), whose P* has u = 1."""
    return equal(radius(k, delta), optimal_set.radius(3, k, delta))


@ours("Definition 1, the radius for M = 4", formula=counting.radius_of_four)
@proved()
def radius_for_four_counts(radius: Formula) -> Finding:
    """Δ_4 = (k − 1)/(k(k + 1)) at δ = 0: over the family (19), the optimal set, no entry is farther
    from P*, and the member with x₃ = 1/k, x₂ = 1 attains it.
    """
    k, free, inside = four_counts()
    found = counting.matrix_of_four(k, *free)
    canonical = counting.matrix_of_four(k, 1, k, 1, k)
    gaps = [entry for entry in (found - canonical)[0, 1:]]
    upper = sympy.together(radius(k))
    corner = sympy.together(gaps[-1].subs(free[1], 1 / k))
    return all_of(
        *(entails(inside, sympy.And(gap <= upper, -gap <= upper)) for gap in gaps),
        equal(-corner, upper),
        entails([*inside, sympy.Eq(free[1] * k, 1), sympy.Eq(free[0], 1)], k > 1),
    )
