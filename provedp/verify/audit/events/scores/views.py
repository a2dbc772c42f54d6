"""Scores of features: of outputs that are no plain vectors, or are wide ones."""

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.features.description import QUESTIONS, Feature, absence
from provedp.verify.audit.events.features.reading import describe
from provedp.verify.audit.events.features.vocabulary import by_token, telling_features
from provedp.verify.audit.events.features.words import words_of
from provedp.verify.audit.events.scores.score import Coordinate, Score
from provedp.verify.audit.targets.outputs import Batch, batch_of_array

PLACE = re.compile(r"output\[(\d+)\]")


@dataclass(frozen=True)
class Viewed(Score):
    """A score of named features of an output instead of its numbers.

    Attributes
    ----------
    features
        Kind, path and argument of each.
    inner
        The score of the vector of these.
    """

    kind: ClassVar[str] = "viewed"
    features: tuple[Feature, ...]
    inner: Score

    def __post_init__(self) -> None:
        features = tuple(tuple(each) for each in self.features)
        object.__setattr__(self, "features", features)  # from JSON they are lists

    def of(self, batch: Batch) -> Floats:
        """Return the score of the features."""
        return self.inner.of(viewed(batch, self.features))

    def words(self, threshold: float, above: bool) -> str:
        """Say it with the names of the features."""
        inner = self.inner
        if isinstance(inner, Coordinate):
            feature = self.features[inner.index]
            limit, upwards = inner.sign * threshold, above == (inner.sign > 0)
            if feature[0] in QUESTIONS and (0 < limit <= 1 if upwards else 0 <= limit < 1):
                return words_of(feature) if upwards else f"not ({words_of(feature)})"
        return PLACE.sub(
            lambda m: words_of(self.features[int(m[1])]), inner.words(threshold, above)
        )

    def record(self) -> dict[str, Any]:
        """Return the score as JSON data."""
        return {**super().record(), "inner": self.inner.record()}


def viewed(batch: Batch, features: tuple[Feature, ...]) -> Batch:
    """Return a batch of vectors of features, those that an output lacks missing."""
    table = np.empty((len(batch), len(features)))
    absent = [absence(feature) for feature in features]
    for token, rows in by_token(batch):
        found, numbers = describe(token), batch.numbers[rows]
        constants = found.constants
        table[rows] = [
            constants.get(each, none) for each, none in zip(features, absent, strict=True)
        ]
        if not found.is_constant:
            for place, feature in enumerate(features):
                table[rows, place] = found.of(feature, numbers)
    return batch_of_array(table)


def fit_features(first: Batch, second: Batch) -> "View | None":
    """Return the view of what tells the data sets apart, or None if nothing does."""
    features = telling_features(first, second)
    return View(features) if features else None


@dataclass(frozen=True)
class View:
    """What makes vectors of outputs, and scores of outputs from scores of such vectors."""

    features: tuple[Feature, ...]

    def __call__(self, batch: Batch) -> Batch:
        """Return the vectors."""
        return viewed(batch, self.features)

    def score(self, inner: Score) -> Score:
        """Return a score of vectors as one of outputs."""
        return Viewed(self.features, inner)
