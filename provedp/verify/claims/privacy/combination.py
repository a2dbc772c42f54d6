"""Composition and subsampling: what several releases, or one about a sample, cost."""

import itertools
from math import prod

from provedp.theory import privacy
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import BALLE_BARTHE, DWORK_ROTH, KAIROUZ

hockey_stick: Formula = privacy.hockey_stick  # it reads lists of numbers too
PAIRS = generators.distributions(2, 4)


@ours(Source(DWORK_ROTH, "Theorem 3.16"))
@machine_checked("guarantees.guarantees_compose")
@proved(
    argued=(
        "sums, or integrals, over the first release",
        "Σ (p − k₁ q)⁺ ≤ δ₁ is the first guarantee, for all events at once",
    )
)
def guarantees_compose() -> Finding:
    """Two releases, (ln k₁, δ₁) and then (ln k₂, δ₂), are (ln k₁k₂, δ₁ + δ₂)-private together.
    For an event U and its sections U_x, p′(U_x) ≤ min(1, k₂ q′(U_x)) + δ₂; the function f =
    min(1, k₂ q′) has values in [0, 1], so Σ p f ≤ k₁ Σ q f + Σ (p − k₁ q)⁺ ≤ k₁ Σ q f + δ₁; and f
    ≤ k₂ q′.
    """
    a, b, f, p, q, k, slack = sympy.symbols("a b f p q k delta", real=True)
    section = entails([a <= 1, a <= k * b + slack, slack >= 0], a <= sympy.Min(1, k * b) + slack)
    weighted = entails([f >= 0, f <= 1], (p - k * q) * f <= sympy.Max(p - k * q, 0))
    return all_of(section, weighted, entails([], sympy.Min(1, k * b) <= k * b))


@ours(Source(DWORK_ROTH, "Theorem 3.16"), formula=privacy.composition_delta)
@certified(first=PAIRS, second=PAIRS, k=generators.ratios(), other=generators.ratios())
def basic_composition_holds_for_products(
    total: Formula, first: Any, second: Any, k: Q, other: Q
) -> Finding:
    """E at k₁k₂ of two products of laws is at most the sum of E at k₁ and E at k₂."""
    products = [[a * b for a in first[side] for b in second[side]] for side in (0, 1)]
    spent = [hockey_stick(*first, k), hockey_stick(*second, other)]
    return all_of(
        at_most(hockey_stick(*products, k * other), sum(spent)),
        equal(total(2, sum(spent) / 2, Q(0)), sum(spent)),
    )


def _responses(k: Q, delta: Q) -> tuple[list[Q], list[Q]]:
    """Return the hardest pair of laws: revealed with probability δ, else randomised response."""
    truth = (1 - delta) * k / (k + 1)
    lie = (1 - delta) / (k + 1)
    return [delta, truth, lie, Q(0)], [Q(0), lie, truth, delta]


@ours(Source(KAIROUZ, "Theorem 3.3"), formula=privacy.optimal_composition_delta)
@certified(
    rounds=(1, 2, 4), k=(Q(11, 10), Q(3, 2)), delta=(Q(0), Q(1, 20)), total=(Q(1), Q(6, 5), Q(3))
)
def optimal_composition_is_attained(
    composed: Formula, rounds: int, k: Q, delta: Q, total: Q
) -> Finding:
    """T rounds of the hardest pair, outcome by outcome, have exactly the δ of optimal
    composition.
    """
    pair = _responses(k, delta)
    laws = [
        [
            prod(law[outcome] for outcome in outcomes)
            for outcomes in itertools.product(range(4), repeat=rounds)
        ]
        for law in pair
    ]
    return equal(composed(rounds, k, delta, total), hockey_stick(*laws, total))


def half_of_it(rounds: int, epsilon: arb, slack: arb) -> arb:
    """Return ε_T/2."""
    return ball(privacy.advanced_composition_epsilon(rounds, epsilon, slack) / 2)


@ours(
    Source(DWORK_ROTH, "Theorem 3.20"),
    formula=privacy.advanced_composition_epsilon,
    mutants=(half_of_it,),
)
@certified(
    bits=128,
    k=(Q(21, 20), Q(11, 10), Q(3, 2)),
    rounds=(1, 10, 100),
    slack=(Q(1, 1000), Q(1, 10**6)),
)
def advanced_composition_holds_for_randomised_response(
    advanced: Formula, k: Q, rounds: int, slack: Q
) -> Finding:
    """T releases with ratio k are (ε_T, δ′)-private, ε_T = ε √(2T ln(1/δ′)) + T ε (e^ε − 1): for
    randomised response, the hardest case at δ = 0, the exact δ of T = 1, 10, 100 rounds at ε_T is
    at most δ′.
    """
    level, each = advanced(rounds, ball(k).log(), ball(slack)), ball(k).log()
    positive = less(0, level)
    if not positive.holds:
        return positive
    exact = privacy.optimal_composition_delta(rounds, ball(k), arb(0), level.exp())
    linear = rounds * each * ball(k - 1)
    return all_of(
        at_most(exact, ball(slack)),
        close((level - linear) ** 2, -2 * rounds * each**2 * ball(slack).log(), tolerance=1e-30),
    )


@ours(Source(BALLE_BARTHE, "Theorem 9"), formula=privacy.subsampled_ratio)
@machine_checked("guarantees.subsampling_amplifies")
@proved(argued=("sums, or integrals, over the outcomes", "E_k is the sum of the positive parts"))
def subsampling_amplifies(ratio: Formula) -> Finding:
    """A (ln k, δ)-private release about a sample that holds the changed record with probability q
    is (ln(1 + q(k − 1)), q δ)-private about the whole. Let r be its law when the record is not in
    the sample, p and p′ when it is, before and after. With κ = 1 + q(k − 1) and β = κ/k, (1 − q)
    r + q p − κ((1 − q) r + q p′) = q (p − k((1 − β) r + β p′)), outcome by outcome; and the
    positive part of the right side is at most q((1 − β)(p − k r)⁺ + β (p − k p′)⁺), whose sums
    are at most q δ, for replace-one neighbours p, r and p, p′.
    """
    q, k, r, p, changed = sympy.symbols("q k r p p1", positive=True)
    kappa = ratio(k, q)
    beta = kappa / k
    left = (1 - q) * r + q * p - kappa * ((1 - q) * r + q * changed)
    right = q * (p - k * ((1 - beta) * r + beta * changed))
    x, y, b = sympy.symbols("x y b", real=True)
    convex = sympy.Max((1 - b) * x + b * y, 0) <= (1 - b) * sympy.Max(x, 0) + b * sympy.Max(y, 0)
    # So β = κ/k is in [0, 1].
    return all_of(
        equal(left, right),
        entails([b >= 0, b <= 1], convex),
        entails([k >= 1, q <= 1], sympy.And(kappa <= k, kappa >= 1)),
    )


@ours(Source(BALLE_BARTHE, "Theorem 9"), formula=privacy.subsampled_ratio)
@certified(
    laws=generators.mechanisms(3, 3),
    k=generators.ratios(),
    rate=generators.rates(),
)
def subsampling_amplifies_finite_laws(ratio: Formula, laws: Any, k: Q, rate: Q) -> Finding:
    """For laws r, p, p′ that are pairwise (ln k, δ)-close, E at 1 + q(k − 1) of the mixtures with
    r is at most q δ, 1 + q(k − 1) being in [1, k]; without a sample (q = 1) nothing changes.
    """
    r, p, changed = laws
    within = at_most([Q(1), ratio(k, rate)], [ratio(k, rate), k])
    if not within.holds:
        return within
    slack = max(hockey_stick(a, b, k) for a in laws for b in laws if a is not b)
    first, second = (
        [(1 - rate) * a + rate * b for a, b in zip(r, law, strict=True)] for law in (p, changed)
    )
    return all_of(
        within,
        at_most(hockey_stick(first, second, ratio(k, rate)), rate * slack),
        equal(ratio(k, Q(1)), k),
    )
