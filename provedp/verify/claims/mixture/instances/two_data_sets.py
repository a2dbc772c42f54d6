"""Two small data sets on a line, and the runs of Algorithm 1 on neighbours of each other."""

from fractions import Fraction as Q

from provedp.theory.matrices import matrix
from provedp.theory.mixture import LabelledData
from provedp.theory.numbers import ball
from provedp.verify.claims.mixture.instances.scalar_runs import Pair, ScalarRun, aligned, run

__all__ = [
    "PUBLISHED_SHARE",
    "RATIO",
    "THREE_CLASSES",
    "TWO_CLASSES",
    "both_runs",
    "data_on_a_line",
    "pair_of_runs",
]

TWO_CLASSES = ("-1", "0", "1/2", "1", "2", "5/2", "3", "4")
THREE_CLASSES = (*TWO_CLASSES, "5", "11/2", "13/2", "7")
PUBLISHED_SHARE = Q(1, 1000)  # λ in Section V-A
RATIO = Q(2)  # e^{ε₀}; the paper's ε is then 3 ln 2


def data_on_a_line(points: tuple[str, ...]) -> LabelledData:
    """Return classes of four records each, in the order of the points."""
    labels = tuple(index // 4 for index in range(len(points)))
    return LabelledData(matrix([[Q(x)] for x in points]), labels, len(points) // 4)


def both_runs(points: tuple[str, ...]) -> tuple[ScalarRun, ScalarRun]:
    """Run Algorithm 1 on data and on the same data with record 3 moved from class 0 to class 1.

    δ = 2·10⁻⁵ and L = 10, as in Section V-A; ε = 3 ln 2, so that ε₀ = ln 2 and stays there.
    """
    data = data_on_a_line(points)
    first, second = (run(d, 3 * ball(RATIO).log(), RATIO) for d in (data, data.flipped(3, 1)))
    return first, second


def pair_of_runs(points: tuple[str, ...]) -> Pair:
    """Return the laws of both runs over their common outputs."""
    return aligned(*both_runs(points))
