"""What (ε, δ)-privacy means for laws: post-processing, supports, groups, bounded range."""

from hypothesis import strategies as st

from provedp.theory import privacy
from provedp.theory.matrices import identity
from provedp.theory.numbers import Field
from provedp.verify.claims.counting.instances import generators
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import DONG, DWORK_ROTH, MCSHERRY

hockey_stick: Formula = privacy.hockey_stick  # it reads lists of numbers too
PAIRS = generators.distributions(2, 5)


@ours(Source(DWORK_ROTH, "Proposition 2.1"))
@machine_checked("privacy.post_processing", "privacy.post_processing_keeps_guarantees")
@proved(
    argued=(
        "induction on the outcomes that one output collects",
        "Σ_j Σ_i x_i⁺ K_ij = Σ_i x_i⁺: finite sums may be exchanged",
    )
)
def post_processing_keeps_guarantees() -> Finding:
    """Whatever is computed from a private release is as private: E_k(pK ‖ qK) ≤ E_k(p ‖ q) for
    every stochastic K. With x_i = p_i − k q_i, output j collects (Σ_i x_i K_ij)⁺ ≤ Σ_i x_i⁺ K_ij,
    because (x + y)⁺ ≤ x⁺ + y⁺ and (c x)⁺ = c x⁺ for c ≥ 0, and the rows of K sum to one.
    """
    x, y, c = sympy.symbols("x y c", real=True)
    plus = sympy.Max
    return all_of(
        entails([], plus(x + y, 0) <= plus(x, 0) + plus(y, 0)),
        entails([c >= 0], sympy.Eq(plus(c * x, 0), c * plus(x, 0))),
    )


@ours(Source(DWORK_ROTH, "Proposition 2.1"), formula=privacy.hockey_stick)
@certified(pair=PAIRS, k=generators.ratios(), kernel=generators.mechanisms(5, 5))
def post_processing_does_not_increase_the_divergence(
    divergence: Formula, pair: Any, k: Q, kernel: Any
) -> Finding:
    """E_k(pK ‖ qK) ≤ E_k(p ‖ q) for stochastic K, with equality when K is the identity: the sum of
    the positive parts of p_i − k q_i.
    """
    p, q = pair
    table = matrix(kernel[: len(p)])
    images = product(matrix([p, q]), table)
    whole = sum((max(a - k * b, Q(0)) for a, b in zip(p, q, strict=True)), start=Q(0))
    same = product(matrix([p, q]), matrix(identity(len(p), Field.RATIONAL)))
    return all_of(
        at_most(divergence(images[0], images[1], k), whole), equal(divergence(*same, k), whole)
    )


@ours(Source(None, "the definition of pure privacy"))
@machine_checked("laws.equal_supports_are_necessary")
@proved(argued=())
def equal_supports_are_necessary() -> Finding:
    """An outcome that is possible under p and impossible under q costs its probability at every ε:
    p_j − k q_j = p_j > 0, so no ε gives δ = 0.
    """
    p, k = sympy.symbols("p k", real=True)
    return entails([p > 0, k >= 1], sympy.Max(p - k * 0, 0) >= p)


@ours(Source(None, "the definition of pure privacy"), formula=privacy.hockey_stick)
@machine_checked("laws.equal_supports_are_not_sufficient")
@proved(argued=())
def equal_supports_are_not_sufficient(divergence: Formula) -> Finding:
    """For every ε there are laws with the same support that are not (ε, 0)-private: (1/2, 1/2)
    against (1/(4k), 1 − 1/(4k)) has E_k = 1/4.
    """
    k = 1 + sympy.Symbol("s", nonnegative=True)
    half, rare = sympy.Rational(1, 2), 1 / (4 * k)
    found = divergence([half, half], [rare, 1 - rare], k)
    return equal(found, sympy.Rational(1, 4))


@ours(Source(None, "noise whose support moves with the data"), formula=privacy.support_loss_delta)
@proved(argued=("the event of all outputs that are impossible after the shift gains 1 − a",))
def moving_support_rules_out_pure_privacy(profile: Formula) -> Finding:
    """Noise that is one-sided (exponential, geometric, or Wishart on a matrix) has δ ≥ 1 − a > 0 at
    every ε, a the chance that the shifted law could have produced the output: the rest of the
    outputs is impossible after the shift.
    """
    t = sympy.Symbol("t", positive=True)
    k = 1 + sympy.Symbol("s", nonnegative=True)
    kept = 1 / (1 + t)  # any number in (0, 1)
    return all_of(equal(profile(k, kept), 1 - kept), less(0, profile(k, kept)))


@ours(Source(None, "noise whose support moves with the data"), formula=privacy.support_loss_delta)
@certified(decay=(Q(1, 10), Q(1, 2), Q(9, 10)), k=(Q(1), Q(2), Q(50)))
def one_sided_geometric_noise_loses_its_support(profile: Formula, decay: Q, k: Q) -> Finding:
    """One-sided geometric noise, p_x = (1 − r) r^x, against its shift by one: over the first n
    outcomes and the rest as one, E_k both ways is what the closed form says, for every n tried.
    """
    findings = []
    for count in (3, 10, 30):
        p = [(1 - decay) * decay**x for x in range(count)] + [decay**count]
        q = [Q(0)] + [(1 - decay) * decay**x for x in range(count - 1)] + [decay ** (count - 1)]
        findings += [
            equal(hockey_stick(p, q, k), profile(k, decay, "from")),
            equal(hockey_stick(q, p, k), profile(k, decay, "onto")),
        ]
    return all_of(*findings)


@ours(Source(DWORK_ROTH, "Theorem 2.2", "with the exact δ"))
@machine_checked("guarantees.guarantees_extend_to_groups")
@proved(argued=("induction on the size of the group",))
def guarantees_extend_to_groups() -> Finding:
    """A (ln k, δ)-private release is (g ln k, δ (k^g − 1)/(k − 1))-private for groups of every
    size g (g δ at k = 1). One step more takes p(U) ≤ k r(U) + δ and r(U) ≤ K s(U) + D, with K =
    k^g, to p(U) ≤ kK s(U) + kD + δ, and with D = δ (K − 1)/(k − 1) that is δ (kK − 1)/(k − 1),
    whatever K.
    """
    p, r, s, k, slack, power, tail = sympy.symbols("p r s k delta K D", real=True)
    step = entails(
        [k >= 1, p <= k * r + slack, r <= power * s + tail], p <= k * power * s + k * tail + slack
    )
    closed = slack * (power - 1) / (k - 1)
    size = sympy.Symbol("g", integer=True, positive=True)
    return all_of(
        step,
        equal(k * closed + slack, closed.subs(power, k * power)),
        equal(closed.subs(power, k), slack),
        equal(1 * (size * slack) + slack, (size + 1) * slack),
    )


@ours(Source(DWORK_ROTH, "Theorem 2.2", "with the exact δ"), formula=privacy.group_delta)
@machine_checked("guarantees.group_delta_is_the_closed_form")
@certified(size=range(1, 12), k=(Q(1), Q(11, 10), Q(3)), delta=(Q(0), Q(1, 100), Q(1, 7)))
def group_delta_is_the_closed_form(group_delta: Formula, size: int, k: Q, delta: Q) -> Finding:
    """The sum that gives a group's δ is δ (k^g − 1)/(k − 1), and g δ at k = 1."""
    factor = Q(size) if k == 1 else (k**size - 1) / (k - 1)
    return equal(group_delta(k, delta, size), delta * factor)


def _group_delta_is_attained(group_delta: Formula, size: int, k: Q, slack: Q) -> Finding:
    """Find whether a mechanism with two outcomes attains the δ of the whole group."""
    step = slack / (2 * size * k**size)  # so small that the other outcome costs no more
    chances = [Q(0)]
    for _ in range(size - 1):
        chances.append(k * chances[-1] + step)
    rows = [[chance, 1 - chance] for chance in reversed(chances)]
    return all_of(
        equal(privacy.path_delta(matrix(rows), k), step),
        equal(hockey_stick(rows[0], rows[-1], k ** (size - 1)), group_delta(k, step, size - 1)),
    )


@ours(
    Source(DWORK_ROTH, "Theorem 2.2", "with the exact δ"),
    formula=privacy.group_delta,
)
@certified(mechanism=generators.mechanisms(3, 5), k=generators.ratios())
def group_privacy_holds_for_rows_apart(group_delta: Formula, mechanism: Any, k: Q) -> Finding:
    """Rows of a mechanism that are g counts apart have E at k^g of at most the group's δ; and its
    first and last row attain it where an outcome has p_i = k p_(i+1) + δ, down to 0.
    """
    slack = rational(privacy.path_delta(matrix(mechanism), k))
    assume(slack < 1)
    return all_of(
        _group_delta_is_attained(group_delta, len(mechanism), k, slack),
        *(
            at_most(
                hockey_stick(mechanism[a], mechanism[b], k ** (b - a)),
                group_delta(k, slack, b - a),
            )
            for a in range(len(mechanism))
            for b in range(a + 1, len(mechanism))
        ),
    )


@ours(Source(MCSHERRY, "the exponential mechanism"), Source(DONG, "bounded range"))
@machine_checked("laws.exponential_mechanism_has_bounded_range")
@proved(argued=("a sum of weights that change by factors in [1/r, r] does so too",))
def exponential_mechanism_has_bounded_range() -> Finding:
    """With weights r^u and utilities that change by at most one, the likelihood ratio of any
    outcome is in [1/r², r²], and the ratios of two outcomes differ by a factor r² at most. So
    weights e^(εu/2) give ε-privacy and ε-bounded range. With a, b ∈ [1/r, r] the factors of two
    outcomes and N/N′ ∈ [1/r, r] that of the sums, the ratios are a N/N′ and b N/N′.
    """
    r, a, b, n = sympy.symbols("r a b n", real=True)
    inside = [r >= 1]
    for factor in (a, b, n):
        inside += [factor * r >= 1, factor <= r]
    return all_of(
        entails(inside, sympy.And(a * n <= r**2, a * n * r**2 >= 1)),
        entails(inside, a * n <= r**2 * (b * n)),
    )


@ours(Source(MCSHERRY, "the exponential mechanism"), Source(DONG, "bounded range"))
@certified(
    utilities=st.lists(st.tuples(st.integers(-4, 4), st.integers(-1, 1)), min_size=2, max_size=6),
    r=st.sampled_from([Q(11, 10), Q(3, 2), Q(3)]),
)
def exponential_mechanism_is_private_on_finite_sets(utilities: Any, r: Q) -> Finding:
    """For integer utilities that change by at most one, the laws with weights r^u have E = 0 at
    r² both ways, and no two of their likelihood ratios differ by more than a factor r².
    """
    laws = []
    for changed in (0, 1):
        weights = [r ** (u + changed * step) for u, step in utilities]
        laws.append([weight / sum(weights) for weight in weights])
    p, q = laws
    ratios = [a / b for a, b in zip(p, q, strict=True)]
    return all_of(
        equal(hockey_stick(p, q, r**2), 0),
        equal(hockey_stick(q, p, r**2), 0),
        at_most(max(ratios), r**2 * min(ratios)),
    )
