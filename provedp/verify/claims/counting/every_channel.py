"""Section V for every M and every channel: the bounds (24), (34), (36) and Theorem 2."""

from provedp.theory import counting
from provedp.verify.claims.counting.forced import (
    entries_between_diagonal_and_middle_are_forced_at_every_size,
)
from provedp.verify.claims.counting.instances.four_counts import delta
from provedp.verify.claims.counting.optimum import canonical_release_is_private, error_is_optimal
from provedp.verify.claims.counting.radius import (
    chains_of_constraints_bound_every_entry,
    extreme_entries_are_at_the_extreme_distances,
)
from provedp.verify.claims.counting.structure import optimum_without_leakage_is_unique
from provedp.verify.claims.prelude import *

ENTRIES = "induction on the entries of a row"
ATTAINED = "p_e*(T) is attained: a linear program over a compact set"


def _mixtures_stay_between(low: Any, high: Any) -> Finding:
    """Find that Σ p_n t_n is between low and high times Σ p_n, one entry more at a time."""
    p, t, partial, mass = sympy.symbols("p t S W", real=True)
    inside = [p >= 0, t >= low, t <= high, partial >= low * mass, partial <= high * mass]
    longer, more = partial + p * t, mass + p
    return entails(inside, sympy.And(longer >= low * more, longer <= high * more))


@published(Source(COUNTING, "eq. (24)"), rests_on=(error_is_optimal,))
@machine_checked("channels.no_channel_helps")
@proved(argued=(ENTRIES, ATTAINED))
def no_channel_helps_at_every_size() -> Finding:
    """p_e*(T) ≥ p_e* for every channel T: PT is a mechanism for every mechanism P, its entries
    being mixtures of those of T and its rows P T 1 = P 1 = 1, and private where the problem behind
    T asks for it, so that γ(PT) is at most the best without T.
    """
    own, best, error = sympy.symbols("g best error", real=True)
    total, mass, p, one = sympy.symbols("T W p r", real=True)
    row = entails([sympy.Eq(total, mass), sympy.Eq(one, 1)], sympy.Eq(total + p * one, mass + p))
    return all_of(
        _mixtures_stay_between(sympy.Integer(0), sympy.Integer(1)),
        row,
        entails([own <= best, sympy.Eq(error, 1 - best)], 1 - own >= error),
    )


@published(
    Source(COUNTING, "eq. (33)"),
    Source(COUNTING, "eq. (34)"),
    Source(COUNTING, "eq. (35)"),
    rests_on=(no_channel_helps_at_every_size,),
)
@machine_checked("channels.error_is_at_least_both_lower_bounds")
@proved(argued=(ENTRIES, ATTAINED))
def error_is_at_least_both_lower_bounds_at_every_size() -> Finding:
    """[PT]_ii is a mixture of the entries of column i of T, so at most the largest, [Q_T T]_ii; the
    least over i is then at most γ(Q_T T), so that p_e*(T) ≥ l(T), and with (24) p_e*(T) ≥
    max{p_e*, l(T)}.
    """
    top, low, mine, others, most, rest = sympy.symbols("top low a b A B", real=True)
    free, alone, behind = sympy.symbols("free l e", real=True)
    return all_of(
        _mixtures_stay_between(low, top),
        entails([mine <= most, others <= rest], sympy.Min(mine, others) <= sympy.Min(most, rest)),
        entails([behind >= free, behind >= alone], behind >= sympy.Max(free, alone)),
    )


@published(
    Source(COUNTING, "Section V", "after eq. (24)"),
    rests_on=(no_channel_helps_at_every_size, canonical_release_is_private),
)
@machine_checked("channels.undone_channel_costs_nothing", "channels.no_channel_helps")
@proved(argued=(ENTRIES, "an optimum is at most what one feasible point, P* T⁻¹, attains"))
def undone_channel_costs_nothing_at_every_size() -> Finding:
    """If P* T⁻¹ ≥ 0 then p_e*(T) = p_e*, for every M: its rows sum to one, since T⁻¹ 1 = T⁻¹ T 1 =
    1 (a row of T⁻¹ times T 1 is its sum), so it is a mechanism that T turns into P*; p_e*(T) ≤ p_e*
    then, and (24) gives the rest.
    """
    x, partial, total, row, p = sympy.symbols("x S N r p", real=True)
    behind, free = sympy.symbols("e free", real=True)
    inverse = entails(
        [sympy.Eq(partial, total), sympy.Eq(row, 1)], sympy.Eq(partial + x * row, total + x)
    )
    rows = entails(
        [sympy.Eq(partial, total), sympy.Eq(row, 1)], sympy.Eq(partial + p * row, total + p)
    )
    both = entails([behind <= free, behind >= free], sympy.Eq(behind, free))
    return all_of(inverse, rows, both)


@published(
    Source(COUNTING, "Theorem 2", "statement 1"),
    rests_on=(chains_of_constraints_bound_every_entry,),
)
@machine_checked("radius.entry_below_the_bound_costs")
@proved(argued=(ENTRIES, ATTAINED))
def entry_below_the_threshold_costs_at_every_size() -> Finding:
    """If an entry of P* T⁻¹ is below −R_M ‖T⁻¹‖₁, then p_e*(T) > p_e*, for every M. With E = P − P*
    for an optimal P, |E_iz| ≤ R_M gives |Σ_z E_iz x_z| ≤ R_M Σ_z |x_z| ≤ R_M ‖T⁻¹‖₁ for a column
    x of T⁻¹, so that P T⁻¹ has a negative entry: no mechanism leads through T to an optimal
    release.
    """
    e, x, partial, norm, radius, whole = sympy.symbols("E x S N R W", real=True)
    own, canonical = sympy.symbols("q p", real=True)
    chain = [sympy.Abs(partial) <= radius * norm, sympy.Abs(e) <= radius]
    step = entails(chain, sympy.Abs(partial + e * x) <= radius * (norm + sympy.Abs(x)))
    below = [sympy.Abs(partial) <= radius * norm, norm <= whole, radius >= 0]
    below += [canonical < -radius * whole, sympy.Eq(own, canonical + partial)]
    return all_of(step, entails(below, own < 0))


@published(
    Source(COUNTING, "Theorem 2", "statement 2"),
    Source(COUNTING, "eq. (27)"),
    Source(COUNTING, "eq. (28)"),
    rests_on=(
        undone_channel_costs_nothing_at_every_size,
        extreme_entries_are_at_the_extreme_distances,
    ),
)
@machine_checked("channels.channel_near_the_identity")
@proved(argued=(ENTRIES,))
def channel_near_the_identity_costs_nothing_at_every_size() -> Finding:
    """If ‖T⁻¹ − I‖_max ≤ φ = (1 − δ) α_M k^(−⌊M/2⌋), or ‖T⁻¹ − I‖_∞ ≤ φ, which is (27), or
    ‖T⁻¹ − I‖_max ≤ φ/(M γ*), which is (28), then p_e*(T) = p_e*, for every M. With x the largest
    entry of X = T⁻¹ − I, Σ_j p_j X_jc ≥ −x Σ_j p_j = −x for a row p of P*, and an entry of P* T⁻¹
    is p_c + Σ_j p_j X_jc ≥ φ − x ≥ 0. (27) implies the first, since no entry exceeds the absolute
    sum of its row; and so does (28), since the M entries of a row of P* are at most γ* and sum to
    one.
    """
    p, entry, partial, mass, x, phi = sympy.symbols("p X S W x phi", real=True)
    m, common, others = sympy.symbols("M g O", real=True)
    inside = [p >= 0, sympy.Abs(entry) <= x, partial >= -x * mass]
    sums = [sympy.Eq(mass, 1), partial >= -x * mass, x <= phi]
    return all_of(
        entails(inside, partial + p * entry >= -x * (mass + p)),
        entails([*sums, p >= phi], p + partial >= 0),
        entails([others >= 0, sympy.Abs(entry) + others <= phi], sympy.Abs(entry) <= phi),
        entails([m >= 2, m * common >= 1, phi >= 0, x * (m * common) <= phi, x >= 0], x <= phi),
        entails([p <= common, mass <= (m - 1) * common, sympy.Eq(mass + p, 1)], m * common >= 1),
    )


@published(
    Source(COUNTING, "Theorem 2", "statement 2, the norms of P*"), formula=counting.release_entry
)
@machine_checked("entries.norms_of_the_canonical_release")
@proved(argued=(ENTRIES,))
def norms_of_the_canonical_release_are_as_stated(entry: Formula) -> Finding:
    """‖P*‖_∞ = 1, since its rows are distributions; ‖P*‖_max = (1 − δ) α_M + δ, its diagonal entry;
    and ‖P* X‖_max ≤ min{M ‖P*‖_max ‖X‖_max, ‖P*‖_∞ ‖X‖_∞}, for every M: n products sum to n
    ‖P*‖_max ‖X‖_max at most in absolute value, and to ‖X‖_max ≤ ‖X‖_∞ times Σ_j p_j.
    """
    top = sympy.Symbol("alpha", positive=True)
    ratio = 1 + sympy.Symbol("s", nonnegative=True)
    slack = sympy.Symbol("delta", nonnegative=True)
    d = sympy.Symbol("d", integer=True, positive=True)
    p, x, partial, n, a, b, mass = sympy.symbols("p x S n A B W", real=True)
    plain = [sympy.Abs(p) <= a, sympy.Abs(x) <= b, sympy.Abs(partial) <= n * a * b, n >= 0]
    rows = [p >= 0, sympy.Abs(x) <= b, sympy.Abs(partial) <= b * mass]
    off = entry(top, ratio, delta, sympy.Integer(0)) - delta - entry(top, ratio, delta, d)
    return all_of(
        equal(entry(top, ratio, slack, 0), (1 - slack) * top + slack),
        at_most(entry(top, ratio, delta, d + 1), entry(top, ratio, delta, d)),
        equal(off, (1 - delta) * top * (1 - ratio**-d)),
        entails(plain, sympy.Abs(partial + p * x) <= (n + 1) * a * b),
        entails(rows, sympy.Abs(partial + p * x) <= b * (mass + p)),
    )


@published(
    Source(COUNTING, "Theorem 2", "statement 3"),
    Source(COUNTING, "eq. (29)"),
    rests_on=(undone_channel_costs_nothing_at_every_size,),
)
@machine_checked("radius.one_inside_the_cone_costs_nothing_in_a_box")
@proved(
    argued=(
        ENTRIES,
        "a point in the interior of the cone has positive weights only: those of 1ᵀ are 1ᵀ T⁻¹",
        "1/M ≤ α_M ≤ k^⌊M/2⌋/M: the powers k^(−d) are between k^(−⌊M/2⌋) and 1",
    )
)
def channel_with_one_inside_the_cone_costs_nothing_in_a_box() -> Finding:
    """If the weights 1ᵀ T⁻¹ of 1ᵀ are at least s > 0, then p_e*(T) = p_e* for all ε ≤ ε₀ and δ ≤
    δ₀, for every M: with n = ‖T⁻¹‖_max, c = s/(M² n), ε₀ = ln(1 + M c/2)/⌊M/2⌋ and δ₀ = c/2, every
    entry of P* is within c of 1/M on the whole box, and an entry of P* T⁻¹ is at least s/M − M c n
    = 0.
    """
    m, power, slack, c, top, q = sympy.symbols("M K delta c alpha q", real=True)
    box = [m >= 2, c > 0, power >= 1, power <= 1 + m * c / 2, slack >= 0, slack <= c / 2, slack < 1]
    box += [m * top >= 1, m * top <= power, q >= 1, q <= power]
    away, own = (1 - slack) * top / q, slack + (1 - slack) * top
    near = [sympy.Abs(entry - 1 / m) <= c for entry in (away, own)]
    largest, s, weight, partial, count, e, x = sympy.symbols("n s w S r E x", real=True)
    chain = [sympy.Abs(partial) <= count * c * largest, sympy.Abs(e) <= c, sympy.Abs(x) <= largest]
    step = sympy.Abs(partial + e * x) <= (count + 1) * c * largest
    inside = [m >= 2, weight >= s, s > 0, largest > 0, sympy.Eq(c * m**2 * largest, s)]
    return all_of(
        *(entails(box, claim) for claim in near),
        entails(chain, step),
        entails([*inside, sympy.Abs(partial) <= m * c * largest], weight / m + partial >= 0),
    )


@published(
    Source(COUNTING, "Theorem 2", "statement 4"),
    Source(COUNTING, "eq. (29)"),
    rests_on=(optimum_without_leakage_is_unique,),
)
@machine_checked("channels.one_outside_the_cone_costs")
@proved(argued=(ATTAINED, "the weights 1ᵀ T⁻¹ of 1ᵀ are unique: T is invertible"))
def channel_with_one_outside_the_cone_costs_at_every_size() -> Finding:
    """If 1ᵀ is outside the cone of the rows of an invertible T, p_e*(T) > p_e* at ε = δ = 0, for
    every M: one of its weights w is negative, and so is an entry w/M of J T⁻¹/M, the only matrix
    that T turns into J/M, the only optimal release.
    """
    weight, m = sympy.symbols("w M", real=True)
    return entails([m >= 2, weight < 0], weight / m < 0)


@published(
    Source(COUNTING, "Theorem 2", "statement 5"),
    rests_on=(
        undone_channel_costs_nothing_at_every_size,
        entries_between_diagonal_and_middle_are_forced_at_every_size,
    ),
)
@machine_checked("circulants.circulant_channel_costs_nothing_iff_undone")
@proved(
    argued=(
        "T⁻¹ and P* T⁻¹ are circulants, as circulants are closed under product and inverse",
        "row r of P = (PT) T⁻¹ is row r of P* T⁻¹ if row r of PT is that of P*",
        ATTAINED,
    )
)
def circulant_channel_costs_nothing_iff_undone_at_every_size() -> Finding:
    """For an invertible circulant T, δ = 0 and every M, p_e*(T) = p_e* only if P* T⁻¹ ≥ 0: a middle
    row r of an optimal P T is that of P*, so row r of P ≥ 0 is that of P* T⁻¹, and entry (i, j) of
    the circulant P* T⁻¹ is entry (r, j + r − i) of that row, counted around the circle.
    """
    entry, same = sympy.symbols("a b", real=True)
    m, i, j, r = sympy.symbols("m i j r", integer=True)
    column = j + r - i
    inside = [m >= 2, i >= 1, i <= m, j >= 1, j <= m, r >= 1, r <= m]
    around = sympy.Or(*(sympy.And(column + n * m >= 1, column + n * m <= m) for n in (-1, 0, 1)))
    return all_of(entails([same >= 0, sympy.Eq(entry, same)], entry >= 0), entails(inside, around))
