"""Report noisy max and the exponential mechanism: what they cost, and what wrong ones cost."""

from provedp.theory import privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import DING, DWORK_ROTH, MCSHERRY

WIDTH = 1e-20  # of a comparison of balls at that precision
CUT = 80  # where an integral is cut: e^(−80) < 10⁻³⁴
NOISY_MAX = Source(DWORK_ROTH, "Claim 3.9", "report noisy max")
EXPONENTIAL = "McSherry and Talwar, Theorem 6"


def laplace_tail(value: Any, x: Any) -> Any:
    """Say that `value` is P(X > t) for Laplace noise, x = e^(−t/b)."""
    low = sympy.And(x <= 1, sympy.Eq(value, x / 2))
    return sympy.Or(low, sympy.And(x >= 1, sympy.Eq(value, 1 - 1 / (2 * x))))


def laplace_tail_falls_no_faster() -> Finding:
    """Find whether P(X > t) ≤ e^(Δ/b) P(X > t + Δ) for Laplace noise of scale b, d = e^(−Δ/b)."""
    x, d, near, far = sympy.symbols("x d near far", positive=True)
    return entails([d <= 1, laplace_tail(near, x), laplace_tail(far, d * x)], d * near <= far)


@ours(NOISY_MAX)
@proved(argued=("the maximum over j ≠ i, one score more at a time", "a mean over the other noises"))
def noisy_max_is_private() -> Finding:
    """The index of the largest of n scores with Laplace noise of scale 2Δ/ε is ε-private, whatever
    the scores, if each changes by at most Δ. Given the other noises, index i is named if its own
    noise exceeds r = max over j of (s_j + x_j) − s_i, which changes by at most 2Δ; and P(X > r) ≤
    e^(2Δ/b) P(X > r + 2Δ). The same holds for the least score.
    """
    a, b, c, d, gap = sympy.symbols("a b c d gap", real=True)
    near = [gap >= 0, a - b <= gap, b - a <= gap, c - d <= gap, d - c <= gap]
    larger, smaller = sympy.Max(a, c) - sympy.Max(b, d), sympy.Min(a, c) - sympy.Min(b, d)
    own, other, top, other_top = sympy.symbols("own other top other_top", real=True)
    inside = [own - other <= gap, other - own <= gap, top - other_top <= gap, gap >= 0]
    return all_of(
        entails(near, sympy.And(larger <= gap, smaller <= gap)),
        entails([*inside, other_top - top <= gap], (other_top - other) - (top - own) <= 2 * gap),
        laplace_tail_falls_no_faster(),
    )


def _piece(size: int, lead: arb, density: Any, below: Any, ends: tuple[Any, Any]) -> arb:
    """Integrate density times below^(n − 1), both analytic between the ends."""
    return acb.integral(lambda x, _: density(x) * below(x) ** (size - 1), *ends).real


def _by_integration(size: int, lead: arb) -> arb:
    """Return P(the leading score is named) from its integral over three pieces, cut far out."""
    s = -lead.log()
    low, high = (lambda x: x.exp() / 2), (lambda x: 1 - (-x).exp() / 2)
    rising, falling = (lambda x: (x - s).exp() / 2), (lambda x: (s - x).exp() / 2)
    pieces = [
        _piece(size, lead, rising, low, (-CUT, 0)),
        _piece(size, lead, rising, high, (0, s)),
        _piece(size, lead, falling, high, (s, s + CUT)),
    ]
    return sum(pieces, start=arb(0, 2 * (-arb(CUT)).exp()))


@ours(NOISY_MAX, formula=privacy.noisy_max_probability)
@certified(bits=128, size=(2, 3, 5, 9), lead=(Q(9, 10), Q(1, 2), Q(1, 20)))
def noisy_max_probability_is_the_integral(probability: Formula, size: int, lead: Q) -> Finding:
    """The closed form for the candidate that leads is ∫ f(x − s) F(x)^(n−1) dx."""
    found = probability(size, ball(lead))
    return close(found, _by_integration(size, ball(lead)), tolerance=WIDTH)


@ours(NOISY_MAX, formula=privacy.noisy_max_probability)
@certified(bits=128)
def noisy_max_on_five_scores(probability: Formula) -> Finding:
    """At ε = 1 the index of the largest of (1, 1, 1, 1, 1) is the first with probability 1/5, and
    of (2, 0, 0, 0, 0) with a probability that is larger by a factor e^0.77855… .
    """
    factor = 5 * probability(5, arb(-1).exp())
    low, high = ball(Q(778555, 10**6)).exp(), ball(Q(778557, 10**6)).exp()
    return all_of(less(low, factor), less(factor, high))


@ours(NOISY_MAX, formula=privacy.noisy_max_probability)
@proved(argued=("e^ε′ = c e^ε for some c < 1 if ε′ < ε",))
def noisy_max_reaches_its_epsilon(probability: Formula) -> Finding:
    """No ε′ < ε holds for two scores with noise of scale 2/ε: the second is named with probability
    e^(−t) (2 + t)/4 when the first leads by t scales; when it leads by ε more, that is rarer by the
    factor e^ε (2 + t)/(2 + t + ε), which exceeds c e^ε for any c < 1 once t is large.
    """
    t, level = sympy.symbols("t epsilon", positive=True)
    c = sympy.Symbol("c", positive=True)

    def second(lead: Any) -> Any:
        return 1 - probability(2, sympy.exp(-lead))

    return all_of(
        equal(second(t), sympy.exp(-t) * (2 + t) / 4),
        equal(second(t) * (2 + t + level), sympy.exp(level) * second(t + level) * (2 + t)),
        entails([c < 1, t * (1 - c) > c * level], 2 + t > c * (2 + t + level)),
    )


def scale_of_one_sensitivity(epsilon: Q) -> Q:
    """Return 1/ε."""
    return 1 / epsilon


@ours(
    Source(DWORK_ROTH, "Claim 3.9", "report noisy max, with noise of scale 1/ε"),
    formula=scale_of_one_sensitivity,
)
@refuted(bits=128, epsilon=Q(1))
def noisy_max_with_half_the_noise_is_private(scale: Formula, epsilon: Q) -> Finding:
    """Laplace noise of scale 1/ε on scores that change by at most 1, up or down, makes the index of
    the largest ε-private: the second of (1, 1) and then of (2, 0) is named with probabilities that
    differ by a factor e^ε at most.
    """
    lead = (-2 / ball(scale(epsilon))).exp()
    rare = 1 - privacy.noisy_max_probability(2, lead)
    return at_most(arb(1) / 2, ball(epsilon).exp() * rare)


def scale_of_two_sensitivities(epsilon: Q) -> Q:
    """Return 2/ε."""
    return 2 / epsilon


@repairs(
    noisy_max_with_half_the_noise_is_private,
    formula=scale_of_two_sensitivities,
    mutants=(scale_of_one_sensitivity,),
)
@certified(bits=128, epsilon=(Q(1, 10), Q(1), Q(3)))
def noisy_max_with_all_the_noise_is_private(scale: Formula, epsilon: Q) -> Finding:
    """With scale 2/ε they do; and when the first of two scores leads by t = 10⁹ scales and then by
    2 more, the loss 2/b + ln((2 + t)/(2 + t + 2/b)) (`noisy_max_reaches_its_epsilon`) is at most ε
    and above ε − 10⁻⁶.
    """
    found = scale(epsilon)
    positive = less(0, found)
    if not positive.holds:
        return positive
    change, far = 2 / ball(found), arb(10**9)
    cost = change + ((2 + far) / (2 + far + change)).log()
    return all_of(
        positive,
        noisy_max_with_half_the_noise_is_private(scale, epsilon),
        at_most(cost, ball(epsilon)),
        less(ball(epsilon) - ball(Q(1, 10**6)), cost),
    )


@ours(
    NOISY_MAX,
    formula=scale_of_one_sensitivity,
    mutants=(scale_of_two_sensitivities,),
    rests_on=(noisy_max_reaches_its_epsilon, noisy_max_is_private),
)
@proved(argued=())
def noisy_max_with_half_the_noise_costs_twice(scale: Formula) -> Finding:
    """With scale 1/ε the loss on two scores comes as close to 2ε as one likes, and is never more:
    scale 1/ε is scale 2/ε′ for ε′ = 2ε (`noisy_max_reaches_its_epsilon`, `noisy_max_is_private`).
    """
    epsilon = sympy.Symbol("epsilon", positive=True)
    return equal(2 / scale(epsilon), 2 * epsilon)


@ours(Source(DING, "noisy max with its value"), formula=privacy.noisy_max_below)
@refuted(bits=128, size=5, k=Q(3))
def noisy_max_may_show_its_value(below: Formula, size: int, k: Q) -> Finding:
    """Report noisy max may release the largest noisy score itself, with noise of scale 2/ε: the
    probability that it is below all of n equal scores changes by a factor k = e^ε at most when each
    of them changes by 1. (Here it is k^(n/2).)
    """
    lead = 1 / ball(k).sqrt()
    return at_most(below(size, arb(1)), ball(k) * below(size, lead))


@ours(Source(DING, "noisy max with its value"), formula=privacy.noisy_max_below)
@certified(size=range(1, 13), lead=(Q(1, 2), Q(1, 7)), step=(Q(1, 3), Q(9, 10)))
def noisy_max_value_costs_every_score(below: Formula, size: int, lead: Q, step: Q) -> Finding:
    """The largest of n noisy scores, n ≤ 12, costs nΔ/b, which is nε/2 at scale 2Δ/ε: a value below
    all scores becomes rarer by the factor e^(−nΔ/b), for every lead; and by
    `laplace_noise_is_private` the n scores together cost no more.
    """
    return equal(below(size, lead * step), step**size * Q(1, 2**size) * lead**size)


@repairs(
    noisy_max_may_show_its_value,
    formula=privacy.noisy_max_below,
    rests_on=("privacy.laplace_noise_is_private",),
)
@certified(bits=128, size=range(2, 13), k=(Q(3, 2), Q(3)))
def noisy_max_may_show_its_value_at_a_price(below: Formula, size: int, k: Q) -> Finding:
    """It may with noise of scale n/ε, by `laplace_noise_is_private` for the n scores together, and
    that is the least, here for n ≤ 12: the event that the value is below all of n equal scores
    changes its probability by the factor e^ε exactly, and by more with a scale smaller by 10⁻³.
    """
    lead = (-ball(k).log() / size).exp()
    shorter = (-ball(k).log() / size * ball(Q(1001, 1000))).exp()
    before = ball(Q(1, 2**size))
    return all_of(
        close(below(size, arb(1)), before, tolerance=WIDTH),
        close(below(size, lead), before / ball(k), tolerance=WIDTH),
        less(ball(k) * below(size, shorter), before),
    )


def without_the_half(size: int, weight: Q) -> Any:
    """Return the ratio for weights e^(εs), where `weight` is e^(ε/2)."""
    return privacy.exponential_selection_ratio(size, weight**2)


@ours(Source(MCSHERRY, "Theorem 6", "with weights e^(εs)"), formula=without_the_half)
@machine_checked("refutations.exponential_mechanism_needs_the_half")
@refuted(size=10, weight=Q(2))
def exponential_mechanism_needs_no_half(ratio: Formula, size: int, weight: Q) -> Finding:
    """The exponential mechanism with weights e^(εs) is ε-private for scores that change by at most
    1: when one of n equal scores rises and the others fall, its candidate becomes likelier by a
    factor e^ε at most.
    """
    return at_most(ratio(size, weight), weight**2)


@repairs(
    exponential_mechanism_needs_no_half,
    formula=privacy.exponential_selection_ratio,
    mutants=(without_the_half,),
)
@certified(size=(2, 3, 10, 1000), weight=(Q(11, 10), Q(2), Q(5)))
def exponential_mechanism_with_the_half_is_private(ratio: Formula, size: int, weight: Q) -> Finding:
    """With weights e^(εs/2) it does (for all scores: `exponential_mechanism_has_bounded_range`):
    the probability rises from 1/n to r/(r + (n − 1)/r), r = e^(ε/2).
    """
    risen = weight / (weight + (size - 1) / weight)
    return all_of(
        exponential_mechanism_needs_no_half(ratio, size, weight),
        equal(ratio(size, weight), size * risen),
    )


@ours(
    Source(MCSHERRY, "Theorem 6", "with weights r^s"), formula=privacy.exponential_selection_ratio
)
@machine_checked(
    "releases.exponential_mechanism_reaches_the_square",
    part="the ratio, and that it exceeds c r² for large n",
)
@proved(argued=())
def exponential_mechanism_reaches_the_square(ratio: Formula) -> Finding:
    """The ratio n r²/(r² + n − 1) falls short of r² by r²(r² − 1)/(r² + n − 1), and exceeds c r²
    for any c < 1 once n is large: with weights e^(εs) no ε′ < 2ε holds for all numbers of
    candidates.
    """
    n = 2 + sympy.Symbol("n", integer=True, nonnegative=True)
    r = 1 + sympy.Symbol("r", nonnegative=True)
    size, square, c = sympy.symbols("size square c", positive=True)
    large = [c < 1, square > 1, size * (1 - c) > c * (square - 1)]
    return all_of(
        equal(ratio(n, r), r**2 - r**2 * (r**2 - 1) / (r**2 + n - 1)),
        entails(large, size > c * (square + size - 1)),
    )


@ours(Source(None, "permute-and-flip under the budget of a bounded range", "ρ = ε²/8"))
@refuted(bits=128, k=Q(7))
def permute_and_flip_has_bounded_range(k: Q) -> Finding:
    """Permute-and-flip, which is ε-private, is ε²/8-zCDP like the exponential mechanism. For two
    candidates with scores (0, 0) and then (1, −1), at e^ε = k the second is chosen with probability
    1/2 and then 1/(2k), so that the Rényi divergence of order 2 is ln(k/2 + k/(2(2k − 1))).
    """
    laws = [[Q(1, 2), Q(1, 2)], [1 - 1 / (2 * k), 1 / (2 * k)]]
    divergence: Formula = privacy.renyi_divergence
    return at_most(divergence(*laws, 2), 2 * ball(k).log() ** 2 / 8)
