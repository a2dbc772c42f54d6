"""Families of optimal releases for three, four and five counts, in closed form."""

from provedp.theory.counting.release import RATIO, SLACK
from provedp.theory.domain import domain, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number

__all__ = [
    "example_matrix",
    "example_matrix_as_printed",
    "matrix_of_four",
    "matrix_of_three",
    "three_determinant",
]


@domain(k=RATIO, delta=SLACK, u=reals(), v=reals())
def matrix_of_three(k: Number, delta: Number, u: Number, v: Number) -> Matrix:
    """The two-parameter family of optimal releases for three counts.

    (1 − δ)/(k + 2) · [[k + δ′, 2 − u, u], [1, k + δ′, 1], [v, 2 − v, k + δ′]],
    δ′ = δ (k + 2)/(1 − δ)

    Parameters
    ----------
    u, v
        Free entries; optimal for u, v in [(1 − δ′)⁺/k, 1].

    Returns
    -------
    A 3 × 3 matrix.

    Source: counting paper, eq. (18).

    >>> [str(p) for p in matrix_of_three(2, 0, 1, 1)[0]]
    ['1/2', '1/4', '1/4']
    """
    big = k + delta * (k + 2) / (1 - delta)
    one = k**0
    scale = (1 - delta) / (k + 2)
    result: Matrix = matrix([[big, 2 - u, u], [one, big, one], [v, 2 - v, big]]) * scale
    return result


@domain(k=reals(), extra=reals(), u=reals(), v=reals())
def three_determinant(k: Number, extra: Number, u: Number, v: Number) -> Number:
    """Determinant of the unscaled matrix in `matrix_of_three` (f).

    f(u, v) = (k + δ′)³ − (k + δ′)(uv + 4 − (u + v)) − 2(uv − (u + v))

    Parameters
    ----------
    k
        e^ε.
    extra
        δ′ = δ (k + 2)/(1 − δ).
    u, v
        Free entries.

    Returns
    -------
    A number, positive on the whole family when k > 1.

    Source: counting paper, Theorem 1, statement 4 and Appendix D.

    >>> three_determinant(2, 0, 1, 1)
    Fraction(4, 1)
    """
    big = k + extra
    return big**3 - big * (u * v + 4 - (u + v)) - 2 * (u * v - (u + v))


@domain(k=RATIO, x2=reals(), x3=reals(), y2=reals(), y3=reals())
def matrix_of_four(k: Number, x2: Number, x3: Number, y2: Number, y3: Number) -> Matrix:
    """The family of optimal releases for four counts at δ = 0.

    1/(k + 1)² · [[k², x₁, x₂, x₃], [k, k², k, 1], [1, k, k², k], [y₃, y₂, y₁, k²]],
    x₁ = 2k + 1 − x₂ − x₃ and y₁ = 2k + 1 − y₂ − y₃

    Parameters
    ----------
    x2, x3, y2, y3
        Free entries; optimal for k ≤ x₁, y₁ ≤ k³, 1 ≤ x₂, y₂ ≤ k², 1/k ≤ x₃, y₃ ≤ k.

    Returns
    -------
    A 4 × 4 matrix.

    Source: counting paper, eq. (19).

    >>> [str(p) for p in matrix_of_four(2, 2, 1, 2, 1)[0]]
    ['4/9', '2/9', '2/9', '1/9']
    """
    first = [k**2, 2 * k + 1 - x2 - x3, x2, x3]
    last = [y3, y2, 2 * k + 1 - y2 - y3, k**2]
    middle = [[k, k**2, k, k**0], [k**0, k, k**2, k]]
    result: Matrix = matrix([first, *middle, last]) / (k + 1) ** 2
    return result


def example_matrix_as_printed() -> Matrix:
    """The paper's rank-deficient optimal release for five counts, with its printed decimals.

    Returns
    -------
    A 5 × 5 matrix of rationals: the printed four-decimal entries over 5.41.

    Source: counting paper, the example after Corollary 1.1.

    >>> str(example_matrix_as_printed()[0, 0])
    '121/541'
    """
    rows = (
        (12100, 13310, 10000, 9091, 9599),
        (11000, 12100, 11000, 10000, 10000),
        (10000, 11000, 12100, 11000, 10000),
        (9524, 10476, 11000, 12100, 11000),
        (10000, 11000, 10000, 11000, 12100),
    )
    result: Matrix = matrix(rows) / 54100
    return result


@domain(k=RATIO)
def example_matrix(k: Number) -> Matrix:
    """A release for five counts at δ = 0 whose second column is k times its first.

    (k² + 2k + 2)⁻¹ · [[k², k³, 1, 1/k, 2k + 1 − k³ − 1/k], [k, k², k, 1, 1], [1, k, k², k, 1],
    [x, kx, k, k², k], [1, k, 1, k, k²]] with x = 2/(k + 1)

    Parameters
    ----------
    k
        e^ε (ε in nats); an optimal release for k = 11/10.

    Returns
    -------
    A 5 × 5 matrix with rows that sum to one.

    Source: counting paper, the example after Corollary 1.1, with exact entries.

    >>> str(example_matrix(2)[3, 0])
    '1/15'
    """
    one = k**0
    share = 2 / (k + 1)
    rest = 2 * k + 1 - k**3 - 1 / k
    rows = (
        (k**2, k**3, one, 1 / k, rest),
        (k, k**2, k, one, one),
        (one, k, k**2, k, one),
        (share, k * share, k, k**2, k),
        (one, k, one, k, k**2),
    )
    result: Matrix = matrix(rows) / (k**2 + 2 * k + 2)
    return result
