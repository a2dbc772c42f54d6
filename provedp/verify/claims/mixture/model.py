"""Section II: the fitted mixture, the set of histograms, and the neighbours of a data set."""

import itertools
import math

from provedp.theory import mixture
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.prelude import *

SIZES = levels(range(2, 8), range(2, 11))
COUNTS = [
    counts
    for classes in (2, 3, 4)
    for counts in itertools.product((3, 4, 5, 6) if classes < 4 else (3, 4), repeat=classes)
]


def _data(counts: tuple[int, ...]) -> LabelledData:
    """Return data with these counts, whose features do not matter."""
    labels = [k for k, count in enumerate(counts) for _ in range(count)]
    return LabelledData(matrix([[n] for n in range(len(labels))]), tuple(labels), len(counts))


def _admissible(counts: tuple[int, ...]) -> list[LabelledData]:
    """Return all data sets with one label changed and more than two records of each class."""
    data = _data(counts)
    every = itertools.product(range(data.size), range(data.classes))
    flipped = [data.flipped(n, k) for n, k in every if k != data.labels[n]]
    return [other for other in flipped if min(other.counts) > 2]


POINTS = [
    [[Q(1), Q(2)], [Q(1), Q(2)], [Q(1), Q(2)], [Q(0), Q(1)]],
    [[Q(0), Q(0)], [Q(1), Q(2)], [Q(2), Q(4)]],
    [[Q(0), Q(0)], [Q(1), Q(2)], [Q(2), Q(4)], [Q(3), Q(1)]],
]


@published(
    Source(MIXTURE, "eq. (1)"),
    Source(MIXTURE, "eq. (2)", "(2a), (2b), (2c)"),
    formula=mixture.class_covariances,
)
@certified(points=POINTS, ridge=(Q(1, 1000), Q(1)))
def ridge_makes_covariances_definite(
    covariances: Formula, points: list[list[Q]], ridge: Q
) -> Finding:
    """Σ_k of (2c) is the unbiased sample covariance plus κ I, ½ of the mean square difference of
    two records without replacement, and κ > 0 makes it positive definite even where all records of
    a class lie on a line, as when all but one are equal.
    """
    data = LabelledData(matrix(points), (0,) * len(points), 1)
    found = covariances(data, ridge)[0]
    pairs = itertools.permutations(range(len(points)), 2)
    gaps = [data.points[a] - data.points[b] for a, b in pairs]
    squares = sum((gap[:, None] * gap[None, :] for gap in gaps[1:]), start=_outer(gaps[0]))
    half = squares / (2 * len(gaps))
    expected = [[half[i, j] + (ridge if i == j else 0) for j in range(2)] for i in range(2)]
    minors = [found[0, 0], fmpq_matrix(matrix(found)).det()]
    return all_of(equal(found, expected), less(0, minors))


def _outer(vector: Matrix) -> Matrix:
    product: Matrix = vector[:, None] * vector[None, :]
    return product


@published(Source(MIXTURE, "eq. (3)", "|S| by stars and bars"), formula=mixture.histograms)
@certified(n=SIZES, classes=(2, 3, 4))
def number_of_histograms(count: Formula, n: int, classes: int) -> Finding:
    """|S| = C(N − 1, K − 1): the vectors of K positive integers of sum N, counted one by one."""
    every = [m for m in itertools.product(range(1, n + 1), repeat=classes) if sum(m) == n]
    return equal(count(n, classes), len(every))


def choose(top: Any, bottom: Any) -> Any:
    """Return the binomial coefficient."""
    return sympy.binomial(top, bottom)


@published(
    Source(MIXTURE, "eq. (3)", "|S| by stars and bars"), Source(MIXTURE, "Remark 2"), formula=choose
)
@proved(
    argued=(
        "the histograms of N over K classes are those with one record in the last class and those "
        "with more, which are histograms of N − 1 over K − 1 and over K classes",
        "induction over N and K, from one class and from N = K",
    )
)
def number_of_histograms_at_every_size(binomial: Formula) -> Finding:
    """|S| = C(N − 1, K − 1) for all N and K ≥ 2, by induction: the last class has one record, and
    the others are a histogram of N − 1, or it has more, and taking one away leaves a histogram of
    N − 1 over K classes. |S| grows by the factor N/(N − K + 1) from N to N + 1, so a finer grid has
    more points.
    """
    n, k = sympy.symbols("N K", integer=True, positive=True)
    here = binomial(n - 1, k - 1)
    split = binomial(n - 2, k - 1) + binomial(n - 2, k - 2)
    ratio = sympy.gammasimp((binomial(n, k - 1) / here).rewrite(sympy.gamma))
    return all_of(
        base_case(equal(sympy.gammasimp((split / here).rewrite(sympy.gamma)), sympy.Integer(1))),
        equal(ratio, n / (n - k + 1)),
        entails([k >= 2, n >= k], n / (n - k + 1) > 1),
        base_case(equal(binomial(n - 1, sympy.Integer(0)), sympy.Integer(1))),
        base_case(equal(binomial(n - 1, n - 1), sympy.Integer(1))),
    )


@published(Source(MIXTURE, "Section IV-A", "Θ(N^(2K − 2)) entries"), formula=mixture.histograms)
@certified(classes=range(2, 7))
def full_matrix_grows_like_a_power(count: Formula, classes: int) -> Finding:
    """For fixed K the |S|² entries of F grow like N^(2K − 2): |S| is the polynomial
    (N − 1) … (N − K + 1)/(K − 1)! in N, of degree K − 1, for all N ≥ 1. Both are of degree at most
    K − 1, and agree at 3K points.
    """
    n = sympy.Symbol("N", integer=True, positive=True)
    product_ = sympy.prod([n - j for j in range(1, classes)]) / sympy.factorial(classes - 1)
    power = sympy.Poly(sympy.expand(product_**2), n)
    return all_of(
        *(equal(count(size, classes), product_.subs(n, size)) for size in range(1, 3 * classes)),
        equal(power.degree(), 2 * classes - 2),
        less(0, power.LC()),
    )


@published(
    Source(MIXTURE, "eq. (3)", "'contains all input histograms'"), formula=mixture.class_weights
)
@certified(counts=COUNTS)
def input_weights_are_in_the_set(weights: Formula, counts: tuple[int, ...]) -> Finding:
    """The weights (2a) of data with more than two records of each class are on the grid of (3):
    they sum to one, and each is one of 1/N, …, (N − 1)/N.
    """
    found = list(weights(_data(counts)))
    size = sum(counts)
    steps = [size * weight for weight in found]
    return all_of(
        equal(sum(found), Q(1)),
        equal(steps, [Q(round(step)) for step in steps]),
        at_most(1, steps),
        at_most(steps, size - 1),
    )


@published(
    Source(MIXTURE, "Definition 1"),
    Source(MIXTURE, "Section III-A", "N(K − 1)"),
    formula=mixture.admissible_flip_count,
)
@certified(counts=COUNTS)
def number_of_admissible_neighbours(count: Formula, counts: tuple[int, ...]) -> Finding:
    """At most N(K − 1) data sets are admissible neighbours: exactly K − 1 for each record of a
    class with at least four records, so N(K − 1) only if every class has.
    """
    found = count(list(counts))
    bound = sum(counts) * (len(counts) - 1)
    return all_of(equal(found, len(_admissible(counts))), _attained(found, bound, min(counts) > 3))


def _attained(found: Any, bound: int, wanted: bool) -> Finding:
    """Find that the bound is attained where it is said to be, and nowhere else."""
    return equal(found, bound) if wanted else less(found, bound)


@published(
    Source(MIXTURE, "eq. (16)", "S′ is contained in S"), formula=mixture.neighbour_histograms
)
@certified(counts=COUNTS)
def neighbour_histograms_are_those_of_flips(
    neighbours: Formula, counts: tuple[int, ...]
) -> Finding:
    """The histograms of admissible neighbours are those of S that differ from the data's in two
    places, by 2/N in all, and have more than two records of each class.
    """
    found = {tuple(m) for m in neighbours(list(counts))}
    n = sum(counts)
    by_norms = {
        m
        for m in mixture.histogram_set(n, len(counts))
        if sum(a != b for a, b in zip(m, counts, strict=True)) == 2
        and sum(abs(Q(a, n) - Q(b, n)) for a, b in zip(m, counts, strict=True)) == Q(2, n)
        and min(m) > 2
    }
    by_flips = {other.counts for other in _admissible(counts)}
    own = {counts}  # with all classes of three there are no neighbours
    return all_of(same_set(found | own, by_norms | own), same_set(by_norms | own, by_flips | own))


@published(
    Source(MIXTURE, "eq. (16)", "|S′| ≤ K(K − 1)"), formula=mixture.neighbour_histogram_count
)
@certified(counts=COUNTS)
def number_of_neighbour_histograms(count: Formula, counts: tuple[int, ...]) -> Finding:
    """|S′| ≤ K(K − 1): it is (K − 1) times the number of classes with at least four records, so the
    bound is attained exactly if all have, and S′ is empty exactly if all have three.
    """
    found = count(list(counts))
    classes = len(counts)
    return all_of(
        equal(found, len({other.counts for other in _admissible(counts)})),
        _attained(found, classes * (classes - 1), min(counts) > 3),
        equal(found, 0) if max(counts) == 3 else less(0, found),
    )


@published(
    Source(MIXTURE, "Section IV-A", "O(K⁴) free variables"),
    formula=mixture.neighbour_histogram_count,
)
@certified(counts=COUNTS)
def reduced_matrix_has_at_most_so_many_entries(count: Formula, counts: tuple[int, ...]) -> Finding:
    """The reduced matrix F′, with a row and a column for each histogram that is the data's or a
    neighbour's, has at most (K(K − 1) + 1)² < K⁴ entries, whatever N is.
    """
    classes, side = len(counts), count(list(counts)) + 1
    bound = (classes * (classes - 1) + 1) ** 2
    return all_of(
        equal(side, len({counts, *(other.counts for other in _admissible(counts))})),
        _attained(side**2, bound, min(counts) > 3),
        less(bound, classes**4),
    )


TABLE_I = (687, 428, 102, 147, 14, 31)


@published(Source(MIXTURE, "Table I"), formula=sum)
@certified(counts=[TABLE_I])
def class_sizes_of_table_i_add_up(total: Formula, counts: tuple[int, ...]) -> Finding:
    """The six class sizes sum to the N = 1409 houses; every class is larger than two."""
    return all_of(equal(total(counts), 1409), less(2, list(counts)))


@published(Source(MIXTURE, "Remark 2", "'a finer grid reduces discretization error'"))
@certified(n=range(4, 13), classes=(2, 3))
def finer_grids_are_nearer(n: int, classes: int) -> Finding:
    """Weights of at least 1/N each are within 1/N of a point of the grid (3) in every coordinate,
    so a finer grid bounds the error better. Checked on every seventh of the weights with
    denominator N(N + 1).
    """
    fine = n * (n + 1)
    worst = Q(0)
    for m in itertools.islice(mixture.histogram_set(fine, classes), 0, None, 7):
        if min(m) >= n + 1:
            worst = max(worst, _distance_to_grid(tuple(Q(c, fine) for c in m), n))
    return less(worst, Q(1, n))


def _distance_to_grid(weights: tuple[Q, ...], n: int) -> Q:
    """Return the largest error when all are rounded down and the largest remainders up."""
    floors = [math.floor(w * n) for w in weights]
    rest = [w * n - low for w, low in zip(weights, floors, strict=True)]
    order = sorted(range(len(weights)), key=lambda i: -rest[i])
    for i in order[: n - sum(floors)]:
        floors[i] += 1
    return max(abs(w - Q(low, n)) for w, low in zip(weights, floors, strict=True))
