"""The log-likelihood ratio of two fitted laws: for noise whose scale differs."""

from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

import numpy as np
from scipy import stats

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.score import Coordinate, Score
from provedp.verify.audit.targets.outputs import Batch

SMALLEST, LARGEST = 1e-100, 1e50  # whose ratio has a square
CHANCE = 4.0  # standard errors of the logarithm of a ratio of scales, at most 1 for one run
FITS = 0.01  # p-value below which a family is dropped


class Power(IntEnum):
    """Laws exp(−|x|^power), by the power."""

    LAPLACE = 1
    NORMAL = 2


LAWS = {Power.LAPLACE: stats.laplace(), Power.NORMAL: stats.norm(scale=2**-0.5)}


@dataclass(frozen=True)
class Family(Score):
    """The log-ratio of two densities exp(−|(x − centre)/scale|^power) of a single number.

    Attributes
    ----------
    power
        Of which law.
    centres, scales
        Of the first and the second data set.
    """

    kind: ClassVar[str] = "family"
    power: Power
    centres: tuple[float, float]
    scales: tuple[float, float]

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", Power(self.power))  # from JSON it is a number

    def of(self, batch: Batch) -> Floats:
        """Return the log-ratio up to a constant, −∞ for a missing number."""
        x = np.clip(Coordinate(0).of(batch), -LARGEST, LARGEST)
        parts = zip(self.centres, self.scales, strict=True)
        first, second = (
            np.abs((x - centre) / scale) ** self.power.value for centre, scale in parts
        )
        return np.where(x > -LARGEST, second - first, -np.inf)

    def words(self, threshold: float, above: bool) -> str:
        """Name the laws."""
        raised = "^2" if self.power is Power.NORMAL else ""
        terms = [
            f"|(output - {centre:.6g})/{scale:.6g}|{raised}"
            for centre, scale in zip(self.centres, self.scales, strict=True)
        ]
        return f"{terms[1]} - {terms[0]} {'>=' if above else '<='} {threshold:.6g}"


def is_family(first: Batch, second: Batch) -> bool:
    """Return whether Laplace or normal laws fit, with scales that differ by more than chance."""
    parts = _parts(first, second)
    if min(map(len, parts)) == 0:
        return False
    score = fit_family(first, second)
    gap = abs(np.log(score.scales[0] / score.scales[1]))
    if not gap > CHANCE * np.sqrt(sum(1 / len(x) for x in parts)):
        return False
    return all(
        stats.kstest((x - centre) / scale, LAWS[score.power].cdf, method="asymp").pvalue > FITS
        for x, centre, scale in zip(parts, score.centres, score.scales, strict=True)
    )


def fit_family(first: Batch, second: Batch) -> Family:
    """Return the log-ratio of the likeliest Laplace or normal laws."""
    parts = _parts(first, second)
    if min(map(len, parts)) == 0:
        return Family(Power.LAPLACE, (0.0, 0.0), (1.0, 1.0))
    laplace = [(float(np.median(x)), float(np.mean(np.abs(x - np.median(x))))) for x in parts]
    normal = [(float(np.mean(x)), float(np.std(x)) * 2**0.5) for x in parts]
    is_laplace = _spread(laplace, 2 * np.e) < _spread(normal, (np.pi * np.e) ** 0.5)
    (centre, scale), (other, other_scale) = laplace if is_laplace else normal
    return Family(
        Power.LAPLACE if is_laplace else Power.NORMAL,
        (centre, other),
        (max(scale, SMALLEST), max(other_scale, SMALLEST)),
    )


def _parts(first: Batch, second: Batch) -> list[Floats]:
    """Return the numbers that are neither missing nor infinite."""
    parts = [Coordinate(0).of(batch) for batch in (first, second)]
    return [x[np.abs(x) < LARGEST] for x in parts]


def _spread(fitted: list[tuple[float, float]], factor: float) -> float:
    """Return the sum of the entropies, which are minus the mean log-likelihoods."""
    return float(sum(np.log(factor * max(scale, SMALLEST)) for _, scale in fitted))
