"""Losses of a released count."""

from collections.abc import Callable, Sequence
from fractions import Fraction

__all__ = ["LOSSES", "loss_matrix"]

Costs = tuple[tuple[Fraction, ...], ...]

LOSSES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "zero-one": lambda count, output: Fraction(count != output),
    "absolute": lambda count, output: abs(count - output),
    "squared": lambda count, output: (count - output) ** 2,
}


def loss_matrix(name: str, m: int, outputs: Sequence[Fraction] | None = None) -> Costs:
    """Return ℓ_ij for counts 1, …, m and outputs (the counts unless given) by the loss's name.

    >>> [str(x) for x in loss_matrix("squared", 3)[0]]
    ['0', '1', '4']
    """
    columns = [Fraction(j) for j in range(1, m + 1)] if outputs is None else outputs
    loss = LOSSES[name]
    return tuple(tuple(loss(Fraction(i), j) for j in columns) for i in range(1, m + 1))
