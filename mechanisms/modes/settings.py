"""The public settings of private estimators of a density, and their data, checked before noise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from typing import Any

import numpy as np

from provedp.mechanisms.modes.field import Axis, Floats, has_room
from provedp.mechanisms.parameters import delta_below, ratio_below
from provedp.theory.domain import Choice, OutsideError, check_argument, require
from provedp.theory.privacy import Adjacency

CLAIMS = {
    ("field", "replace"): "modes.private_field_hides_a_record",
    ("field", "add-remove"): "modes.private_field_hides_presence",
    ("local", "replace"): "modes.private_balls_hide_a_record",
    ("local", "add-remove"): "modes.private_balls_hide_presence",
}
METHOD = Choice(("auto", "field", "local"))
ADJACENCIES = {"replace": Adjacency.REPLACE_ONE, "add-remove": Adjacency.ADD_OR_REMOVE_ONE}
ADJACENCY = Choice(("replace", "add-remove"))
MOST_RECORDS = 1 << 26


PRIVATE_BOX = "private"
BOX_SHARE = Q(1, 10)  # of μ², for a box that is not public
TENTH = 10  # of a private box is the bandwidth, unless that is given


@dataclass(frozen=True, eq=False)
class Settings:
    """Public numbers of a release; without a box, one is released first.

    `bandwidth` holds one number, or one for each feature, or is None for a tenth of the box;
    `method` is 'field' or 'local'.
    """

    ratio: Q
    delta: Q
    box: Floats | None
    bandwidth: Floats | None
    adjacency: str
    method: str = "field"

    @property
    def claim(self) -> str:
        """Id of the claim that supports the guarantee."""
        return CLAIMS[self.method, self.adjacency]

    def axes(self, box: Floats) -> tuple[Axis, ...]:
        """Return the coordinates of a box; a bandwidth is at most its width."""
        widths = box[:, 1] - box[:, 0]
        wanted = widths / TENTH if self.bandwidth is None else self.bandwidth
        bandwidths = np.minimum(np.broadcast_to(wanted, widths.shape), widths)
        return tuple(
            Axis(float(low), float(high), float(h))
            for (low, high), h in zip(box, bandwidths, strict=True)
        )


@dataclass(frozen=True)
class Box:
    """Lists of d intervals."""

    def read(self, value: Any) -> Floats:
        """Return the ends as a d × 2 array."""
        require(value is not None, "nothing: it is public, and never read off the data")
        found = _floats(value)
        require(found.ndim == 2 and found.shape[1] == 2 and len(found) >= 1)
        require(bool(np.isfinite(found).all()) and bool((found[:, 0] < found[:, 1]).all()))
        return found

    def __str__(self) -> str:
        return "a list of intervals (low, high) with low < high, one for each feature"


@dataclass(frozen=True, eq=False)
class Bandwidth:
    """Bandwidths: one for all features or one for each; at most the widths of a public box."""

    box: Floats | None

    def read(self, value: Any) -> Floats:
        """Return the bandwidths as an array."""
        require(value is not None, "nothing: it is public, and never read off the data")
        found = np.atleast_1d(_floats(value))
        require(found.ndim == 1 and bool(np.isfinite(found).all()) and bool((found > 0).all()))
        if self.box is not None:
            require(found.shape in ((1,), (len(self.box),)))
            require(bool((found <= self.box[:, 1] - self.box[:, 0]).all()))
        return found

    def __str__(self) -> str:
        return "a positive number, or one for each feature, at most the width of the box"


@dataclass(frozen=True)
class Points:
    """Arrays of finite numbers, a row for each record."""

    columns: int | None

    def read(self, value: Any) -> Floats:
        """Return `value` as floats."""
        found = _floats(value)
        require(found.ndim == 2 and found.shape[1] >= 1, f"shape {found.shape}")
        require(self.columns in (None, found.shape[1]), f"{found.shape[1]} columns")
        require(len(found) <= MOST_RECORDS, f"{len(found)} records")
        finite = np.isfinite(found)
        if not finite.all():
            row, column = np.argwhere(~finite)[0]
            require(False, f"{found[row, column]} in row {row + 1}, column {column + 1}")
        return found

    def __str__(self) -> str:
        columns = "" if self.columns is None else f" with {self.columns} columns"
        return f"an array of finite numbers{columns}, a row for each record"


def read_settings(name: str, given: Mapping[str, Any]) -> Settings:
    """Return an estimator's parameters as settings; raise `ValueError` for the first bad one."""
    ratio = ratio_below(given["epsilon"], name)
    delta = delta_below(given["delta"], name)
    if ratio == 1:
        raise ValueError(f"{name}: 'epsilon' must be positive; got {given['epsilon']}.")
    if delta == 0:
        raise ValueError(f"{name}: 'delta' must be in (0, 1): no Gaussian noise gives δ = 0.")
    private = isinstance(given["box"], str) and given["box"] == PRIVATE_BOX
    box = None if private else check_argument(name, "box", Box(), given["box"])
    chosen = given["bandwidth"]
    tenth = private and chosen is None
    widths = None if tenth else check_argument(name, "bandwidth", Bandwidth(box), chosen)
    adjacency = check_argument(name, "adjacency", ADJACENCY, given["adjacency"])
    found = Settings(ratio, delta, box, widths, adjacency)
    method = check_argument(name, "method", METHOD, given.get("method", "field"))
    if method == "auto":
        method = "field" if box is None or has_room(found.axes(box)) else "local"
    return replace(found, method=method)


def read_points(name: str, settings: Settings, X: Any) -> Floats:
    """Return records as floats; raise `ValueError` naming the row and column that do not fit."""
    columns = None if settings.box is None else len(settings.box)
    if settings.box is None and settings.bandwidth is not None and len(settings.bandwidth) > 1:
        columns = len(settings.bandwidth)
    points: Floats = check_argument(name, "X", Points(columns), X)
    if settings.adjacency == "replace" and len(points) == 0:
        raise ValueError(f"{name}: 'X' has no records.")
    return points


def _floats(value: Any) -> Floats:
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise OutsideError(f"something that is no array of numbers ({error})") from None
