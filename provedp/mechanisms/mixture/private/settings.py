"""The public settings of a private mixture, and its data: read and checked before any noise."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.mechanisms.exact.gaussian_budget import gaussian_target
from provedp.mechanisms.mixture.gaussian_mixture import Label
from provedp.mechanisms.mixture.private.lattice import DIMENSIONS
from provedp.mechanisms.records import Records, floats
from provedp.theory.arrays import Floats
from provedp.theory.domain import (
    Choice,
    OutsideError,
    check_argument,
    check_float,
    integers,
    reals,
    require,
)

NAME = "PrivateMixture"
CLAIMS = {
    "label": "mixture.private_mixture_hides_a_label",
    "replace-one": "mixture.private_mixture_hides_a_record",
    "add-remove": "mixture.private_mixture_hides_presence",
}
ADJACENCY = Choice(tuple(CLAIMS))
DIVERGENCE = Choice(("to-fitted", "from-fitted"))
BOUND = reals(1e-60, 1e60)
LEAST_FLOOR = 1e-12  # in units of the squared bound
MOST_GUESSED = 10**12  # records
FLOOR_SHARE = 60  # the floor's root is the bound over this, unless given
CONDITION = 1e10  # largest of a public shape: lattices are fine enough for it


@dataclass(frozen=True, eq=False)
class Settings:
    """Public numbers of a release; `factor` is L with S = L Lᵀ (None: the identity)."""

    ratio: Q
    delta: Q
    bound: float
    classes: tuple[Label, ...]
    adjacency: str
    location: Floats | None
    factor: Floats | None
    floor: float
    harmonic: bool
    records: int | None


@dataclass(frozen=True)
class Labels:
    """Sets of labels: integers or texts."""

    def read(self, value: Any) -> tuple[Label, ...]:
        """Return the labels as a tuple."""
        require(value is not None and not isinstance(value, str) and np.ndim(value) == 1)
        found = tuple(x.item() if isinstance(x, np.generic) else x for x in value)
        require(len(found) >= 1 and len({type(label) for label in found}) == 1)
        require(isinstance(found[0], (int, str)) and not isinstance(found[0], bool))
        require(len(set(found)) == len(found))
        return found

    def __str__(self) -> str:
        return "a list of distinct labels (all integers or all texts), known publicly"


@dataclass(frozen=True)
class Vector:
    """Vectors of finite numbers."""

    def read(self, value: Any) -> Floats:
        """Return `value` as floats."""
        found = floats(value)
        require(found.ndim == 1 and len(found) >= 1 and bool(np.isfinite(found).all()))
        return found

    def __str__(self) -> str:
        return "a vector of finite numbers, one for each feature"


@dataclass(frozen=True)
class Shape:
    """Symmetric positive definite matrices."""

    def read(self, value: Any) -> Floats:
        """Return the Cholesky factor of `value`."""
        found = floats(value)
        require(found.ndim == 2 and found.shape[0] == found.shape[1] >= 1)
        require(bool(np.isfinite(found).all()) and np.allclose(found, found.T, rtol=1e-9, atol=0))
        values = np.linalg.eigvalsh(found)
        require(values[0] > 0 and values[-1] <= CONDITION * values[0])
        factor: Floats = np.asarray(np.linalg.cholesky(found), dtype=np.float64)
        return factor

    def __str__(self) -> str:
        return f"a symmetric positive definite matrix of condition at most {CONDITION:g}"


@dataclass(frozen=True)
class Members:
    """Lists of labels, one for each record."""

    classes: tuple[Label, ...]
    records: int

    def read(self, value: Any) -> NDArray[np.intp]:
        """Return the position of each label in the list of classes."""
        require(not np.ma.isMaskedArray(value), "a masked array")
        # One label at a time: an array of all would give them one type, which one may change.
        labels = value.tolist() if isinstance(value, np.ndarray) else _listed(value)
        require(isinstance(labels, list), "something that is no list")
        require(len(labels) == self.records, "another number of them")
        places = {label: place for place, label in enumerate(self.classes)}
        found = [places.get(label, -1) if _hashable(label) else -1 for label in labels]
        require(-1 not in found, "a list with another label")
        return np.array(found, dtype=np.intp)

    def __str__(self) -> str:
        shown = ", ".join(map(repr, self.classes[:6])) + (", …" if len(self.classes) > 6 else "")
        return f"a list of labels, one for each row of 'X', each one of {shown}"


def read_settings(given: Mapping[str, Any]) -> Settings:
    """Return an estimator's parameters as settings; raise `ValueError` for the first bad one."""
    ratio, delta = gaussian_target(NAME, given["epsilon"], given["delta"])
    bound = check_float(NAME, "bound", BOUND, _given("bound", given["bound"]))
    floor = given["floor"]
    allowed = reals(LEAST_FLOOR * bound**2, bound**2)
    records = given["records"]
    location, factor = (
        None if given[name] is None else check_argument(NAME, name, range_, given[name])
        for name, range_ in (("location", Vector()), ("shape", Shape()))
    )
    if location is not None and factor is not None and len(location) != len(factor):
        raise ValueError(
            f"{NAME}: 'location' has {len(location)} numbers, 'shape' has {len(factor)} rows."
        )
    return Settings(
        ratio=ratio,
        delta=delta,
        bound=bound,
        classes=check_argument(NAME, "classes", Labels(), _given("classes", given["classes"])),
        adjacency=check_argument(NAME, "adjacency", ADJACENCY, given["adjacency"]),
        location=location,
        factor=factor,
        floor=(bound / FLOOR_SHARE) ** 2
        if floor is None
        else check_float(NAME, "floor", allowed, floor),
        harmonic=check_argument(NAME, "divergence", DIVERGENCE, given["divergence"]) == "to-fitted",
        records=None
        if records is None
        else check_argument(NAME, "records", integers(1, MOST_GUESSED), records),
    )


def read_data(settings: Settings, X: Any, y: Any) -> tuple[Floats, NDArray[np.intp]]:
    """Return features as floats and the place of each record's class.

    Raises
    ------
    ValueError
        Naming the column that does not fit, and never a value or a row: these are private.
    """
    known = settings.location if settings.location is not None else settings.factor
    dimension = None if known is None else len(known)
    features: Floats = check_argument(
        NAME, "X", Records(dimension, DIMENSIONS, settings.adjacency == "add-remove"), X
    )
    members: NDArray[np.intp] = check_argument(
        NAME, "y", Members(settings.classes, len(features)), y
    )
    if settings.adjacency != "add-remove" and len(features) == 0:
        raise ValueError(f"{NAME}: 'X' has no records.")
    return features, members


def _given(name: str, value: Any) -> Any:
    if value is None:
        raise ValueError(
            f"{NAME}: '{name}' must be given: it is public, and never read off the data."
        )
    return value


def _listed(value: Any) -> list[Any]:
    try:
        return [each.item() if isinstance(each, np.generic) else each for each in value]
    except TypeError:
        raise OutsideError(f"something that is no list ({type(value).__name__})") from None


def _hashable(label: Any) -> bool:
    return isinstance(label, (int, float, str)) and not isinstance(label, bool)
