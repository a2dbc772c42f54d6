"""Scores of coordinates without what the earlier ones predict of them: correlated noise."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.histograms import fit_additive
from provedp.verify.audit.events.scores.score import Additive, Score
from provedp.verify.audit.targets.outputs import Batch, batch_of_array

RIDGE = 1e-9  # added to the variances of standardised coordinates
CORRELATED = 0.05  # correlation from which coordinates are not taken as independent
NOISE = 4.0  # standard errors below which a coefficient counts as 0
LARGEST = 1e12
ROWS = 50_000  # runs on each data set from which means and correlations are taken


@dataclass(frozen=True)
class Whitened(Score):
    """The sum of a number for the interval of each coordinate less a sum of the earlier ones.

    Attributes
    ----------
    centres
        What stands for missing coordinates.
    matrix
        Lower triangular, with ones on its diagonal.
    edges, values
        As of `Additive`, on matrix times output.
    """

    kind: ClassVar[str] = "whitened"
    centres: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]
    edges: tuple[tuple[float, ...], ...]
    values: tuple[tuple[float, ...], ...]

    def of(self, batch: Batch) -> Floats:
        """Return the sums."""
        moved = _moved(batch, np.array(self.centres), np.array(self.matrix))
        return Additive(self.edges, self.values).of(moved)

    def words(self, threshold: float, above: bool) -> str:
        """Name the sum."""
        return (
            f"the sum over {len(self.edges)} coordinates, less their regressions on earlier ones,"
            f" of learned log-ratios {'>=' if above else '<='} {threshold:.6g}"
        )


def are_correlated(first: Batch, second: Batch) -> bool:
    """Return whether some coordinates are correlated within the data sets."""
    correlation = _moments(first, second)[2]
    return bool(np.max(np.abs(np.tril(correlation, -1))) > CORRELATED)


def fit_whitened(first: Batch, second: Batch) -> Whitened:
    """Return the sum of the log-ratios of coordinates less their regressions on earlier ones.

    For sums of independent noises these are the noises: the sum is the log-likelihood ratio.
    """
    centres, scales, correlation = _moments(first, second)
    inverse = np.linalg.inv(np.linalg.cholesky(correlation))
    inverse /= np.diag(inverse)[:, None]
    small = NOISE / np.sqrt(min(len(first), ROWS) + min(len(second), ROWS))
    inverse[np.abs(inverse) < small] = 0.0  # coefficients of standardised coordinates
    matrix = inverse * scales[:, None] / scales[None, :]
    parts = fit_additive(*(_moved(batch, centres, matrix) for batch in (first, second)))
    rows = tuple(tuple(row) for row in matrix.tolist())
    return Whitened(tuple(centres.tolist()), rows, parts.edges, parts.values)


def _moments(first: Batch, second: Batch) -> tuple[Floats, Floats, Floats]:
    """Return means and, within the data sets, deviations and correlations."""
    width = min(first.numbers.shape[1], second.numbers.shape[1])
    parts = [_known(batch.rows(slice(0, ROWS)), width) for batch in (first, second)]
    known = [~np.isnan(x) for x in parts]
    counts = [np.maximum(each.sum(0), 1) for each in known]
    means = [np.where(k, x, 0.0).sum(0) / n for x, k, n in zip(parts, known, counts, strict=True)]
    apart = [np.where(k, x - m, 0.0) for x, k, m in zip(parts, known, means, strict=True)]
    covariance = sum(x.T @ x / len(x) for x in apart) / 2
    scales = np.sqrt(np.diag(covariance))
    scales = np.where(scales > 0, scales, 1.0)
    correlation = covariance / scales[:, None] / scales[None, :]
    np.fill_diagonal(correlation, 1 + RIDGE)
    return (means[0] + means[1]) / 2, scales, correlation


def _known(batch: Batch, width: int) -> Floats:
    """Return the first `width` coordinates, NaN where they are missing."""
    x = np.full((len(batch), width), np.nan)
    here = min(width, batch.numbers.shape[1])
    x[:, :here] = np.clip(batch.numbers[:, :here], -LARGEST, LARGEST)
    return x


def _moved(batch: Batch, centres: Floats, matrix: Floats) -> Batch:
    """Return matrix times output, centres standing for missing coordinates."""
    x = _known(batch, len(centres))
    return batch_of_array(np.where(np.isnan(x), centres, x) @ matrix.T)
