"""The release of the mixture paper as its authors publish it, for study: it is not private."""

from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from provedp.mechanisms.mixture.fitted import FittedMixture
from provedp.mechanisms.mixture.gaussian_mixture import Label, LabelledMixture
from provedp.mechanisms.mixture.published.alternation import Budget, alternate
from provedp.mechanisms.mixture.published.component import ReusedDraws, components, expected_costs
from provedp.mechanisms.mixture.published.noise import Design
from provedp.mechanisms.published import PublishedMechanism
from provedp.theory.domain import Choice, argument_error, check_argument, integers, reals
from provedp.theory.mixture import LabelledData, class_means
from provedp.theory.privacy import Adjacency

REFUTED_BY = (
    "mixture.conditions_of_the_theorem_are_sufficient",
    "mixture.published_covariance_noise_is_pure",
    "mixture.noise_fitted_to_the_data_is_private",
    "mixture.smoothing_as_published_makes_weights_private",
)
FLIPS = Choice(("all", "removals"))
DIVERGENCES = Choice(("monte_carlo", "expected"))


@final
class PublishedMixture(PublishedMechanism, FittedMixture):
    """Gaussian mixture with one component for each class, released by Algorithm 1.

    Its (ε, δ) is refuted, so `guarantee` is None and `fit` warns.

    Parameters
    ----------
    epsilon
        ε > 0 in nats.
    delta
        δ in (0, 1).
    smoothing
        λ in (0, 1): the share of a uniform draw in the law of the class weights.
    grid
        L ≥ 1: how many γ are tried for each component; None for the best of all.
    rounds
        Most rounds of the alternation.
    start
        ε₀ of the first round; None for ε/3.
    ridge
        κ ≥ 0 on the diagonal of every covariance.
    flips
        Which displacements of a mean are covered: "all", or "removals" for the narrow reading.
    divergence
        How expected divergences are found: by "monte_carlo" with reused draws, as published, or
        as "expected" values, in closed form where there is one.
    draws
        Number of draws for each component with "monte_carlo".
    random_state
        A seed or a `numpy.random.Generator`; None for fresh entropy.

    Attributes
    ----------
    mixture_
        What is released, a `LabelledMixture`; `weights_`, `means_`, `covariances_` and `classes_`
        are its parts.
    alternation_
        The rounds of the search. They tell about the data and are not for release.

    Source: mixture paper, Algorithm 1.
    """

    adjacency_claimed = Adjacency.LABEL_FLIP
    refuted_by = REFUTED_BY

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 2e-5,
        smoothing: float = 1e-3,
        grid: int | None = 10,
        *,
        rounds: int = 10,
        start: float | None = None,
        ridge: float = 0.0,
        flips: Literal["all", "removals"] = "all",
        divergence: Literal["monte_carlo", "expected"] = "monte_carlo",
        draws: int = 1000,
        random_state: Any = None,
    ):
        self.epsilon = epsilon
        self.delta = delta
        self.smoothing = smoothing
        self.grid = grid
        self.rounds = rounds
        self.start = start
        self.ridge = ridge
        self.flips = flips
        self.divergence = divergence
        self.draws = draws
        self.random_state = random_state

    def release(self, data: tuple[ArrayLike, ArrayLike], rng: Any = None) -> LabelledMixture:
        """Release a mixture fitted to features and labels, with the randomness of `rng`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range: every class needs three records.
        """
        self._warn()
        source = np.random.default_rng(rng)
        return self._design(*data, source).draw(source)

    def fit(self, X: ArrayLike, y: ArrayLike) -> "PublishedMixture":
        """Release a mixture fitted to N × d features X and N labels y; keep it in `mixture_`.

        Raises
        ------
        ValueError
            If a parameter or the data are outside their range: every class needs three records.
        """
        self._warn()
        rng = np.random.default_rng(self.random_state)
        design = self._design(X, y, rng)
        self.mixture_, self.alternation_ = design.draw(rng), design.alternation
        self._later_draws = rng.spawn(1)[0]  # independent of the noise in what was released
        self.classes_ = np.asarray(self.mixture_.classes)
        self.weights_ = self.mixture_.weights
        self.means_ = self.mixture_.means
        self.covariances_ = self.mixture_.covariances
        self.n_features_in_ = self.mixture_.dimension
        return self

    def _source_of_samples(self) -> np.random.Generator:
        return self._later_draws

    def _budget(self) -> Budget:
        name = type(self).__name__
        check_argument(name, "ridge", reals(0), self.ridge)
        check_argument(name, "flips", FLIPS, self.flips)
        check_argument(name, "divergence", DIVERGENCES, self.divergence)
        check_argument(name, "draws", integers(1), self.draws)
        promised = self.claimed
        return Budget(
            _logarithm(self.epsilon, float(promised.ratio)),
            float(promised.delta),
            self.smoothing,
            self.grid,
            self.rounds,
            self.start,
        )

    def _design(self, X: ArrayLike, y: ArrayLike, rng: np.random.Generator) -> Design:
        budget = self._budget()
        labels, data = labelled(X, y)
        costs = expected_costs if self.divergence == "expected" else ReusedDraws(self.draws, rng)
        parts = components(data, self.ridge, self.flips, costs)
        covariances = np.stack([part.covariance for part in parts])
        return Design(
            labels, class_means(data), covariances, alternate(parts, budget), budget.smoothing
        )


def labelled(X: ArrayLike, y: ArrayLike) -> tuple[tuple[Label, ...], LabelledData]:
    """Return the sorted labels in y, and the data with their places for labels.

    Raises
    ------
    ValueError
        If X is no N × d array of numbers, y not N labels, or a class has fewer than three records.
    """
    given = np.asarray(y)
    if given.ndim != 1 or given.dtype.kind not in "iuUO":
        got = f"an array of {given.ndim} dimensions and type {given.dtype}"
        raise argument_error("fit", "y", "a list of integers or texts", got)
    classes, places = np.unique(given, return_inverse=True)
    if len(classes) < 2:
        raise argument_error("fit", "y", "labels of at least two classes", "those of one")
    points = np.asarray(X, dtype=np.float64)
    data = LabelledData(points, places.tolist(), len(classes))
    data.require_members()
    return tuple(classes.tolist()), data


def _logarithm(epsilon: Any, ratio: float) -> float:
    """Return ε as a float, from its number or, for a text, from its ratio."""
    return float(np.log(ratio)) if isinstance(epsilon, str) else float(epsilon)
