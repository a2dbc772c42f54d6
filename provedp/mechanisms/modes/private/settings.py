"""The public settings of private estimators of a density, and their data, checked before noise."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from typing import Any

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import noise_target
from provedp.mechanisms.exact.parameters import root_below
from provedp.mechanisms.modes.private.bins import MOST_COLUMNS, MOST_NODES
from provedp.mechanisms.modes.private.field import Axis, has_room, require_room
from provedp.mechanisms.modes.private.planning import best_method, bins_have_room
from provedp.mechanisms.records import Records, Response, floats
from provedp.theory.arrays import Floats
from provedp.theory.domain import Choice, check_argument, require
from provedp.theory.privacy import Adjacency

CLAIMS = {
    ("bins", "replace-one"): "modes.private_bins_hide_a_record",
    ("bins", "add-remove"): "modes.private_bins_hide_presence",
    ("field", "replace-one"): "modes.private_field_hides_a_record",
    ("field", "add-remove"): "modes.private_field_hides_presence",
    ("local", "replace-one"): "modes.private_balls_hide_a_record",
    ("local", "add-remove"): "modes.private_balls_hide_presence",
    ("box", "replace-one"): "modes.private_box_and_modes_hide_a_record",
    ("box", "add-remove"): "modes.private_box_and_modes_hide_presence",
    ("pure box", "replace-one"): "modes.private_box_and_bins_hide_a_record",
    ("pure box", "add-remove"): "modes.private_box_and_bins_hide_presence",
}
METHOD = Choice(("auto", "bins", "field", "local"))
ADJACENCIES = {"replace-one": Adjacency.REPLACE_ONE, "add-remove": Adjacency.ADD_OR_REMOVE_ONE}
ADJACENCY = Choice(("replace-one", "add-remove"))
MOST_FEATURES = 1024  # squares of differences are exact up to there
WIDEST = 1e150
LEAST_BANDWIDTH = 1e-6  # in units of the box


PRIVATE_BOX = "private"
BOX_SHARE = Q(1, 10)  # of μ², or of ε, for a box that is not public
TENTH = 10  # of a private box is the bandwidth, unless that is given


@dataclass(frozen=True, eq=False)
class Settings:
    """Public numbers of a release.

    Without a box, one is released first, the bandwidth is a tenth of it, and the method is 'bins',
    or chosen by the number of features; with one, `method` is 'bins', 'field' or 'local'. Binned
    counts have δ = 0, whatever was allowed.
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
        boxed = "pure box" if self.method == "bins" else "box"
        return CLAIMS[boxed if self.box is None else self.method, self.adjacency]

    def method_for(self, axes: tuple[Axis, ...]) -> str:
        """Return the method, which the number of features decides after a private box."""
        if self.method != "auto":
            return self.method
        return "field" if has_room(axes) else "local"

    @property
    def pure_parts(self) -> tuple[Q, Q]:
        """e^ε of a private box, 1 where it is public, and of the binned counts in it.

        Their product is `ratio`.
        """
        box = Q(1) if self.box is not None else root_below(self.ratio, BOX_SHARE.denominator)
        return box, self.ratio / box

    def axes(self, box: Floats) -> tuple[Axis, ...]:
        """Return the coordinates of a box."""
        bandwidths = (box[:, 1] - box[:, 0]) / TENTH if self.bandwidth is None else self.bandwidth
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
        found = floats(value)
        require(found.ndim == 2 and found.shape[1] == 2 and len(found) >= 1)
        require(bool((np.abs(found) <= WIDEST).all()) and bool((found[:, 0] < found[:, 1]).all()))
        require(len(found) <= MOST_FEATURES, f"{len(found)} intervals")
        return found

    def __str__(self) -> str:
        return "a list of intervals (low, high), low < high, one for each feature, or 'private'"


@dataclass(frozen=True, eq=False)
class Bandwidth:
    """Bandwidths: one for all features or one for each."""

    box: Floats

    def read(self, value: Any) -> Floats:
        """Return one bandwidth for each feature."""
        require(value is not None, "nothing: it is public, and never read off the data")
        found = np.atleast_1d(floats(value))
        require(found.shape in ((1,), (len(self.box),)))
        widths = self.box[:, 1] - self.box[:, 0]
        full = np.broadcast_to(found, widths.shape).copy()
        require(bool(((full >= LEAST_BANDWIDTH * widths) & (full <= widths)).all()))
        return full

    def __str__(self) -> str:
        return (
            "a positive number, or one for each feature, "
            f"from {LEAST_BANDWIDTH:g} of the width of the box up to that"
        )


def read_settings(name: str, given: Mapping[str, Any]) -> Settings:
    """Return an estimator's parameters as settings; raise `ValueError` for the first bad one."""
    ratio, delta = noise_target(name, given["epsilon"], given["delta"])
    adjacency = check_argument(name, "adjacency", ADJACENCY, given["adjacency"])
    everywhere = "method" not in given  # an estimate of the whole box, by whichever method
    method = check_argument(name, "method", METHOD, given.get("method", "auto"))
    if delta == 0 and method in ("field", "local"):
        raise ValueError(
            f"{name}: 'delta' must be in (0, 1) for method {method!r}, whose noise is Gaussian; "
            "'bins' has δ = 0."
        )
    chosen = given["bandwidth"]
    if isinstance(given["box"], str) and given["box"] == PRIVATE_BOX:
        if chosen is not None:
            raise ValueError(
                f"{name}: 'bandwidth' must be left out with a private box: it is a tenth of that."
            )
        if delta == 0 or method == "bins":
            return Settings(ratio, Q(0), None, None, adjacency, "bins")
        method = "field" if everywhere else method
        return Settings(ratio, delta, None, None, adjacency, method)
    box: Floats = check_argument(name, "box", Box(), given["box"])
    widths: Floats = check_argument(name, "bandwidth", Bandwidth(box), chosen)
    found = Settings(ratio, delta, box, widths, adjacency, method)
    axes = found.axes(box)
    if method == "auto":
        method = best_method(axes, adjacency, ratio, delta)
    if everywhere and method == "local" and delta > 0:
        require_room(axes, "a larger bandwidth or fewer columns")
    if delta == 0 or method == "bins":
        _require_nodes(name, axes)
        return replace(found, method="bins", delta=Q(0))
    return replace(found, method=method)


def _require_nodes(name: str, axes: tuple[Axis, ...]) -> None:
    """Raise `ValueError` if binned counts have no room."""
    if not bins_have_room(axes):
        raise ValueError(
            f"{name}: 'bandwidth': binned counts, as δ = 0 needs, are for {MOST_COLUMNS} columns "
            f"and {MOST_NODES} nodes of the box at most; choose a larger bandwidth, fewer columns, "
            "or δ > 0 and the local method."
        )


def read_points(name: str, settings: Settings, X: Any) -> Floats:
    """Return records as floats; raise `ValueError` naming the column that does not fit.

    A private box and a field must have room for so many columns: that is known before any noise.
    """
    columns = None if settings.box is None else len(settings.box)
    points: Floats = check_argument(name, "X", _records(settings, columns), X)
    return _checked(name, settings, points)


def read_pairs(name: str, settings: Settings, X: Any, y: Any) -> Floats:
    """Return features and response side by side, likewise."""
    columns = None if settings.box is None else len(settings.box) - 1
    features: Floats = check_argument(name, "X", _records(settings, columns), X)
    response: Floats = check_argument(name, "y", Response(len(features)), y)
    return _checked(name, settings, np.column_stack([features, response]))


def _records(settings: Settings, columns: int | None) -> Records:
    return Records(columns, MOST_FEATURES, hidden=settings.adjacency == "add-remove")


def _checked(name: str, settings: Settings, points: Floats) -> Floats:
    if settings.adjacency == "replace-one" and len(points) == 0:
        raise ValueError(f"{name}: 'X' has no records.")
    if settings.box is None:
        unit = settings.axes(np.tile([0.0, 1.0], (points.shape[1], 1)))
        if settings.method == "field":
            require_room(unit, "fewer columns or the local method")
        if settings.method == "bins":
            _require_nodes(name, unit)
    return points
