"""How far a flipped label moves the fitted weights, means and covariances."""

from collections.abc import Callable

import numpy as np

from provedp.theory import mixture
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.prelude import *

WIDTH = 1e-40  # of a comparison of balls at that precision
UNITS = {1: ((1,), (1,)), 4: ((1, 0, 0, 0), (Q(1, 2),) * 4)}  # d ↦ an axis, and (1, …, 1)/√d


@published(
    Source(
        MIXTURE,
        "Section V-A",
        "'the ℓ₂ sensitivity is bounded by the corresponding ℓ₁ sensitivity'",
    )
)
@machine_checked("means.second_norm_is_at_most_the_first")
@proved(argued=("induction over the entries, from one",))
def second_norm_is_at_most_the_first() -> Finding:
    """‖x‖₂ ≤ ‖x‖₁ in every dimension: one more entry a adds a² to the square of the one and
    a² + 2|a| ‖x‖₁ to that of the other.
    """
    a, first, square = sympy.symbols("a s q", real=True)
    longer = (sympy.Abs(a) + first) ** 2
    return all_of(
        equal((0 * a + sympy.Abs(a)) ** 2, a**2),  # one entry
        entails([first >= 0, square <= first**2], square + a**2 <= longer),
    )


@ours(Source(MIXTURE, "eq. (2)", "(2a), under label flips"), formula=mixture.weight_sensitivity)
@machine_checked("spreads.every_flip_moves_the_weights_equally")
@certified(bits=192, counts=((4, 3), (5, 4, 3), (4, 4, 4, 4)))
def every_flip_moves_the_weights_equally(sensitivity: Formula, counts: tuple[int, ...]) -> Finding:
    """Every admissible flip moves the weights by 2/N in ℓ₁ and √2/N in ℓ₂."""
    size = sum(counts)
    labels = tuple(np.repeat(np.arange(len(counts)), counts).tolist())
    data = LabelledData(matrix([[n] for n in range(size)]), labels, len(counts))
    flips = mixture.admissible_flips(data)
    before = mixture.class_weights(data)
    steps = [before - mixture.class_weights(data.flipped(*flip)) for flip in flips]
    square = ball(sensitivity(size, 2)) ** 2
    return all_of(
        *(equal(sum(abs(x) for x in step), sensitivity(size, 1)) for step in steps),
        *(close(square, ball(sum(x**2 for x in step)), tolerance=WIDTH) for step in steps),
    )


def _extreme(count: int, bound: Q, unit: tuple[Any, ...]) -> tuple[LabelledData, LabelledData]:
    """Return a class of −Bu and Bu, …, Bu beside another, and the same without −Bu."""
    rows = [[-bound * Q(x) for x in unit]] + [[bound * Q(x) for x in unit]] * (count + 2)
    data = LabelledData(matrix(rows), (0,) * count + (1,) * 3, 2)
    return data, data.flipped(0, 1)


def _largest(
    statistic: Callable[[LabelledData], list[Any]], count: int, bound: Q, dimension: int, norm: int
) -> Any:
    """Return what the statistic of class 0 moves by, to the power of the norm."""
    one, other = _extreme(count, bound, UNITS[dimension][2 - norm])
    steps = [a - b for a, b in zip(statistic(one), statistic(other), strict=True)]
    return sum(abs(step) ** norm for step in steps)


def _mean(data: LabelledData) -> list[Any]:
    return list(mixture.class_means(data)[0])


def _covariance(data: LabelledData) -> list[Any]:
    sigma = mixture.class_covariances(data)[0]
    return list(sigma[np.triu_indices(len(sigma))])


GRID: dict[str, Any] = dict(count=(4, 5, 9), bound=(Q(1), Q(3, 2)), dimension=(1, 4), norm=(1, 2))


@ours(Source(MIXTURE, "eq. (2)", "(2b), under label flips"), formula=mixture.mean_sensitivity)
@machine_checked("means.flips_attain_the_move", "spreads.means_attain_the_first_norm")
@certified(bits=192, **GRID)
def mean_sensitivity_is_attained(
    sensitivity: Formula, count: int, bound: Q, dimension: int, norm: int
) -> Finding:
    """A record −Bu that leaves N − 1 records Bu moves the mean by 2B/N in ℓ₂, and √d times that in
    ℓ₁ for u = (1, …, 1)/√d.
    """
    moved = ball(_largest(_mean, count, bound, dimension, norm))
    return close(ball(sensitivity(bound, count, dimension, norm)) ** norm, moved, tolerance=WIDTH)


@ours(Source(MIXTURE, "eq. (2)", "(2c), under label flips"), formula=mixture.covariance_sensitivity)
@machine_checked("spreads.covariances_attain_both_norms")
@certified(**GRID)
def covariance_sensitivity_is_attained(
    sensitivity: Formula, count: int, bound: Q, dimension: int, norm: int
) -> Finding:
    """A record −Bu that leaves N − 1 records Bu moves the entries of the covariance on and above
    the diagonal by 4B²/N in ℓ₂ for u on an axis, and by (d + 1)/2 times that in ℓ₁ for
    u = (1, …, 1)/√d.
    """
    moved = _largest(_covariance, count, bound, dimension, norm)
    return equal(sensitivity(bound, count, dimension, norm) ** norm, moved)


@ours(
    Source(MIXTURE, "eq. (2)", "(2b), under label flips"),
    formula=mixture.mean_sensitivity,
    rests_on=(second_norm_is_at_most_the_first,),
    survivors={
        "times 1 + 1e-4; doubled": "a larger sensitivity is a bound too",
        "of the other sign": "the sensitivity is squared",
    },
)
@machine_checked("means.means_move_at_most_so_far")
@proved(
    argued=(
        "m is a mean of records in the ball, and Cauchy's inequality for x and m",
        "‖z‖₁ ≤ √d ‖z‖₂ by induction over the coordinates",
    )
)
def means_move_at_most_so_far(sensitivity: Formula) -> Finding:
    """With m the mean of the N − 1 others, the mean is m + (x − m)/N; |x − m|² = a + c − 2e with
    a = |x|², c = |m|² ≤ B² and e² ≤ ac is at most 4B²; and ‖z‖₁ ≤ √d ‖z‖₂, where one more
    coordinate y turns s² ≤ dq into (s + |y|)² ≤ (d + 1)(q + y²).
    """
    n, d = sympy.symbols("N d", integer=True, positive=True)
    x, m, a, c, e, s, q, y = sympy.symbols("x m a c e s q y", real=True)
    bound = sympy.Symbol("B", positive=True)
    second = sympy.simplify((n * sensitivity(bound, n, d, 2)) ** 2)
    first = sympy.simplify((n * sensitivity(bound, n, d, 1)) ** 2)
    return all_of(
        equal(((n - 1) * m + x) / n - m, (x - m) / n),
        entails(
            [a >= 0, c >= 0, a <= bound**2, c <= bound**2, e**2 <= a * c], a + c - 2 * e <= second
        ),
        equal(first, d * second),
        # (s + |y|)² ≤ (d + 1)(q + y²) is (s − d|y|)² ≥ 0 and s² ≤ dq, times d.
        equal(
            (s - d * y) ** 2 + (d + 1) * (d * q - s**2), d * ((d + 1) * (q + y**2) - (s + y) ** 2)
        ),
    )


@ours(Source(MIXTURE, "eq. (2)", "(2c), under label flips"), formula=mixture.covariance_sensitivity)
@machine_checked("spreads.covariances_move_at_most_so_far")
@proved(
    argued=(
        "the Frobenius norm and |Σ_{i ≤ j}| of a positive semidefinite matrix are at most those of "
        "squares with the same trace, whose sums they are",
        "Frobenius norms of differences: ‖A − C‖² ≤ ‖A‖² + ‖C‖² for positive semidefinite A, C",
        "a record that joins is one that leaves the larger class",
    )
)
def covariances_move_at_most_so_far(sensitivity: Formula) -> Finding:
    """With m, S′ and Σ′ = S′/(N − 2) mean, scatter and covariance of the others and v = x − m,
    Σ − Σ′ = vvᵀ/N − Σ′/(N − 1). With r = |m|/B, |v|² ≤ B²(1 + r)², and tr S′ ≤ (N − 1)B²(1 − r²)
    since Σ|x|² = tr S′ + (N − 1)|m|². Both terms are positive semidefinite: Frobenius norms are at
    most traces, and sums of absolute entries on and above the diagonal at most (d + 1)/2 times
    that. The sum of the traces is largest at r = 1 for N ≥ 4.
    """
    n, d = sympy.symbols("N d", integer=True, positive=True)
    size, scatter, v, w, r, t, c, q = sympy.symbols("N S v w r t c q", real=True)
    second = sympy.simplify(n * sensitivity(sympy.Integer(1), n, d, 2))
    first = sympy.simplify(n * sensitivity(sympy.Integer(1), n, d, 1))
    whole = (scatter + (n - 1) / n * v * w) / (n - 1)
    # In units of B²/N: t = |v|², c = N tr S′/((N − 1)(N − 2)) with q = N/(N − 2) ≤ 2.
    inside = [
        r >= 0,
        r <= 1,
        t >= 0,
        t <= (1 + r) ** 2,
        c >= 0,
        c <= q * (1 - r**2),
        q >= 1,
        q <= 2,
    ]
    return all_of(
        equal(whole - scatter / (n - 2), v * w / n - scatter / ((n - 1) * (n - 2))),
        entails([size >= 4], size / (size - 2) <= 2),
        entails(inside, t + c <= 4),
        entails([*inside, t + c <= 4], t**2 + c**2 <= second**2),
        equal(first, (d + 1) * 4 / 2),
        # Sums of |u_i u_j| over i ≤ j: (s² + q)/2 for s = Σ|u_i|, s² ≤ dq.
        entails([w**2 <= d * q, q >= 0], (w**2 + q) / 2 <= (d + 1) * q / 2),
    )
