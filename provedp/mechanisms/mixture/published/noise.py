"""The parameters that Algorithm 1 of the mixture paper perturbs, and the noise that it draws."""

from dataclasses import dataclass

import numpy as np

from provedp.mechanisms.mixture.gaussian_mixture import Label, LabelledMixture
from provedp.mechanisms.mixture.published.alternation import Alternation
from provedp.theory.arrays import Floats
from provedp.theory.mixture.neighbours import Histogram


@dataclass(frozen=True)
class Design:
    """The fitted parameters and the noise that Algorithm 1 chooses for them.

    Attributes
    ----------
    labels, means, covariances
        The classes and the fitted μ_k and Σ_k.
    alternation
        The rounds, with the fitted histogram among their outputs.
    smoothing
        λ of (17).
    """

    labels: tuple[Label, ...]
    means: Floats
    covariances: Floats
    alternation: Alternation
    smoothing: float

    def draw(self, rng: np.random.Generator) -> LabelledMixture:
        """Return the parameters with fresh noise, by (5), (6) and (17)."""
        noises = self.alternation.last.noises
        size = self.means.shape[1]
        moved = [_gaussian(noise.covariance, rng) for noise in noises]
        widened = [_wishart(size, noise.gamma, rng) for noise in noises]
        counts = _drawn_histogram(self.alternation, self.smoothing, rng)
        return LabelledMixture(
            self.labels,
            np.array(counts) / sum(counts),
            self.means + np.stack(moved),
            self.covariances + np.stack(widened),
        )


def _gaussian(covariance: Floats, rng: np.random.Generator) -> Floats:
    """Return a draw from N(0, C) for a positive semidefinite C."""
    values, vectors = np.linalg.eigh(covariance)
    scaled = np.sqrt(np.maximum(values, 0)) * rng.standard_normal(len(values))
    drawn: Floats = vectors @ scaled
    return drawn


def _wishart(size: int, gamma: float, rng: np.random.Generator) -> Floats:
    """Return a draw from W_d(I/γ, d + 1)."""
    normals = rng.standard_normal((size, size + 1))
    drawn: Floats = normals @ normals.T / gamma
    return drawn


def _drawn_histogram(found: Alternation, smoothing: float, rng: np.random.Generator) -> Histogram:
    """Return a draw from (17): uniform over the set S with probability λ, else from the column."""
    if rng.random() < smoothing:
        counts = found.outputs[0]
        size = sum(counts)
        bars = np.sort(rng.choice(size - 1, len(counts) - 1, replace=False)) + 1
        return tuple(np.diff([0, *bars, size]).tolist())
    column = found.last.column
    return found.outputs[int(rng.choice(len(column), p=column / column.sum()))]
