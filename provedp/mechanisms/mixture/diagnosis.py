"""What the owner of labelled records may look at before a release, and must not publish."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from provedp.mechanisms.mixture.gaussian_mixture import Label
from provedp.mechanisms.mixture.private.estimator import PrivateMixture
from provedp.mechanisms.mixture.private.settings import read_data, read_settings

WARNING = "CONFIDENTIAL: not differentially private. Do not publish or act on it."


@dataclass(frozen=True, repr=False)
class MixtureDiagnosis:
    """How labelled records fit a public bound. It is confidential, and says so when it is printed.

    Attributes
    ----------
    records
        How many there are.
    class_sizes
        How many have each declared label.
    clipped_records
        How many are longer than the bound, and are moved inward by a release.
    longest_record
        Its length ‖S^(−½) (x − location)‖.
    constant_features
        Names of features with one value only.
    """

    records: int
    class_sizes: dict[str, int]
    clipped_records: int
    longest_record: float
    constant_features: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON can hold, the warning first."""
        return {"warning": WARNING, **vars(self), "constant_features": [*self.constant_features]}

    def __str__(self) -> str:
        sizes = ", ".join(f"{label}: {size}" for label, size in self.class_sizes.items())
        return "\n".join(
            [
                WARNING,
                f"records            {self.records}",
                f"class sizes        {sizes}",
                f"beyond the bound   {self.clipped_records}",
                f"longest record     {self.longest_record:.6g}",
                f"constant features  {', '.join(self.constant_features) or 'none'}",
            ]
        )

    __repr__ = __str__


def diagnose_mixture(
    X: ArrayLike,
    y: Sequence[Label],
    *,
    bound: float,
    classes: Sequence[Label],
    location: ArrayLike | None = None,
    shape: ArrayLike | None = None,
    features: Sequence[str] | None = None,
) -> MixtureDiagnosis:
    """Return how labelled records fit a bound, for the eyes of their owner only.

    A bound, location or shape that is chosen after looking at this is no longer public: choose them
    from what is known without these records.

    Parameters
    ----------
    X
        Records, an array of shape (n, d).
    y
        Their n labels, each one of `classes`.
    bound, classes, location, shape
        As in `PrivateMixture`: what a release would be told.
    features
        d names, for the report; x0, x1, … without them.

    Raises
    ------
    ValueError
        If an argument is out of range, or data do not fit them; no value of X or y is quoted.

    >>> found = diagnose_mixture([[3, 4], [0, 4], [1, 4]], ["a", "b", "b"], bound=4.5,
    ...                          classes=["a", "b", "c"], features=["height", "weight"])
    >>> found.clipped_records, found.longest_record, found.class_sizes
    (1, 5.0, {'a': 1, 'b': 2, 'c': 0})
    >>> print(found)
    CONFIDENTIAL: not differentially private. Do not publish or act on it.
    records            3
    class sizes        a: 1, b: 2, c: 0
    beyond the bound   1
    longest record     5
    constant features  weight
    """
    private = PrivateMixture(bound=bound, classes=classes, location=location, shape=shape)
    settings = read_settings(private.get_params())
    rows, members = read_data(settings, X, y)
    names = _names(features, rows.shape[1])
    centre = 0.0 if settings.location is None else settings.location
    factor = np.eye(rows.shape[1]) if settings.factor is None else settings.factor
    lengths = np.linalg.norm(np.linalg.solve(factor, (rows - centre).T), axis=0)
    counts = np.bincount(members, minlength=len(settings.classes))
    spread = np.ptp(rows, axis=0)
    return MixtureDiagnosis(
        records=len(rows),
        class_sizes={str(k): int(n) for k, n in zip(settings.classes, counts, strict=True)},
        clipped_records=int((lengths > settings.bound).sum()),
        longest_record=float(lengths.max()),
        constant_features=tuple(
            name for name, width in zip(names, spread, strict=True) if width == 0
        ),
    )


def _names(given: Sequence[str] | None, dimension: int) -> list[str]:
    names = [f"x{i}" for i in range(dimension)] if given is None else list(given)
    if len(names) != dimension:
        raise ValueError(
            f"'features' must be {dimension} names, one for each column. Got {len(names)} instead."
        )
    return names
