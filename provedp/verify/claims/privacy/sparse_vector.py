"""The sparse vector technique: the variant that is private, and those that are not.

Queries change by at most 1 each; 'below' and 'above' are the answers. The names are those of Lyu,
Su and Li, Understanding the Sparse Vector Technique for Differential Privacy (2017), who collected
the variants; b is the scale of the noise on the threshold and b′ that on each query.
"""

from math import gcd, lcm

from hypothesis import strategies as st

from provedp.theory import privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy.selection import laplace_tail, laplace_tail_falls_no_faster
from provedp.verify.claims.references import LYU

EPSILONS = (Q(1, 2), Q(1), Q(3))
probability: Formula = privacy.sparse_vector_probability  # it reads lists of numbers too

Scales = tuple[Number, Number]


def laplace_density_falls_no_faster() -> Finding:
    """Find whether the density at t + Δ is at least e^(−Δ/b) times that at t, for Laplace noise."""
    x, d = sympy.symbols("x d", positive=True)
    return entails([d <= 1], d * sympy.Min(x, 1 / x) <= sympy.Min(d * x, 1 / (d * x)))


@ours(Source(LYU, "Algorithm 1"), formula=privacy.sparse_vector_epsilon)
@proved(
    argued=(
        "given the noise on the threshold the probabilities of the answers multiply",
        "an integral over that noise",
    )
)
def sparse_vector_is_private(epsilon: Formula) -> Finding:
    """With Laplace noise of scale b on the threshold and b′ on the queries, the answers up to the
    c-th 'above' are (1/b + 2c/b′)-private, whatever the queries and however many they are. In the
    integral over the noise z on the threshold, z is put for z + 1: its density changes by the
    factor e^(1/b) at most; q + x < T + z implies q′ + x < T + z + 1, so that no 'below' becomes
    rarer; and the noise needed for an 'above' rises by 2 at most, which costs e^(2/b′) each time.
    """
    q, changed, noise, z, bound = sympy.symbols("q q1 noise z T", real=True)
    close_by = [q - changed <= 1, changed - q <= 1]
    b, other = sympy.symbols("b b1", positive=True)
    c = sympy.Symbol("c", integer=True, positive=True)
    return all_of(
        laplace_density_falls_no_faster(),
        laplace_tail_falls_no_faster(),
        entails([*close_by, q + noise < bound + z], changed + noise < bound + z + 1),
        entails(close_by, (bound + z + 1 - changed) - (bound + z - q) <= 2),
        equal(epsilon(b, other, c), 1 / b + c * (2 / other)),
    )


def _rates(scales: Scales) -> tuple[int, int, Q]:
    """Return integers a and s and a unit u with 1/b = a u and 1/b′ = s u."""
    rates = [1 / rational(scale) for scale in scales]
    whole = lcm(*(rate.denominator for rate in rates))
    parts = [int(rate * whole) for rate in rates]
    unit = gcd(*parts)
    return parts[0] // unit, parts[1] // unit, Q(unit, whole)


def loss(scales: Scales, first: dict[str, list[Q]], second: dict[str, list[Q]]) -> arb:
    """Return the logarithm of the ratio of the probabilities of the same answers."""
    a, s, unit = _rates(scales)
    one, other = (
        probability(a, s, **{side: [unit * q for q in queries] for side, queries in data.items()})
        for data in (first, second)
    )
    return ball(one / other).log()


def hard_pair(below: int, above: int) -> tuple[dict[str, list[Q]], dict[str, list[Q]]]:
    """Return queries at the threshold, and then those to be below rise and the others fall."""
    return (
        {"below": [Q(0)] * below, "above": [Q(0)] * above},
        {"below": [Q(1)] * below, "above": [Q(-1)] * above},
    )


QUERIES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-1, 1)), min_size=1, max_size=7)


def half_of_it(threshold_scale: Q, query_scale: Q, cutoff: int) -> Q:
    """Return ε/2."""
    return rational(privacy.sparse_vector_epsilon(threshold_scale, query_scale, cutoff) / 2)


@ours(
    Source(LYU, "Algorithm 1"),
    formula=privacy.sparse_vector_epsilon,
    mutants=(half_of_it,),
)
@certified(
    bits=128,
    queries=QUERIES,
    last=st.booleans(),
    scales=st.sampled_from([(Q(2), Q(4)), (Q(4), Q(4, 3)), (Q(1), Q(3))]),
)
def sparse_vector_is_private_for_these_queries(
    epsilon: Formula, queries: Any, last: bool, scales: Scales
) -> Finding:
    """For integer queries that change by at most one, no sequence of 'below' with one 'above' or
    none at the end becomes likelier by more than the factor e^(1/b + 2/b′).
    """
    data: list[dict[str, list[Q]]] = []
    for changed in (0, 1):
        values = [Q(q + changed * step) for q, step in queries]
        data.append({"below": values[:-1], "above": values[-1:]} if last else {"below": values})
    data = [{side: part for side, part in each.items() if part} for each in data]
    bound = epsilon(*scales, 1)
    return all_of(
        at_most(loss(scales, *data), ball(bound)), equal(bound, 1 / scales[0] + 2 / scales[1])
    )


@ours(Source(LYU, "Algorithm 1"), Source(LYU, "Algorithm 4"), formula=privacy.sparse_vector_epsilon)
@certified(bits=128, cutoff=(1, 2, 3), scales=((Q(2), Q(4)), (Q(4), Q(4, 3))))
def sparse_vector_reaches_its_epsilon(epsilon: Formula, cutoff: int, scales: Scales) -> Finding:
    """No ε below 1/b + 2c/b′ − 10⁻⁶ holds, here for c ≤ 3: for n queries at the threshold, 'below',
    that rise by one, and c 'above' that fall by one, the loss rises with n and is that close at
    n = 40. So Algorithm 4 (b = 4/ε, b′ = 4/(3ε) for every c) is (1 + 6c)ε/4-private and no better.
    """
    bound = ball(epsilon(*scales, cutoff))
    losses = [loss(scales, *hard_pair(size, cutoff)) for size in (1, 5, 40)]
    return all_of(
        less(losses[0], losses[1]),
        less(losses[1], losses[2]),
        less(bound - ball(Q(1, 10**6)), losses[2]),
        at_most(losses[2], bound),
    )


def _far_pieces(b: Any, other: Any, c: Any) -> Finding:
    """Find whether ∫ f (1 − F)^c from b′ ln n on is n^(−b′/b − c) times a constant.

    The factor F^n there is at least (1 − 1/(2n))^n ≥ 1/2, by induction on the exponent.
    """
    z, n, x, y, m = sympy.symbols("z n x y m", positive=True)
    power = other / b + c
    rate = 1 / b + c / other
    constant = 1 / (2 ** (c + 1) * b * rate)
    integrand = sympy.exp(-z / b) / (2 * b) * (sympy.exp(-z / other) / 2) ** c
    beyond = constant * sympy.exp(-z * rate)
    return all_of(
        equal(-sympy.diff(beyond, z), integrand),
        equal(beyond.subs(z, other * sympy.log(n)), constant * n ** (-power)),
        equal(1 - sympy.exp(-sympy.log(n)) / 2, 1 - 1 / (2 * n)),
        entails([x <= 1, y >= 1 - m * x], (1 - x) * y >= 1 - (m + 1) * x),
        base_case(equal(1 - n * (1 / (2 * n)), sympy.Rational(1, 2))),
    )


@ours(Source(LYU, "Algorithm 1"), Source(LYU, "Algorithm 4"), formula=privacy.sparse_vector_epsilon)
@proved(
    argued=(
        "integrands that are compared for every z compare the integrals",
        "B/A ≤ e^(−1/b − 2c/b′) + C n^p 2⁻ⁿ from the parts z ≥ 0 and z < 0",
    )
)
def sparse_vector_epsilon_is_least(epsilon: Formula) -> Finding:
    """No ε below 1/b + 2c/b′ holds for all queries. For n queries at the threshold, 'below', that
    rise by one, and c 'above' that fall by one, let A and B be the probabilities before and after,
    B with z + 1 for z. Where z ≥ 0 the integrand of B is e^(−1/b − 2c/b′) times that of A;
    elsewhere F ≤ 1/2, so that B has 2⁻ⁿ more at most; and A is at least n^(−p)/C, p = b′/b + c,
    from the noise beyond b′ ln n alone. So B/A ≤ e^(−1/b − 2c/b′) + C n^p 2⁻ⁿ, which tends to
    e^(−1/b − 2c/b′).
    """
    x, d, near, far = sympy.symbols("x d near far", positive=True)
    b, other, n, p = sympy.symbols("b b1 n p", positive=True)
    c = sympy.Symbol("c", integer=True, positive=True)
    tails = [x <= 1, d <= 1, laplace_tail(near, x), laplace_tail(far, d * x)]
    return all_of(
        entails(tails, sympy.Eq(far, d * near)),
        entails([x <= 1, d <= 1], sympy.Eq(sympy.Min(d * x, 1 / (d * x)), d * x)),
        entails([x <= 1], x / 2 <= sympy.Rational(1, 2)),
        _far_pieces(b, other, c),
        base_case(equal(sympy.limit(n**p * 2 ** (-n), n, sympy.oo), 0)),
        equal(epsilon(b, other, c), 1 / b + c * (2 / other)),
    )


def scales_of_algorithm_4(epsilon: Q, cutoff: int) -> Scales:
    """Return b and b′ of Lee and Clifton, whatever the cut-off."""
    return 4 / epsilon, 4 / (3 * epsilon)


@ours(Source(LYU, "Algorithm 4", "Lee and Clifton, 2014"), formula=scales_of_algorithm_4)
@refuted(bits=128, epsilon=Q(1), cutoff=1, size=8)
def sparse_vector_needs_no_more_noise_on_queries(
    scales: Formula, epsilon: Q, cutoff: int, size: int
) -> Finding:
    """Noise of scale b = 4/ε on the threshold and b′ = 4/(3ε) on the queries makes the answers up
    to the c-th 'above' ε-private: no loss on n queries 'below' and then c 'above' exceeds ε.
    """
    return at_most(loss(scales(epsilon, cutoff), *hard_pair(size, cutoff)), ball(epsilon))


def half_the_scales(epsilon: Q, cutoff: int) -> Scales:
    """Return half of b and b′."""
    return 1 / epsilon, 2 * cutoff / epsilon


@repairs(
    sparse_vector_needs_no_more_noise_on_queries,
    formula=privacy.sparse_vector_scales,
    mutants=(half_the_scales,),
)
@certified(epsilon=EPSILONS, cutoff=(1, 2, 5), size=(1, 8, 30))
def sparse_vector_with_scaled_noise_is_private(
    scales: Formula, epsilon: Q, cutoff: int, size: int
) -> Finding:
    """With b = 2/ε and b′ = 4c/ε none does (for all queries: `sparse_vector_is_private`)."""
    found = equal(list(scales(epsilon, cutoff)), [2 / epsilon, 4 * cutoff / epsilon])
    if not found.holds:
        return found
    return all_of(
        found, sparse_vector_needs_no_more_noise_on_queries(scales, epsilon, cutoff, size)
    )
