"""Wishart noise of more degrees of freedom on scatter matrices: what repairs Lemma 2."""

from itertools import pairwise
from types import SimpleNamespace

from provedp.theory import mixture, privacy
from provedp.verify.claims.mixture.covariance_noise import (
    IRIS_CLASS,
    SEVEN,
    TOTAL_DELTA,
    by_class,
    feature_variances,
    published_condition_holds_for_iris,
    published_covariance_noise_is_pure,
    trace,
)
from provedp.verify.claims.mixture.instances.iris import exact_iris
from provedp.verify.claims.prelude import *


@ours(Source(None, "additive Wishart noise on the scatter of a class"))
@machine_checked("means.flip_moves_the_scatter_by_a_square")
@proved(argued=("‖x − m‖ ≤ 2B: m is a mean of records in the ball",))
def flip_moves_the_scatter_by_a_square() -> Finding:
    """A record that enters or leaves a class changes its scatter Σ (x − μ)(x − μ)ᵀ by
    ((N − 1)/N)(x − m)(x − m)ᵀ, N counting it and m the mean of the others: semidefinite, of rank
    one and, for ‖x‖ ≤ B, of norm below 4B², whatever N. Entry by entry, from sums and moments.
    """
    n, x, y, s, t, moment = sympy.symbols("N x y s t T", real=True)
    with_record = moment + x * y - (s + x) * (t + y) / n
    without = moment - s * t / (n - 1)
    step = (n - 1) / n * (x - s / (n - 1)) * (y - t / (n - 1))
    distance, bound = sympy.symbols("u B", positive=True)
    return all_of(
        equal(with_record - without, step),
        entails([distance <= 2 * bound, n >= 2], (n - 1) / n * distance**2 < 4 * bound**2),
    )


def one_degree_fewer(epsilon: Any, delta: Any, shift: Any, dimension: int) -> Any:
    """Return the least degrees of freedom minus one."""
    found = privacy.wishart_degrees(epsilon, delta, shift, dimension)
    return SimpleNamespace(value=found.value - 1)


@ours(
    Source(None, "additive Wishart noise on the scatter of a class"),
    formula=privacy.wishart_degrees,
    mutants=(one_degree_fewer,),
)
@certified(bits=128, dimension=(1, 2, 4), epsilon=(Q(1, 3), Q(1)), delta=(Q(1, 10**5), Q(1, 10**3)))
def scatter_noise_of_more_degrees_is_private(
    degrees: Formula, dimension: int, epsilon: Q, delta: Q
) -> Finding:
    """Noise s W_d(I, ν) on the scatter of a class, whose changes are squares of norm below 4B², is
    (ε, δ)-private with the least whole ν at c = 4B²/s, here 4: the exact divergences of changes of
    size c/400, c/4, 3c/4 and c are at most δ both ways and grow with the change, and ν − 1 misses
    δ.
    """
    free = degrees(epsilon, delta, Q(4), dimension).value  # s = B²
    whole = holds(free == int(free), "the degrees of freedom are whole")
    if not whole.holds:
        return whole
    shifts = (Q(1, 100), Q(1), Q(3), Q(4))
    found = [_scatter_delta(dimension, free, shift, epsilon) for shift in shifts]
    least = _scatter_delta(dimension, free - 1, Q(4), epsilon)
    return all_of(
        whole,
        *(at_most(d, ball(delta)) for d in found),
        *(less(small, large) for small, large in pairwise(found)),
        less(ball(delta), least),
    )


def _scatter_delta(dimension: int, degrees: int, shift: Q, epsilon: Q) -> arb:
    if shift == 0:
        return arb(0)
    free = arb(max(int(degrees), dimension + 1))
    return ball(privacy.wishart_delta(dimension, free, ball(shift), ball(epsilon)))


FLIPS: tuple[dict[str, Any], ...] = (
    dict(classes=SEVEN, record=3, label=1),
    dict(classes=SEVEN, record=0, label=1),
    dict(classes=((0, 0, 0, 0, 1), (-1, 1, 1, 0)), record=4, label=1),
    dict(classes=(((1, 0), (0, 1), (0, 0), (0, -1)), ((-1, 0),) * 3), record=0, label=1),
)


@repairs(published_covariance_noise_is_pure)
@certified(
    bits=128, cases=[flip | {"epsilon": epsilon} for flip in FLIPS for epsilon in (Q(1, 3), Q(1))]
)
def scatter_noise_hides_a_label(classes: Any, record: int, label: int, epsilon: Q) -> Finding:
    """For records with ‖x‖ ≤ 1, noise W_d(I, ν) on the scatter of a class, ν least for c = 4 and
    δ = 2·10⁻⁵, is (ε, δ)-private under these flips: the scatters of both classes change by squares
    whose exact divergences are at most δ both ways.
    """
    data = by_class(classes)
    assume((record, label) in mixture.admissible_flips(data))
    assume(max(sum(x * x for x in row) for row in data.points) <= 1)
    before, after = _scatter_traces(data), _scatter_traces(data.flipped(record, label))
    moved = [abs(after[k] - before[k]) for k in (data.labels[record], label)]
    free = privacy.wishart_degrees(epsilon, TOTAL_DELTA, Q(4), data.dimension).value
    found = [_scatter_delta(data.dimension, free, square, epsilon) for square in moved]
    return all_of(at_most(moved, Q(4)), at_most(found, ball(TOTAL_DELTA)))


def _scatter_traces(data: mixture.LabelledData) -> list[Q]:
    """Return the traces of the scatters; a change of rank one has its trace for its square."""
    covariances = mixture.class_covariances(data)
    pairs = zip(covariances, data.counts, strict=True)
    return [(count - 1) * trace(values) for values, count in pairs]


@repairs(published_condition_holds_for_iris)
@certified(bits=128, record=(50, 100, 106, 117, 118, 122, 131), label=(IRIS_CLASS,))
def scatter_noise_holds_for_iris(record: int, label: int) -> Finding:
    """For Iris, standardised and with ‖x‖ ≤ 4 public, noise 64 W_4(I, ν) on the scatter of class 0
    with ν for c = 1 is (ε, 2·10⁻⁵)-private at ε = 1/3 and 1 when these records enter, exactly.
    """
    data = exact_iris()
    points, variances = data.points, feature_variances(data.points)
    norms = ((points - points.sum(axis=0) / len(points)) ** 2 / variances).sum(axis=1)
    members = data.members(label)
    distance = ((points[record] - members.sum(axis=0) / len(members)) ** 2 / variances).sum()
    shift = distance * Q(len(members), len(members) + 1) / 64
    found = []
    for epsilon in (Q(1, 3), Q(1)):
        free = privacy.wishart_degrees(epsilon, TOTAL_DELTA, Q(1), data.dimension).value
        found.append(_scatter_delta(data.dimension, free, shift, epsilon))
    return all_of(at_most(max(norms), 16), at_most(found, ball(TOTAL_DELTA)))
