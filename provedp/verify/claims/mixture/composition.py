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


@published("mixture paper, Definition 1, eq. (4)", formula=privacy.hockey_stick)
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


@published("mixture paper, Lemma 3, first part of the proof", formula=mixture.class_means)
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
            findings += [equal(before[k], after[k]), equal(spreads[k], wider[k])]
    return all_of(*findings)


@published("mixture paper, Lemma 3; Theorem 1, eq. (9)", formula=mixture.composed_epsilon)
@proved()
def components_compose_under_a_flip(total: Formula) -> Finding:
    """With noise laws fixed in advance, (ε_k, δ/2) for each mean and (ε′_k, 0) for each covariance
    give 2 max_k (ε_k + ε′_k) and δ together: the releases of two classes compose, each of two
    parts, ε_s + ε′_s + ε_t + ε′_t ≤ 2 max and δ/2 + δ/2 = δ.
    """
    a, b, c, d, w, m, delta = sympy.symbols("a b c d w m delta", nonnegative=True)
    found = total(matrix([[a, b]])[0], matrix([[c, d]])[0], w)
    return all_of(
        guarantees_compose(),
        entails([], a + c + b + d + w <= found),
        entails([a + c <= m, b + d <= m], a + c + b + d <= 2 * m),
        equal(total(matrix([[a, a]])[0], matrix([[c, c]])[0], w), 2 * (a + c) + w),
        equal(delta / 2 + delta / 2, delta),
    )


@published("mixture paper, Lemma 4")
@proved()
def releases_compose_in_sequence() -> Finding:
    """(ε₁, δ) and then (ε₂, 0) are (ε₁ + ε₂, δ) together: basic composition with δ₂ = 0."""
    first, second, slack = sympy.symbols("epsilon_1 epsilon_2 delta", positive=True)
    return all_of(
        guarantees_compose(),
        equal(sympy.exp(first) * sympy.exp(second), sympy.exp(first + second)),
        equal(slack + 0, slack),
    )


@published("mixture paper, Theorem 1, eq. (9), (11)")
@refuted(bits=128, count=4, epsilon=Q(1), delta=DELTA)
def conditions_of_the_theorem_are_sufficient(count: int, epsilon: Q, delta: Q) -> Finding:
    """If (9)–(12) hold, the release is (ε, δ)-private.

    With |x| ≤ 1, count − 1 records at 1 and one at −1 that leaves, the covariance of the class
    falls to 0. For ε_k = ε′_k = ε/8, ε₀ = ε/2 and γ_k at its bound by (11), that part of the
    release alone has δ = 1 − e^(−γ_k tr E/2), at the whole ε as at any other.
    """
    share = epsilon / 8
    gamma = 2 * count * share / 3
    costs = (matrix([[share] * 2])[0], matrix([[mixture.covariance_epsilon(gamma, count)] * 2])[0])
    assume(bool(mixture.composed_epsilon(*costs, epsilon / 2) <= epsilon))
    points = matrix([[Q(1)]] * (count - 1) + [[Q(-1)]] + [[Q(1)]] * 3)
    data = LabelledData(points, (0,) * count + (1,) * 3, 2)
    assume((count - 1, 1) in mixture.admissible_flips(data))
    before, after = (
        mixture.class_covariances(d)[0][0, 0] for d in (data, data.flipped(count - 1, 1))
    )
    found = mixture.covariance_increase_delta(before - after, gamma, epsilon, "from")
    return at_most(found, ball(delta))


@repairs(conditions_of_the_theorem_are_sufficient)
@proved()
def fixed_parts_compose_to_the_theorem() -> Finding:
    """Let Γ_k, F and the mechanism for the covariances be chosen without the data, (10) and (12)
    hold for all admissible pairs of data, each mean be (ε_k, δ/2)-private (ε_k below the limit of
    Lemma 1) and each covariance (ε′_k, δ′)-private. Then the release is (ε, δ + 2δ′)-private with ε
    = ε₀ plus the two largest ε_k + ε′_k, at most (9): the weights, two means and two covariances
    change, and compose.
    """
    a, b, w, m, total = sympy.symbols("a b w m total", nonnegative=True)
    delta, extra = sympy.symbols("delta extra", nonnegative=True)
    parts = [w, a, b]
    return all_of(
        guarantees_compose(),
        entails([a <= m, b <= m, 2 * m + w <= total], sum(parts) <= total),
        equal(sympy.exp(w) * sympy.exp(a) * sympy.exp(b), sympy.exp(sum(parts))),
        equal(0 + 2 * (delta / 2 + extra), delta + 2 * extra),
    )
