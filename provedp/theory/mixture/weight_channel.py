"""A fixed channel for class weights, whose law knows nothing of the data but their histogram."""

from provedp.theory.domain import domain, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.mixture.neighbours import ClassCounts, Histogram, as_histogram, histogram_set
from provedp.theory.numbers import Number

__all__ = ["exponential_weight_law", "flip_distance"]


@domain(left=ClassCounts(1), right=ClassCounts(1))
def flip_distance(left: Matrix, right: Matrix) -> int:
    """Number of labels that must be flipped to turn one histogram into another.

    N ‖π̃ − π‖₁/2 = ½ Σ_k |N_k − M_k|

    Parameters
    ----------
    left, right
        Histograms of one sum, with positive counts.

    Returns
    -------
    The distance, an integer; a flip changes it by at most 1.

    Raises
    ------
    ValueError
        If the histograms have different sums or numbers of classes.

    Source: mixture paper, eq. (16), where it is 1.

    >>> flip_distance([4, 4, 4], [3, 6, 3])
    2
    """
    if len(left) != len(right) or sum(left) != sum(right):
        raise ValueError(
            "The histograms must have one number of classes and one sum. "
            f"Got {[str(n) for n in left]} and {[str(n) for n in right]} instead."
        )
    return _distance(as_histogram(left), as_histogram(right))


@domain(counts=ClassCounts(1), root=reals(1))
def exponential_weight_law(counts: Matrix, root: Number) -> Matrix:
    """Exponential mechanism on histograms.

    f(m | n) = r^{−dist(m, n)}/Σ_{m′ ∈ S} r^{−dist(m′, n)}, r = e^{ε₀/2}

    Parameters
    ----------
    counts
        The true histogram n, with positive counts.
    root
        r = e^{ε₀/2}: rational for an exact law.

    Returns
    -------
    Probabilities in the order of `histogram_set`. A flip changes each by a factor of at most
    r² = e^{ε₀}: r for the numerator and r for the sum.

    Source: McSherry and Talwar; ours, in the place of eq. (17), (28) of the mixture paper.

    >>> from fractions import Fraction as F
    >>> [str(p) for p in exponential_weight_law([1, 2], F(2))]
    ['2/3', '1/3']
    """
    own = as_histogram(counts)
    weights = [
        (1 + 0 * root) / root ** _distance(own, other)
        for other in histogram_set(sum(own), len(own))
    ]
    total = sum(weights[1:], start=weights[0])
    law: Matrix = matrix([[weight / total for weight in weights]])[0]
    return law


def _distance(left: Histogram, right: Histogram) -> int:
    return sum(abs(a - b) for a, b in zip(left, right, strict=True)) // 2
