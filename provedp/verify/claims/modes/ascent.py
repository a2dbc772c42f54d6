"""Lemmas 11, 13 to 15, Propositions A.2 and A.3: minibatches, one step, and staying near."""

from itertools import combinations

from hypothesis import strategies as st

from provedp.theory import modes
from provedp.verify.claims.modes.estimates import log_derivatives_follow_the_derivatives
from provedp.verify.claims.modes.local import drift_points_inward
from provedp.verify.claims.modes.score import quotients_move_by_both_parts
from provedp.verify.claims.prelude import *


@published(Source(MODES, "Lemma 14"), Source(MODES, "eq. (20)"))
@proved(argued=())
def inclusion_probabilities_give_the_second_moment() -> Finding:
    """With Pr(i ∈ B) = m/n, Pr(i, j ∈ B) = m(m − 1)/(n(n − 1)) and Σ_{i≠j} q_iᵀq_j = n²‖k‖² − Σ
    ‖q_i‖², E‖q̄‖² is (20), for all n ≥ 2 and m.
    """
    n, m, squares, mean = sympy.symbols("n m S K", positive=True)
    pairs = n**2 * mean - squares
    direct = (m / n * squares + m * (m - 1) / (n * (n - 1)) * pairs) / m**2
    printed = (n - m) / (m * n * (n - 1)) * squares + (1 - (n - m) / (m * (n - 1))) * mean
    return equal(direct, printed)


@published(
    Source(MODES, "Lemma 14"),
    Source(MODES, "eq. (20)"),
    formula=modes.minibatch_second_moment,
    rests_on=(inclusion_probabilities_give_the_second_moment,),
)
@certified(
    contributions=st.lists(
        st.lists(st.fractions(-3, 3, max_denominator=5), min_size=2, max_size=2),
        min_size=2,
        max_size=5,
    ),
    m=st.integers(1, 5),
    examples=levels(20, 300),
)
def second_moment_is_the_average_over_minibatches(
    moment: Formula, contributions: list[list[Q]], m: int
) -> Finding:
    """(20) is the average of ‖q̄‖² over all minibatches of m of n vectors."""
    assume(m <= len(contributions), any(any(row) for row in contributions))
    batches = list(combinations(contributions, m))
    total = sum(sum((sum(row[j] for row in batch) / m) ** 2 for j in range(2)) for batch in batches)
    return equal(moment(contributions, m), total / len(batches))


@published(Source(MODES, "Lemma 11", "the proof"), rests_on=(quotients_move_by_both_parts,))
@proved(
    argued=(
        "the variance of a mean of m of n without replacement is (n − m)/(m(n − 1)) of that of one",
        "on the local event 1/(nh^d) Σ K² and 1/(nh^d) Σ ‖∇K‖² are at most D, and ∇ ln p̂ is the "
        "stabilised score of all data",
    )
)
def minibatch_score_has_a_bounded_second_moment() -> Finding:
    """‖ŝ_B − ŝ‖² ≤ 2‖Δg‖²/p_floor² + 2A²Δp²/p_floor⁴, and sampling without replacement makes the
    variances at most (n − m)/(m(n − 1)) D/h^(d + 2) and D/h^d times it, (n − m)/(n − 1) ≤ 1: at
    most 2(D/p_floor² + A² D h²/p_floor⁴)/(m h^(d + 2)).
    """
    a, b, n, m = sympy.symbols("a b n m", real=True)
    size, clip, floor, width, power = sympy.symbols("D A f h w", positive=True)
    squares = entails([], (a + b) ** 2 <= 2 * a**2 + 2 * b**2)
    part = entails([n >= 2, m >= 1, m <= n], (n - m) <= (n - 1))
    # w stands for h^d
    slopes, values = size / (m * width**2 * power), size / (m * power)
    total = 2 * slopes / floor**2 + 2 * clip**2 * values / floor**4
    wanted = 2 * (size / floor**2 + clip**2 * size * width**2 / floor**4) / (m * width**2 * power)
    return all_of(squares, part, equal(total, wanted))


@published(
    Source(MODES, "Lemma 13", "the proof"),
    rests_on=(drift_points_inward, log_derivatives_follow_the_derivatives),
)
@proved(
    argued=(
        "∇ ln p̂(x) = ∇ ln p̂(μ) + ∫ ∇² ln p̂ δ along the segment",
        "‖∇ ln p̂(μ)‖ ≤ C₁r₁, as ∇ ln p(μ) = 0",
    )
)
def estimated_score_points_inward() -> Finding:
    """By Young's inequality C r|δ| ≤ (α/8)δ² + 2C²r²/α, which takes −α/2 to −3α/8; and (H|δ| + e)²
    ≤ 2H²δ² + 2e², e² ≤ 2(C₁r₁)² + 2(C₂r₂)²δ².
    """
    delta, rate, bend, alpha = sympy.symbols("d c H a", real=True)
    first, second = sympy.symbols("p q", real=True)
    young = entails([alpha > 0], rate * delta * 8 * alpha <= alpha**2 * delta**2 + 16 * rate**2)
    drift = entails(
        [8 * rate * delta <= alpha * delta**2 + first],
        -alpha / 2 * delta**2 + rate * delta <= -3 * alpha / 8 * delta**2 + first / 8,
    )
    norm = entails([], (bend * delta + first) ** 2 <= 2 * bend**2 * delta**2 + 2 * first**2)
    split = entails([], (first + second) ** 2 <= 2 * first**2 + 2 * second**2)
    return all_of(young, drift, norm, split)


@published(
    Source(MODES, "Lemma 15", "the proof"),
    rests_on=(
        minibatch_score_has_a_bounded_second_moment,
        inclusion_probabilities_give_the_second_moment,
    ),
)
@proved(
    argued=(
        "on the local event 1/n Σ ‖q_i‖² ≤ D/(c² h^(d + 2)), and (n − m)/(n − 1) ≤ 1",
        "‖a − b‖² ≤ 2‖a‖² + 2‖b‖² coordinate by coordinate",
    )
)
def remainder_is_two_fluctuations() -> Finding:
    """The remainder is r = (ŝ_B − k) − (q̄ − k), so that ‖r‖² is at most twice the sum of the
    squares, each of order 1/(m h^(d + 2)) by Lemma 11 and (20) without its mean.
    """
    score, mean, k = sympy.symbols("s q k", real=True)
    squares = 2 * (score - k) ** 2 + 2 * (mean - k) ** 2
    n, m, total, square = sympy.symbols("n m S K", positive=True)
    moment = (n - m) / (m * n * (n - 1)) * total + (1 - (n - m) / (m * (n - 1))) * square
    variance = (n - m) / (m * (n - 1)) * (total / n - square)
    return all_of(entails([], (score - mean) ** 2 <= squares), equal(moment - square, variance))


@published(
    Source(MODES, "Proposition A.2", "the proof"),
    rests_on=(estimated_score_points_inward, remainder_is_two_fluctuations),
)
@proved(
    argued=(
        "E‖x_(t+1) − μ‖² is expanded, with a centred minibatch and noise, on the event of staying",
        "Young's inequality for the remainder, and induction over the rounds",
    )
)
def stopped_recursion_contracts() -> Finding:
    """1 − 3αη/4 + αη/8 + αη/8 = 1 − αη/2: the drift of Lemma 13, Young's inequality for the
    remainder, and 6η²H² ≤ αη/8 for η ≤ α/(48(H² + 1)). A recursion D ← (1 − κη)D + ηR stays below
    (1 − κη)^T D₀ + R/κ.
    """
    alpha, eta, bend = sympy.symbols("a e H", positive=True)
    kappa, rest, before, start, power = sympy.symbols("k R D s P", positive=True)
    step = entails([48 * eta * (bend**2 + 1) <= alpha], 6 * eta**2 * bend**2 <= alpha * eta / 8)
    total = 1 - 3 * alpha * eta / 4 + alpha * eta / 8 + alpha * eta / 8
    induction = entails(
        [eta * kappa <= 1, before <= power * start + rest / kappa],
        (1 - kappa * eta) * before + eta * rest <= (1 - kappa * eta) * power * start + rest / kappa,
    )
    return all_of(step, equal(total, 1 - alpha * eta / 2), induction)


@published(Source(MODES, "Proposition A.3", "the proof"), rests_on=(drift_points_inward,))
@proved(
    argued=(
        "the perturbations are as small as Lemma 16 says, but for a probability of 2T(eTn)^(−6)",
        "B ≥ αr/2, from ‖∇ ln p‖ ≥ αr/2 at the boundary, and induction over the rounds",
    )
)
def bounded_perturbations_keep_the_path_in_the_basin() -> Finding:
    """If ⟨δ, s⟩ ≤ −(α/2)δ², ‖s‖ ≤ L < B, the perturbation is at most min{B, αr/4}, and η ≤
    αr²/(8B²), then ‖δ + η(s + e)‖² ≤ (1 − ηα)δ² + ηαrδ/2 + ηαr²/2 ≤ r² for δ ≤ r: with B ≥ αr/2,
    which L gives at the boundary, ηα ≤ 1/2.
    """
    delta, r, alpha, eta, bound = sympy.symbols("d r a e B", positive=True)
    drift, error, norm = sympy.symbols("t x s", real=True)
    small = entails(
        [8 * eta * bound**2 <= alpha * r**2, 2 * bound >= alpha * r], 2 * eta * alpha <= 1
    )
    pushed = eta * alpha * r * (delta + r) / 2
    next_square = delta**2 * (1 - eta * alpha) + pushed
    stays = entails([delta <= r, 2 * eta * alpha <= 1], next_square <= r**2)
    cross = entails(
        [drift <= -alpha / 2 * delta**2, 4 * error <= alpha * r],
        2 * eta * (drift + error * delta) <= -eta * alpha * delta**2 + eta * alpha * r * delta / 2,
    )
    square = entails(
        [norm >= 0, error >= 0, norm <= bound, error <= bound, 8 * eta * bound**2 <= alpha * r**2],
        eta * (norm + error) ** 2 <= alpha * r**2 / 2,
    )
    return all_of(small, stays, cross, square)
