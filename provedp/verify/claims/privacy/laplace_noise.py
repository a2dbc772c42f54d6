"""Laplace noise: its exact cost, alone, in sums, drawn again, and with a scale that moves."""

from provedp.theory import counting, privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy.selection import laplace_tail_falls_no_faster
from provedp.verify.claims.privacy.sparse_vector import laplace_density_falls_no_faster
from provedp.verify.claims.references import DWORK_ROTH, GENG, MEASUREMENT

LAPLACE = Source(DWORK_ROTH, "Theorem 3.6", "Laplace noise")
GRID = tuple(Q(n, 12) for n in range(1, 40))


@ours(LAPLACE)
@proved(argued=("induction on the number of values", "densities integrate over an event"))
def laplace_noise_is_private() -> Finding:
    """Laplace noise of scale b on each of several values that move by Δ_1, …, Δ_n costs at most
    Σ Δ_i/b: the density at t + Δ is at least e^(−Δ/b) times that at t, and joint densities
    multiply.
    """
    p, q, r, s, d, other = sympy.symbols("p q r s d other", nonnegative=True)
    joint = entails([d * p <= q, other * r <= s], d * other * p * r <= q * s)
    return all_of(laplace_density_falls_no_faster(), joint)


def _at_most(end: Q, centre: Q) -> Q:
    """Return P(X ≤ t) for y = e^(t/b), and a law centred where that is `centre`."""
    ratio = end / centre
    return ratio / 2 if ratio <= 1 else 1 - 1 / (2 * ratio)


@ours(LAPLACE, formula=privacy.laplace_delta)
@certified(root=(Q(1), Q(6, 5), Q(2), Q(3)), decay=(Q(1, 4), Q(1, 2), Q(9, 10)))
def laplace_profile_is_the_largest_gap(profile: Formula, root: Q, decay: Q) -> Finding:
    """No half-line separates Laplace noise from its shift by more than the closed form, and the one
    that ends bε/2 below the middle does by as much (if that is between the centres; else 0). So the
    least ε is Δ/b: δ is 0 there, and positive at every smaller ε.
    """
    k, shifted = root**2, 1 / decay**2
    found = profile(root, decay)
    ends = [*GRID, 1 / (decay * root)]
    gaps = [_at_most(end, Q(1)) - k * _at_most(end, shifted) for end in ends]
    attained = gaps[-1] if root * decay <= 1 else Q(0)
    return all_of(
        *(at_most(gap, found) for gap in gaps),
        equal(found, attained),
        equal(profile(1 / decay, decay), 0),
        less(0, profile((1 + 1 / decay) / 2, decay)),
    )


@ours(Source(None, "sums of noisy values", "all of which change"), formula=privacy.noisy_max_below)
@refuted(size=10, k=Q(11, 10))
def noisy_prefix_sums_cost_one_value(below: Formula, size: int, k: Q) -> Finding:
    """The sums of the first 1, 2, …, n of n noisy values, the noise of scale 1/ε for values that
    change by at most 1, are ε-private also if all values change: that all noisy values are at most
    0 changes its probability by the factor k = e^ε at most.
    """
    return at_most(below(size, Q(1)), k * below(size, 1 / k))


@repairs(noisy_prefix_sums_cost_one_value, rests_on=(laplace_noise_is_private,))
@proved(argued=("the sums give the values back, one by one, and the values the sums",))
def noisy_prefix_sums_cost_every_value() -> Finding:
    """They cost nε, exactly, for every n: the sums are the values (the last is the difference S_n −
    S_(n−1)), and n values that change by 1 cost n/b (`laplace_noise_is_private`) and, all below,
    no less: each noise is below −v with probability u/2, u = e^(−v/b), and below −v − 1 with d u/2.
    """
    size = sympy.Symbol("n", integer=True, positive=True)
    u, d = sympy.symbols("u d", positive=True)
    before, value, after = sympy.symbols("S x T", real=True)
    return all_of(
        entails([sympy.Eq(after, before + value)], sympy.Eq(after - before, value)),
        equal((u * d / 2) ** size, d**size * (u / 2) ** size),
        laplace_density_falls_no_faster(),
    )


@ours(
    Source(None, "Laplace noise drawn again until it is inside"),
    formula=privacy.rejected_laplace_ratio,
)
@refuted(first=Q(1), second=Q(1, 2), width=Q(1, 8))
def rejection_costs_nothing(ratio: Formula, first: Q, second: Q, width: Q) -> Finding:
    """Laplace noise that is drawn again until the result is in [0, W] costs no more than without:
    the densities for values v ≤ v′ differ by the factor e^((v′ − v)/b) at most.
    """
    return at_most(ratio(first, second, width), first / second)


def rejected_density(value: Q, y: Q, width: Q) -> Q:
    """Return the density where e^(−x/b) = y, times b, for a value with e^(−v/b) = `value`."""
    return min(y / value, value / y) / (2 - value - width / value)


@ours(
    Source(None, "Laplace noise drawn again until it is inside"),
    formula=privacy.rejected_laplace_ratio,
)
@certified(first=(Q(1), Q(1, 2)), second=(Q(1), Q(1, 3), Q(1, 5)), width=(Q(1, 5), Q(1, 50)))
def rejection_costs_a_ratio_of_masses(ratio: Formula, first: Q, second: Q, width: Q) -> Finding:
    """The largest ratio of the densities at 25 points of the interval, in either order, is the
    closed form: it is attained at an end.
    """
    points = [width + (1 - width) * Q(step, 24) for step in range(25)]
    ratios = [
        rejected_density(a, y, width) / rejected_density(b, y, width)
        for y in points
        for a, b in ((first, second), (second, first))
    ]
    return equal(max(ratios), ratio(first, second, width))


@ours(
    Source(None, "Laplace noise drawn again until it is inside"),
    formula=privacy.rejected_laplace_ratio,
)
@certified(bits=128)
def rejection_on_ten_scales(ratio: Formula) -> Finding:
    """For values 0 and 1 in [0, 10] and scale 1 the loss is 1.48984… instead of 1: 1 plus the
    logarithm of (2 − e^(−1) − e^(−9))/(1 − e^(−10)).
    """
    found = ratio(ball(1), (-ball(1)).exp(), (-ball(10)).exp())
    low, high = ball(Q(148984, 10**5)).exp(), ball(Q(148985, 10**5)).exp()
    masses = (2 - (-ball(1)).exp() - (-ball(9)).exp()) / (1 - (-ball(10)).exp())
    near = less(abs(found - ball(1).exp() * masses), ball(Q(1, 10**30)))
    return all_of(less(low, found), less(found, high), near)


@repairs(rejection_costs_nothing)
@proved(argued=("densities integrate over the part of an event inside",))
def moving_to_the_nearest_end_costs_nothing() -> Finding:
    """Results outside that are moved to the nearest end cost no more than the noise: inside, the
    densities differ by the factor e^(Δ/b) at most, and so do the tails that gather at the ends.
    """
    return all_of(laplace_density_falls_no_faster(), laplace_tail_falls_no_faster())


@ours(Source(GENG, "Theorem 1"), formula=privacy.truncated_laplace_delta)
@proved(argued=("beyond R − Δ the other density is 0, elsewhere it is within e^(Δ/b)",))
def truncated_laplace_loses_an_end(delta: Formula) -> Finding:
    """Laplace noise that never exceeds R has the probability (e^(Δ/b) − 1)/(2(e^(R/b) − 1)) beyond
    R − Δ, for Δ ≤ R, where the noise for a value Δ lower never leads; elsewhere the densities
    differ by the factor e^(Δ/b) at most. The density is e^(−|x|/b) over twice its integral on
    either side.
    """
    x, more, farther = sympy.symbols("x more farther", positive=True)
    step = 1 + more  # e^(Δ/b)
    reach = step + farther  # e^(R/b)
    far = sympy.log(reach)
    side = sympy.integrate(sympy.exp(-x), (x, 0, far))
    end = sympy.integrate(sympy.exp(-x), (x, far - sympy.log(step), far)) / (2 * side)
    return all_of(equal(delta(step, reach), end), laplace_density_falls_no_faster())


def reach_by_tail_mass(k: Q, delta: Q, sensitivity: int) -> Any:
    """Return e^(R/b) for R = b ln(1/δ) + 1 and b = Δ/ln k."""
    return (ball(k).log() / sensitivity).exp() / ball(delta)


@ours(Source(MEASUREMENT, "PR 4333", "noise bounded by its tail"), formula=reach_by_tail_mass)
@refuted(bits=128, k=Q(7), delta=Q(1, 1000), sensitivity=10)
def bound_by_tail_mass_is_private(reach: Formula, k: Q, delta: Q, sensitivity: int) -> Finding:
    """Laplace noise of scale b = Δ/ε that never exceeds R = b ln(1/δ) + 1 is (ε, δ)-private, e^ε =
    k, for values at most Δ apart.
    """
    found = privacy.truncated_laplace_delta(ball(k), ball(reach(k, delta, sensitivity)))
    return at_most(found, ball(delta))


@repairs(bound_by_tail_mass_is_private, rests_on=(truncated_laplace_loses_an_end,))
@proved(argued=())
def bound_by_tail_mass_is_private_for_small_epsilon() -> Finding:
    """For e^ε ≤ 3 − 2δ it is, also with R = b ln(1/δ) alone: (k − 1)/(2 (1/δ − 1)) ≤ δ, and a
    longer R loses less.
    """
    k, delta = sympy.symbols("k delta", positive=True)
    reach, more = sympy.symbols("reach more", real=True)
    spent = (k - 1) / (2 * (1 / delta - 1))
    longer = entails(
        [k > 1, reach > 1, more >= reach], (k - 1) / (2 * (more - 1)) <= (k - 1) / (2 * (reach - 1))
    )
    return all_of(entails([delta < 1, k > 1, k <= 3 - 2 * delta], spent <= delta), longer)


def reach_of_geng(k: Q, delta: Q) -> Q:
    """Return 1 + (k − 1)/(2δ)."""
    return 1 + (k - 1) / (2 * delta)


@ours(Source(GENG, "Theorem 1"), formula=reach_of_geng)
@certified(k=(Q(3, 2), Q(3), Q(7)), delta=(Q(1, 1000), Q(1, 100)))
def bound_of_geng_is_exact(reach: Formula, k: Q, delta: Q) -> Finding:
    """R = b ln(1 + (e^ε − 1)/(2δ)), which is at least Δ for δ ≤ 1/2, gives δ exactly, whatever the
    sensitivity.
    """
    long = at_most(k, reach(k, delta))
    if not long.holds:
        return long
    return equal(privacy.truncated_laplace_delta(k, reach(k, delta)), delta)


@ours(Source(None, "noise whose scale depends on the data"))
@proved(argued=("x^a takes every value in (0, 1) for x in (0, 1)",))
def moving_scales_have_no_epsilon() -> Finding:
    """Laplace noise of scale b against scale b′ < b has no ε: beyond t, P(X > t) = e^(−t/b)/2, and
    with x = e^(−t/b), b/b′ = 1 + a, the ratio x/x^(1 + a) = x^(−a) exceeds any k once x is small.
    """
    x, a = sympy.symbols("x a", positive=True)
    k, y = sympy.symbols("k y", positive=True)
    return all_of(
        equal((x / 2) / (x ** (1 + a) / 2), x ** (-a)),
        # y stands for x^a, which takes every value in (0, 1).
        entails([y * k < 1], 1 / y > k),
    )


@ours(
    Source(None, "two-sided geometric noise moved to the nearest count"),
    formula=privacy.geometric_delta,
)
@certified(m=(2, 3, 6, 12), k=(Q(1), Q(2), Q(5, 2)), decay=(Q(1, 3), Q(1, 2)))
def truncated_geometric_has_the_profile_of_its_noise(
    profile: Formula, m: int, k: Q, decay: Q
) -> Finding:
    """Truncation to the counts 0, …, m − 1 changes no δ between neighbouring counts: it is that of
    the noise; at r = 1/3, 1/4 for e^ε = 2. The least e^ε is 1/r: δ is 0 there and not before.
    """
    matrix = counting.truncated_geometric_matrix(m, 1 / decay)
    return all_of(
        equal(privacy.path_delta(matrix, k), profile(k, decay, 1)),
        equal(profile(Q(2), Q(1, 3), 1), Q(1, 4)),
        equal(privacy.path_delta(matrix, 1 / decay), 0),
        less(0, privacy.path_delta(matrix, (1 + 1 / decay) / 2)),
    )
