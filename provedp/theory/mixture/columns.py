"""Randomised class weights: the cost of an output, and Proposition 2's optimal column.

Throughout, `k` stands for e^{ε₀} (ε₀ in nats), so that rationals stay rational.
"""

import functools
from collections.abc import Sequence

from provedp.theory.domain import Distribution, RealVector, domain, integers, reals
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Count, Field, Number, certainly, field_of, minimum
from provedp.theory.privacy.functions import log, transcendental

__all__ = [
    "column_deviation",
    "column_lower",
    "column_upper",
    "filled_column",
    "other_columns",
    "output_cost",
    "weight_column",
]

RATIO = reals(1)


@domain(neighbours=integers(0, symbolic=True), k=RATIO)
def column_lower(neighbours: Count, k: Number) -> Number:
    """Least entry of a column that meets the constraints of (26).

    1/(1 + s e^{ε₀})

    Parameters
    ----------
    neighbours
        s = |S′|.
    k
        e^{ε₀}.

    Returns
    -------
    The lower end, at most 1/(1 + s).

    Source: mixture paper, Appendix C.

    >>> from fractions import Fraction as F
    >>> column_lower(2, F(2))
    Fraction(1, 5)
    """
    return 1 / (1 + neighbours * k)


@domain(neighbours=integers(0, symbolic=True), k=RATIO)
def column_upper(neighbours: Count, k: Number) -> Number:
    """Largest entry of a column that meets the constraints of (26).

    1/(1 + s e^{−ε₀})

    Parameters
    ----------
    neighbours, k
        As for `column_lower`.

    Returns
    -------
    The upper end, at least 1/(1 + s).

    Source: mixture paper, Appendix C.

    >>> from fractions import Fraction as F
    >>> column_upper(2, F(2))
    Fraction(1, 2)
    """
    return k / (k + neighbours)


@domain(neighbours=integers(0, symbolic=True), k=RATIO)
def column_deviation(neighbours: Count, k: Number) -> Number:
    """Largest total variation between a column that meets the constraints of (26) and uniform.

    (s/(s + 1)) (e^{ε₀} − 1)/(e^{ε₀} + 1), at most ε₀/2

    Parameters
    ----------
    neighbours, k
        As for `column_lower`.

    Returns
    -------
    An upper bound on Σ_i (F_i − 1/(s + 1))⁺. With v_i the cost of an output, Σ F_i v_i is at least
    the plain mean of the v_i less this times (max v − min v).

    Source: ours.

    >>> from fractions import Fraction as F
    >>> column_deviation(2, F(2))
    Fraction(2, 9)
    """
    return neighbours * (k - 1) / ((neighbours + 1) * (k + 1))


@domain(neighbours=integers(0), k=RATIO)
def filled_column(neighbours: int, k: Number) -> list[Number]:
    """Optimal column for outputs in the order of their costs, cheapest first.

    F_ℓ = min{1/(1 + s e^{−ε₀}), 1 − Σ_{i<ℓ} F_i − (s + 1 − ℓ)/(1 + s e^{ε₀})}, ℓ = 1, …, s + 1

    Parameters
    ----------
    neighbours, k
        As for `column_lower`.

    Returns
    -------
    s + 1 probabilities of sum 1 that do not increase.

    Source: mixture paper, Proposition 2, eq. (28).

    >>> from fractions import Fraction as F
    >>> [str(entry) for entry in filled_column(2, F(2))]
    ['1/2', '3/10', '1/5']
    """
    low, high = column_lower(neighbours, k), column_upper(neighbours, k)
    column: list[Number] = []
    left = 1 + 0 * low
    for place in range(1, neighbours + 2):
        entry = minimum(high, left - (neighbours + 1 - place) * low)
        column.append(entry)
        left = left - entry
    return column


@domain(costs=RealVector(), k=RATIO)
def weight_column(costs: Matrix, k: Number) -> Matrix:
    """Optimal law of the released weights over the true histogram and its neighbours.

    argmin {Σ_i g_i F_i : 1/(1 + s e^{ε₀}) ≤ F_i ≤ 1/(1 + s e^{−ε₀}), Σ_i F_i = 1}

    Parameters
    ----------
    costs
        g_1, …, g_{s+1}: the cost of each output, in any order. Balls must decide their order.
    k
        e^{ε₀}.

    Returns
    -------
    The probability of each output in the order of the costs; ties go to the one that comes first.

    Raises
    ------
    ValueError
        If the order of two costs is not decided.

    Source: mixture paper, Proposition 2, eq. (26)–(28).

    >>> from fractions import Fraction as F
    >>> [str(entry) for entry in weight_column([3, 1, 2], F(2))]
    ['1/5', '1/2', '3/10']
    """
    filled = filled_column(len(costs) - 1, k)
    column = [filled[0]] * len(costs)
    for place, index in enumerate(cost_order(list(costs))):
        column[index] = filled[place]
    found: Matrix = matrix([column])[0]
    return found


def cost_order(costs: Sequence[Number]) -> list[int]:
    """Return the indices of the costs from the cheapest; ties keep their order.

    Raises
    ------
    ValueError
        If the order of two costs is not decided.
    """

    def compare(a: int, b: int) -> int:
        return _order(costs[a], costs[b])

    return sorted(range(len(costs)), key=functools.cmp_to_key(compare))


def _order(left: Number, right: Number) -> int:
    """Return −1, 0 or 1 for a smaller, equal or larger number."""
    if certainly(left < right):
        return -1
    if certainly(left > right):
        return 1
    if field_of(left) <= Field.FLOAT or certainly(left == right):
        return 0
    raise ValueError(f"The order of the costs {left} and {right} is not decided.")


@domain(column=Distribution())
def other_columns(column: Matrix) -> Matrix:
    """The column that completes the reduced matrix, once for each neighbour.

    F_{i,j} = (1 − F_{i,j*})/s for j ≠ j*

    Parameters
    ----------
    column
        The column of the true histogram, with s + 1 ≥ 2 entries.

    Returns
    -------
    s + 1 probabilities of sum 1.

    Raises
    ------
    ValueError
        If `column` is not a distribution over at least two outputs.

    Source: mixture paper, Proposition 2, eq. (29).

    >>> from fractions import Fraction as F
    >>> [str(entry) for entry in other_columns([F(1, 5), F(1, 2), F(3, 10)])]
    ['2/5', '1/4', '7/20']
    """
    if len(column) < 2:
        raise ValueError("A column with one entry has no other column beside it.")
    rest: Matrix = (1 - column) / (len(column) - 1)
    return rest


@domain(released=RealVector(), true=RealVector(), class_costs=RealVector())
def output_cost(released: Matrix, true: Matrix, class_costs: Matrix) -> Number:
    """Expected divergence if certain class weights are released.

    g(π̃) = Σ_k π̃_k (ln(π̃_k/π_k) + c_k)

    Parameters
    ----------
    released
        π̃ as counts or weights of one sum, all positive.
    true
        π, likewise, of the same sum.
    class_costs
        c_k ≥ 0: the expected divergence of the released component from the fitted one.

    Returns
    -------
    g, a ball for exact arguments.

    Raises
    ------
    ValueError
        If the vectors differ in length or a weight is not positive.

    Source: mixture paper, eq. (13).

    >>> round(float(output_cost([3.0, 5.0], [4.0, 4.0], [0.0, 1.0])), 6)
    0.656584
    """
    if not len(released) == len(true) == len(class_costs):
        lengths = f"{len(released)}, {len(true)} and {len(class_costs)}"
        raise ValueError(f"There is one entry for each class. Got {lengths} entries instead.")
    if any(certainly(weight <= 0) for weight in (*released, *true)):
        raise ValueError(f"Weights must be positive. Got {[*released, *true]} instead.")
    total = sum(released)
    terms: list[Number] = [
        transcendental(weight / total) * (log(weight / before) + transcendental(cost))
        for weight, before, cost in zip(released, true, class_costs, strict=True)
    ]
    return sum(terms[1:], start=terms[0])
