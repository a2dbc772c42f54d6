"""Mechanisms of one value out of a few: all pairs of rows, each pair in every round."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number
from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.composition import Accounted, compose
from provedp.verify.accounting.releases import Finite, Release

MOST_ROWS = 8  # whose pairs compose within seconds


@dataclass(frozen=True, eq=False)
class FiniteMechanism:
    """A release whose law is one of three to eight rows, by the value of the record that changes.

    Parameters
    ----------
    rows
        The laws, over the same outcomes. Any two are adjacent. In several mechanisms of the same
        data the rows are for the same values, in one order.
    adjacency
        The inputs that are compared; None if it is those of the releases beside it.

    Raises
    ------
    ValueError
        If there are too many rows, or two of them have no outcome in common.
    """

    rows: Sequence[Matrix]
    adjacency: Adjacency | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.rows) <= MOST_ROWS:
            raise ValueError(
                f"A matrix must have 2 to {MOST_ROWS} rows, of which all pairs are compared. Got "
                f"{len(self.rows)}."
            )
        for first, second in permutations(range(len(self.rows)), 2):
            self.between(first, second)

    def between(self, first: int, second: int) -> Finite:
        """Return the release for inputs with the values of two rows."""
        return Finite(self.rows[first], self.rows[second], self.adjacency)


Part = tuple[Release | FiniteMechanism, int]


def compose_all(parts: Sequence[Part]) -> Accounted:
    """Return the profile of all parts, the largest over all pairs of rows.

    Raises
    ------
    ValueError
        If two mechanisms have different numbers of rows, or as in `compose`.

    >>> third = [[Fraction(n, 4) for n in row] for row in ((2, 1, 1), (1, 2, 1), (1, 1, 2))]
    >>> compose_all([(FiniteMechanism(third), 1)]).delta(0)
    (0.25, 0.25)
    """
    sizes = {len(each.rows) for each, _ in parts if isinstance(each, FiniteMechanism)}
    if sizes:
        sizes |= {2 for each, _ in parts if isinstance(each, Finite)}
    if len(sizes) > 1:
        numbers = " and ".join(map(str, sorted(sizes)))
        raise ValueError(f"The matrices must have rows for the same values. Got {numbers} rows.")
    pairs = permutations(range(sizes.pop()), 2) if sizes else [(0, 0)]
    profiles = [compose([(_between(each, *pair), n) for each, n in parts]) for pair in pairs]
    return _largest(profiles) if len(profiles) > 1 else profiles[0]


def _between(release: Release | FiniteMechanism, first: int, second: int) -> Release:
    return release.between(first, second) if isinstance(release, FiniteMechanism) else release


def _largest(profiles: Sequence[Accounted]) -> Accounted:
    def lower(epsilon: Number) -> float:
        return max(each.lower(epsilon) for each in profiles)

    def upper(epsilon: Number) -> float:
        return max(each.upper(epsilon) for each in profiles)

    def at_ratio(k: Fraction) -> tuple[Fraction, Fraction]:
        ends = [each.at_ratio(k) for each in profiles if each.at_ratio is not None]
        return max(low for low, _ in ends), max(high for _, high in ends)

    exact = all(each.at_ratio is not None for each in profiles)
    grids = [each.grid for each in profiles if each.grid is not None]
    return Accounted(
        profiles[0].adjacency,
        max(grids, default=None),
        lower,
        upper,
        at_ratio if exact else None,
        lambda delta: max(each.start(delta) for each in profiles),
    )
