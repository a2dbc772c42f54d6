"""Definition 1, Lemma 3, Lemma 4 and Theorem 1: how the parts of the release add up."""

from itertools import combinations

from provedp.theory import mixture, privacy
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy.combination import guarantees_compose

DELTA = Q(2, 10**5)  # δ in Section V-A
LAWS = [
    ([Q(1, 2), Q(1, 3), Q(1, 6)], [Q(1, 6), Q(1, 3), Q(1, 2)]),
    ([Q(1, 4)] * 4, [Q(1, 2), Q(0), Q(1, 8), Q(3, 8)]),
]


@published(
    Source(MIXTURE, "Definition 1"), Source(MIXTURE, "eq. (4)"), formula=privacy.hockey_stick
)
@certified(laws=LAWS, k=(Q(1), Q(3, 2), Q(2), Q(5)))
def definition_asks_for_a_divergence(
    divergence: Formula, laws: tuple[list[Q], list[Q]], k: Q
) -> Finding:
    """(4) for all sets H asks that max_H Pr(M(D) ∈ H) − e^ε Pr(M(D′) ∈ H) is at most δ, and that
    maximum over the 2ⁿ sets is the hockey-stick divergence.
    """
    p, q = laws
    places = range(len(p))
    events = [event for size in range(len(p) + 1) for event in combinations(places, size)]
    gaps = [sum((p[i] - k * q[i] for i in event), start=Q(0)) for event in events]
    return equal(divergence(matrix([p])[0], matrix([q])[0], k), max(gaps))


@published(Source(MIXTURE, "Lemma 3", "first part of the proof"), formula=mixture.class_means)
@certified(counts=[(4, 3, 3), (4, 4, 5), (3, 5, 4, 3)])
def flips_leave_other_classes_alone(means: Formula, counts: tuple[int, ...]) -> Finding:
    """A label flip changes the count, mean and covariance of its source and destination alone:
    those of all other classes are the same, so with noise laws fixed in advance their releases have
    the same law.
    """
    labels = tuple(k for k, count in enumerate(counts) for _ in range(count))
    points = matrix([[Q(n), Q(n * n)] for n in range(len(labels))])
    data = LabelledData(points, labels, len(counts))
    before, spreads = means(data), mixture.class_covariances(data)
    totals = matrix([data.members(k).sum(axis=0) for k in range(len(counts))])
    findings = [equal(list(before[k] * count), list(totals[k])) for k, count in enumerate(counts)]
    for record, label in mixture.admissible_flips(data):
        other = data.flipped(record, label)
        after, wider = means(other), mixture.class_covariances(other)
        for k in set(range(len(counts))) - {label, labels[record]}:
            findings += [
                equal(before[k], after[k]),
                equal(spreads[k], wider[k]),
                equal(data.counts[k], other.counts[k]),
            ]
    return all_of(*findings)


@published(
    Source(MIXTURE, "Lemma 3"),
    Source(MIXTURE, "Theorem 1"),
    Source(MIXTURE, "eq. (9)"),
    formula=mixture.composed_epsilon,
    rests_on=(guarantees_compose,),
)
@proved(
    argued=(
        "statistics of a class are sums over its own records, so a flip leaves those of the other "
        "K − 2 classes, and with fixed noise laws their releases, as they are",
        "the maximum over K classes is that over the dearest of the others and two more",
    )
)
def components_compose_under_a_flip(total: Formula) -> Finding:
    """With noise laws fixed in advance, (ε_k, δ/2) for each mean and (ε′_k, 0) for each covariance
    give 2 max_k (ε_k + ε′_k) and δ together: the releases of two classes compose, each of two
    parts, ε_s + ε′_s + ε_t + ε′_t ≤ 2 max. Equal costs attain it.
    """
    a, b, c, d, e, f, w = sympy.symbols("a b c d e f w", nonnegative=True)
    means, covariances = [a, b, c], [d, e, f]
    costs = [mean + covariance for mean, covariance in zip(means, covariances, strict=True)]
    found = total(matrix([means])[0], matrix([covariances])[0], w)
    return all_of(
        *(entails([], x + y + w <= found) for x, y in combinations(costs, 2)),
        equal(total(matrix([[a, a]])[0], matrix([[c, c]])[0], w), 2 * (a + c) + w),
    )


@published(Source(MIXTURE, "Lemma 4"), rests_on=(guarantees_compose,))
@proved(argued=("basic composition with δ₂ = 0",))
def releases_compose_in_sequence() -> Finding:
    """(ε₁, δ) and then (ε₂, 0) are (ε₁ + ε₂, δ) together: p(U) = Σ p f for the mass f of the
    sections of U, f ≤ e^{ε₂} f′ there, and Σ p f ≤ e^{ε₁} Σ q f + δ.
    """
    first, second = sympy.symbols("epsilon_1 epsilon_2", positive=True)
    whole, section, after, k, m, slack = sympy.symbols("p f r k m delta", nonnegative=True)
    # `section` is Σ q f and `after` Σ q f′.
    steps = [k >= 1, m >= 1, whole <= k * section + slack, section <= m * after]
    return all_of(
        equal(sympy.exp(first) * sympy.exp(second), sympy.exp(first + second)),
        entails(steps, whole <= k * m * after + slack),
    )


@published(
    Source(MIXTURE, "Theorem 1"),
    Source(MIXTURE, "eq. (9)"),
    Source(MIXTURE, "eq. (10)"),
    Source(MIXTURE, "eq. (11)"),
    Source(MIXTURE, "eq. (12)"),
    defect=Defect.FALSE,
)
@refuted(bits=128, count=4, epsilon=Q(1), delta=DELTA)
def conditions_of_the_theorem_are_sufficient(count: int, epsilon: Q, delta: Q) -> Finding:
    """If (9)–(12) hold, the release is (ε, δ)-private.

    With |x| ≤ 1, count − 1 records at 1 and one at −1 that leaves, the covariance of the class
    falls to 0. For ε_k = ε′_k = ε/8, ε₀ = ε/2 and γ by (11) for the least class, that part of the
    release alone has δ = 1 − e^(−γ tr E/2), at the whole ε as at any other, and what holds of all
    parts holds of one. One Γ meets (10) for both data sets, and weights drawn uniformly from S,
    whatever the data, meet (12).
    """
    share = epsilon / 8
    points = matrix([[Q(1)]] * (count - 1) + [[Q(-1)]] + [[Q(1)]] * 3)
    data = LabelledData(points, (0,) * count + (1,) * 3, 2)
    assume((count - 1, 1) in mixture.admissible_flips(data))
    both = (data, data.flipped(count - 1, 1))
    gamma = 2 * min(min(d.counts) for d in both) * share / 3
    charges = [max(mixture.covariance_epsilon(gamma, d.counts[k]) for d in both) for k in (0, 1)]
    composed = mixture.composed_epsilon(_row([share] * 2), _row(charges), epsilon / 2)
    assume(at_most(max(charges), share))  # (11), with N_k of either data set
    assume(at_most(composed, epsilon))
    budget = mixture.mean_budget(ball(share), ball(delta))
    precision = budget  # Γ: no mean moves by more than 1/2
    assume(all(precision * ball(move) ** 2 <= budget for d in both for move in _moves(d)))
    uniform = [arb(1) / mixture.histograms(data.size, 2)] * 2
    assume(uniform[0] <= ball(epsilon / 2).exp() * uniform[1])
    before, after = (mixture.class_covariances(d)[0][0, 0] for d in both)
    found = mixture.covariance_increase_delta(before - after, gamma, epsilon, "from")
    return at_most(found, ball(delta))


def _row(values: list[Any]) -> Matrix:
    row: Matrix = matrix([values])[0]
    return row


def _moves(data: LabelledData) -> list[Q]:
    """Return the displacements of the means by all admissible flips, for one feature."""
    return [step[0] for k in range(data.classes) for step in mixture.mean_displacements(data, k)]


@repairs(
    conditions_of_the_theorem_are_sufficient,
    rests_on=(
        guarantees_compose,
        components_compose_under_a_flip,
        "mixture.ratio_bound_in_one_matrix_is_privacy_of_the_weights",
    ),
)
@proved(
    argued=(
        "the weights, two means and two covariances change, nothing else: five releases compose",
        "δ/2 + δ/2 for two means and δ′ + δ′ for two covariances",
    )
)
def fixed_parts_compose_to_the_theorem() -> Finding:
    """Let Γ_k, F and the mechanism for the covariances be chosen without the data, (10) and (12)
    hold for all admissible pairs of data, each mean be (ε_k, δ/2)-private (ε_k below the limit of
    Lemma 1) and each covariance (ε′_k, δ′)-private. Then the release is (ε, δ + 2δ′)-private with ε
    = ε₀ plus the two largest ε_k + ε′_k, at most (9): the weights, two means and two covariances
    change, and compose.
    """
    a, b, c, w, m, total = sympy.symbols("a b c w m total", nonnegative=True)
    parts = [w, a, b]
    return all_of(
        # No two of the class costs, here a ≥ b ≥ c for all others, exceed the two largest.
        entails([a >= b, b >= c], sympy.And(a + c <= a + b, b + c <= a + b)),
        entails([a <= m, b <= m, 2 * m + w <= total], sum(parts) <= total),
        equal(sympy.exp(w) * sympy.exp(a) * sympy.exp(b), sympy.exp(sum(parts))),
    )
