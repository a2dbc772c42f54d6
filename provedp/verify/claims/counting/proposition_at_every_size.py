"""Proposition 1, put right, for every M and every channel: u₀ … u₃ bound the least error."""

from provedp.verify.claims.counting.bounds import (
    first_upper_bound_holds_with_the_printed_quotient,
    least_diagonal_is_superadditive,
)
from provedp.verify.claims.counting.every_channel import (
    error_is_at_least_both_lower_bounds_at_every_size,
)
from provedp.verify.claims.counting.optimum import canonical_release_is_private
from provedp.verify.claims.counting.problem import private_mechanisms_are_convex
from provedp.verify.claims.counting.proposition import third_upper_bound_holds
from provedp.verify.claims.prelude import *

FEASIBLE = "an optimum is at most what one feasible point attains"
SIZES = "matrix products distribute for every M; the identities are written out for M = 2"
PRIVATE = (
    canonical_release_is_private,
    private_mechanisms_are_convex,
    "privacy.post_processing_keeps_guarantees",
)
SHARE = sympy.Symbol("share", real=True)


def _square(name: str) -> sympy.Matrix:
    return sympy.Matrix(2, 2, lambda i, j: sympy.Symbol(f"{name}{i + 1}{j + 1}", real=True))


def _same(left: sympy.Matrix, right: sympy.Matrix) -> Finding:
    return all_of(*(equal(a, b) for a, b in zip(left, right, strict=True)))


def _step_keeps_signs() -> Finding:
    """Find that p + s a ≥ 0 where a ≥ 0, and for s ≤ p/b with b = −a > 0: the longest step."""
    p, a, b = sympy.symbols("p a b", real=True)
    return all_of(
        entails([p >= 0, SHARE >= 0, a >= 0], p + SHARE * a >= 0),
        entails([p >= 0, SHARE >= 0, b > 0, SHARE <= p / b], p - SHARE * b >= 0),
    )


def _sums_stay_one() -> Finding:
    """Find that rows of sum one stay so when a multiple of a row of sum zero is added."""
    total, change = sympy.symbols("row change", real=True)
    return entails([sympy.Eq(total, 1), sympy.Eq(change, 0)], sympy.Eq(total + SHARE * change, 1))


@repairs(first_upper_bound_holds_with_the_printed_quotient, rests_on=PRIVATE)
@machine_checked("invertible.first_upper_bound_holds")
@proved(argued=(FEASIBLE, SIZES))
def first_upper_bound_holds_at_every_size() -> Finding:
    """With λ* in (0, 1], p_e*(T) ≤ u₁(T) ≤ u₀(T) for every invertible T and every M. G₁ = λ P* T⁻¹
    + (1 − λ) P* = P* + λ(P* T⁻¹ − P*) is a mechanism, since λ ≤ p/−a where an entry p falls at
    the rate a, and rows of P* T⁻¹ and of P* sum to one; G₁ T = λ P* + (1 − λ) P* T is a mixture of
    private mechanisms, the second one P* post-processed; and γ(P*) = 1 − p_e* ≥ γ(P* T) makes its
    diagonal at least that of P* T.
    """
    release, channel = _square("p"), _square("t")
    undone = release * channel.adjugate() / channel.det()
    mixed = SHARE * undone + (1 - SHARE) * release
    expected = SHARE * release + (1 - SHARE) * release * channel
    common, other, least = sympy.symbols("g q l", real=True)
    better = [SHARE > 0, SHARE <= 1, common >= least, other >= least]
    return all_of(
        _step_keeps_signs(),
        _sums_stay_one(),
        _same(mixed * channel, expected),
        entails(better, SHARE * common + (1 - SHARE) * other >= least),
    )


@published(
    Source(COUNTING, "eq. (36)"),
    Source(COUNTING, "eq. (38)"),
    Source(COUNTING, "eq. (39)"),
    Source(COUNTING, "eq. (40)"),
    Source(COUNTING, "eq. (41)"),
    Source(COUNTING, "eq. (42)"),
    Source(COUNTING, "Proposition 1", "u₂"),
    rests_on=(*PRIVATE, least_diagonal_is_superadditive),
)
@machine_checked("channels.sent_release_is_allowed", "invertible.second_upper_bound_holds")
@proved(argued=(FEASIBLE, SIZES))
def second_upper_bound_holds_at_every_size() -> Finding:
    """p_e*(T) ≤ u₂(T) ≤ u₀(T) for every T, every M, (ε, δ) ≠ (0, 0) and every v ⊥ 1. With u = P*⁻¹
    Tᵀ v, G₂ = P* + θ Tᵀ v vᵀ has entries ≥ 0 by (38) and rows of sum one, as vᵀ 1 = 0; G₂ T = P* T₂
    with T₂ = T + θ u vᵀ T, which has entries ≥ 0 by (39) and rows of sum one, as vᵀ T 1 = vᵀ 1; so
    G₂ T is P* post-processed. Its diagonal gains θ times that of Tᵀ v (Tᵀ v)ᵀ, squares. At θ = 0
    it is P* T, which is u₀.
    """
    release, undo, channel = _square("p"), _square("u"), _square("t")
    v = sympy.Matrix(2, 1, sympy.symbols("v1 v2", real=True))
    image = channel.T * v
    # P* u = Tᵀ v for u = P*⁻¹ Tᵀ v: with P* = U⁻¹ = adj U/det U.
    inverse = undo.adjugate() / undo.det()
    stepped = inverse + SHARE * image * v.T
    second = channel + SHARE * (undo * image) * (v.T * channel)
    ones = sympy.ones(2, 1)
    rows = (SHARE * image * v.T * ones).subs(v[1], -v[0])
    own, gain, least = sympy.symbols("own gain least", real=True)
    return all_of(
        _step_keeps_signs(),
        _sums_stay_one(),
        _same(stepped * channel, inverse * second),
        equal(list(((stepped - inverse) * channel).diagonal()), [SHARE * i**2 for i in image]),
        equal([entry + release[0, 0] for entry in rows], [release[0, 0]] * 2),
        entails([own >= least, SHARE >= 0], own + SHARE * gain**2 >= least),
    )


@repairs(third_upper_bound_holds, rests_on=(*PRIVATE, least_diagonal_is_superadditive))
@machine_checked("invertible.capped_third_upper_bound_holds")
@proved(argued=(FEASIBLE, SIZES))
def capped_third_upper_bound_holds_at_every_size() -> Finding:
    """With β* = min(1, β_R), p_e*(T) ≤ u₃(T) ≤ u₀(T) for every T, every M and (ε, δ) ≠ (0, 0). G₃ =
    β Q_T + (1 − β) P* is a mixture of two mechanisms, because β is in [0, 1]; G₃ T = P* T₂ with
    T₂ = β P*⁻¹ Q_T T + (1 − β) T, whose entries are ≥ 0 by β ≤ β_R and whose rows sum to one, as
    P*⁻¹ 1 = 1; so G₃ T is P* post-processed. Its diagonal is β times that of Q_T T, the largest
    there is, and 1 − β times that of P* T.
    """
    undo, chosen, channel = _square("u"), _square("q"), _square("t")
    inverse = undo.adjugate() / undo.det()
    mixed = SHARE * chosen + (1 - SHARE) * inverse
    second = SHARE * undo * chosen * channel + (1 - SHARE) * channel
    one, other, most, own, least = sympy.symbols("a b most own l", real=True)
    inside = [SHARE >= 0, SHARE <= 1]
    return all_of(
        entails([*inside, one >= 0, other >= 0], SHARE * one + (1 - SHARE) * other >= 0),
        _step_keeps_signs(),
        _sums_stay_one(),
        _same(mixed * channel, inverse * second),
        entails([*inside, most >= own, own >= least], SHARE * most + (1 - SHARE) * own >= least),
    )


@ours(
    Source(COUNTING, "Proposition 1", "put right"),
    Source(COUNTING, "eq. (47)", "put right"),
    rests_on=(
        error_is_at_least_both_lower_bounds_at_every_size,
        first_upper_bound_holds_at_every_size,
        second_upper_bound_holds_at_every_size,
        capped_third_upper_bound_holds_at_every_size,
    ),
)
@machine_checked(
    "channels.error_is_at_least_both_lower_bounds",
    "channels.sent_release_is_allowed",
    "invertible.first_upper_bound_holds",
    "invertible.second_upper_bound_holds",
    "invertible.capped_third_upper_bound_holds",
)
@proved(argued=())
def proposition_holds_with_capped_shares() -> Finding:
    """max{p_e*, l(T)} ≤ p_e*(T) ≤ min{u₁, u₂, u₃} for every M and T, with λ* and β* at most 1,
    where the bounds are defined (T invertible for u₁, (ε, δ) ≠ (0, 0) for u₂ and u₃): each of them
    bounds p_e*(T).
    """
    free, alone, behind, one, two, three = sympy.symbols("free l e u1 u2 u3", real=True)
    below = [behind >= free, behind >= alone]
    above = [behind <= one, behind <= two, behind <= three]
    return all_of(
        entails(below, behind >= sympy.Max(free, alone)),
        entails(above, behind <= sympy.Min(one, two, three)),
    )


@published(Source(COUNTING, "Section V", "before eq. (38), the invertibility of I + X"))
@proved(argued=("the determinant is written out for M = 2 and 3",))
def rank_one_change_is_singular_at_one_step_only() -> Finding:
    """θ u vᵀ has one eigenvalue that may differ from zero, θ vᵀ u, with eigenvector u, so that
    I + θ u vᵀ is singular only for θ vᵀ u = −1: its determinant is 1 + θ vᵀ u.
    """
    findings = []
    for size in (2, 3):
        u = sympy.Matrix(size, 1, sympy.symbols(f"u1:{size + 1}", real=True))
        v = sympy.Matrix(size, 1, sympy.symbols(f"v1:{size + 1}", real=True))
        own = SHARE * (v.T * u)[0]
        findings += [
            equal((sympy.eye(size) + SHARE * u * v.T).det(), 1 + own),
            _same(SHARE * u * v.T * u, own * u),
        ]
    return all_of(*findings)


@published(Source(COUNTING, "Section V", "before eq. (42), the choice of v"))
@proved(argued=("|v|² = |Hv|² + |v − Hv|², written out for M = 3",))
def projected_direction_is_orthogonal_and_no_longer() -> Finding:
    """The maximum of ‖Tᵀ v‖ over unit v ⊥ 1 is that of ‖Tᵀ H v‖ over unit v, H = I − 11ᵀ/M: H v is
    orthogonal to 1, H v = v for v ⊥ 1, and ‖H v‖ ≤ ‖v‖, so that ‖Tᵀ H v‖ = ‖H v‖ ‖Tᵀ w‖ with a unit
    w ⊥ 1 is no larger.
    """
    v = sympy.Matrix(3, 1, sympy.symbols("v1:4", real=True))
    projector = sympy.eye(3) - sympy.ones(3, 3) / 3
    projected = projector * v
    flat = projected.subs(v[2], -v[0] - v[1])
    length, whole, stretch, most = sympy.symbols("a b s most", real=True)
    shorter = (v.T * v)[0] - (projected.T * projected)[0]
    return all_of(
        equal(v[0] + sum(projected), v[0]),
        equal([flat[0], flat[1]], [v[0], v[1]]),
        equal(shorter, sum(v) ** 2 / 3),
        entails(
            [length >= 0, length <= whole, sympy.Eq(whole, 1), stretch <= most, most >= 0],
            length * stretch <= most,
        ),
    )
