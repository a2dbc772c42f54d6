"""Figure 1 of the counting paper: what all optimal releases share."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from provedp.theory import counting
from provedp.verify.solvers.channel.optimal_set import entry_range

SIZES = (4, 5)
RATIO = Fraction(2)  # e^ε: ε = 0.69 nats; which entries are shared does not depend on it

Row = dict[str, Any]


def figure1(runs: int) -> Iterator[Row]:
    """Yield a row for each entry of P* with its least and largest value over all optimal releases.

    The values are exact: linear programs over the set of optimal releases, in fractions.
    """
    for m in SIZES:
        release, named = counting.release_matrix(m, RATIO, Fraction(0)), counting.forced_entries(m)
        for i in range(1, m + 1):
            for j in range(1, m + 1):
                least, largest = entry_range(m, RATIO, Fraction(0), i, j)
                yield {
                    "m": m,
                    "i": i,
                    "j": j,
                    "paper_shared": _yes((i, j) in named),
                    "shared": _yes(least == largest),
                    "canonical": str(release[i - 1, j - 1]),
                    "least": str(least),
                    "largest": str(largest),
                }


def _yes(value: bool) -> str:
    return "yes" if value else "no"
