"""Laws of counts that other papers prove optimal for other questions."""

from provedp.theory.counting.release import COUNTS, RATIO, SLACK, alpha
from provedp.theory.domain import domain, integers
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Number, minimum

__all__ = [
    "coarse_choice_error",
    "fair_matrix",
    "kept_probabilities",
    "permute_and_flip_error",
    "staircase_matrix",
]


@domain(m=COUNTS, k=RATIO)
def fair_matrix(m: int, k: Number) -> Matrix:
    """Explicit fair mechanism: the same probability of the truth for every count.

    p_ij = α k^(−|i − j|) if |i − j| < r, and α k^(−⌈(|i − j| + r)/2⌉) beyond, with
    r = min(i − 1, m − i) and α = α_m of the counting paper

    Returns
    -------
    An m × m row-stochastic matrix.

    Source: Cormode, Kulkarni and Srivastava, Constrained Private Mechanisms for Count Data (2018),
    from memory; that it is stochastic and private is checked by `counting.fair_error_is_alpha`.

    >>> [str(p) for p in fair_matrix(3, 2)[0]]
    ['1/2', '1/4', '1/4']
    """
    top = alpha(m, k)

    def power(i: int, j: int) -> int:
        gap, near = abs(i - j), min(i - 1, m - i)
        return gap if gap < near else (gap + near + 1) // 2

    counts = range(1, m + 1)
    return matrix([[top * k ** -power(i, j) for j in counts] for i in counts])


@domain(m=COUNTS, k=RATIO, reach=integers(1), step=integers(1))
def staircase_matrix(m: int, k: Number, reach: int, step: int) -> Matrix:
    """Staircase noise for counts that differ by at most `reach`, and then the nearest count.

    P(n) falls by the factor k from |n| to |n| + reach, and is constant but for one step at the
    `step`-th of the integers between

    Returns
    -------
    An m × (m + 2 reach) matrix; what falls beyond the counts is kept apart by its residue, since
    only cells of one residue tell the same.

    Source: Geng and Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy (2016),
    from memory.
    """
    alpha_ = 1 / k
    inner = [alpha_ ** (n // reach + (n % reach >= step)) for n in range(2 * m + 2 * reach)]
    total = inner[0] + 2 * _tail(inner, 1, reach, alpha_)
    rows = []
    for i in range(1, m + 1):
        row = [inner[abs(i - j)] for j in range(1, m + 1)]
        left = [inner[i + n] / (1 - alpha_) for n in range(reach)]
        right = [inner[m + 1 - i + n] / (1 - alpha_) for n in range(reach)]
        rows.append([p / total for p in (*left, *row, *right)])
    return matrix(rows)


def _tail(weights: list[Number], start: int, reach: int, factor: Number) -> Number:
    """Return the sum of all weights from a place on, which repeat with a factor."""
    first = weights[start : start + reach]
    return sum(first[1:], start=first[0]) / (1 - factor)


@domain(k=RATIO, delta=SLACK, most=integers(0))
def kept_probabilities(k: Number, delta: Number, most: int) -> list[Number]:
    """Largest probabilities to show a group of 0, 1, …, `most` people, none of them for nobody.

    p_0 = 0, p_(n+1) = min(k p_n + δ, 1 − (1 − p_n − δ)/k, 1)

    Returns
    -------
    A list of most + 1 probabilities.

    Source: Desfontaines, Voss, Gipson and Mandayam, Differentially Private Partition Selection
    (2022), from memory.

    >>> from fractions import Fraction as F
    >>> [str(p) for p in kept_probabilities(F(2), F(1, 10), 5)]
    ['0', '1/10', '3/10', '7/10', '9/10', '1']
    """
    kept: list[Number] = [0 * delta]
    for _ in range(most):
        rising = minimum(k * kept[-1] + delta, 1 - (1 - kept[-1] - delta) / k)
        kept.append(minimum(rising, k**0))
    return kept


@domain(root=RATIO, gap=integers(0))
def permute_and_flip_error(root: Number, gap: int) -> Number:
    """Probability that permute-and-flip chooses the worse of two candidates.

    r^(−gap)/2, r = e^(ε/2), for integer scores that change by at most 1

    Source: McKenna and Sheldon (2020).

    >>> permute_and_flip_error(2, 1)
    Fraction(1, 4)
    """
    return root**-gap / 2


@domain(k=RATIO, gap=integers(0))
def coarse_choice_error(k: Number, gap: int) -> Number:
    """Probability that the best choice among two candidates takes the worse.

    k^(−n)/2 at gap 2n, and k^(−n)/(k + 1) at gap 2n + 1, for scores that change by at most 1

    Source: ours.

    >>> coarse_choice_error(4, 1), coarse_choice_error(4, 2)
    (Fraction(1, 5), Fraction(1, 8))
    """
    power = k ** -(gap // 2)
    return power / (k + 1) if gap % 2 else power / 2
