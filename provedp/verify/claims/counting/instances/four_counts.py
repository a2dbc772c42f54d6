"""Symbols that the counting paper's proofs share, with the assumptions that they carry."""

from typing import Any

import sympy

h = sympy.Symbol("h", integer=True, positive=True)  # half the number of counts, rounded down
t = sympy.Symbol("t", positive=True)
k = 1 + t  # e^ε for ε > 0
u = sympy.Symbol("u", positive=True)
delta = 1 - u  # δ < 1; where δ ≥ 0 matters, it is stated as u ≤ 1

ODD = 2 * h + 1  # every odd number of counts from 3 on
EVEN = 2 * h  # every even number of counts from 2 on


def four_counts() -> tuple[Any, tuple[Any, ...], list[Any]]:
    """Return k, the free entries of (19) for M = 4, and the inequalities that bound them."""
    ratio, x2, x3, y2, y3 = sympy.symbols("k x2 x3 y2 y3", real=True)
    inside = [ratio > 1]
    for two, three in ((x2, x3), (y2, y3)):
        one = 2 * ratio + 1 - two - three
        inside += [one >= ratio, one <= ratio**3, two >= 1, two <= ratio**2]
        inside += [ratio * three >= 1, three <= ratio]
    return ratio, (x2, x3, y2, y3), inside
