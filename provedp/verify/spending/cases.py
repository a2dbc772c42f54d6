"""Every estimator with a guarantee, with each adjacency, method and option, and neighbours."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction as Q
from functools import cache
from typing import Any

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.mixture import PrivateMixture
from provedp.mechanisms.modes import PrivateModalClustering, PrivateModalRegression, PrivateModes
from provedp.theory.arrays import Floats
from provedp.theory.privacy import Guarantee
from provedp.verify.spending.neighbours import Pairs, labelled, unlabelled
from provedp.verify.spending.recorder import Scripted, recording
from provedp.verify.spending.replay import Replay, replayed

Way = tuple[str, Q, bool]
WAYS: tuple[
    Way, ...
] = (  # what runs, how many times the right noise comes out, and from which side
    ("fit", Q(0), False),
    ("fit", Q(1), True),
    ("release", Q(30), False),
    ("fit", Q(30), True),
    ("release", Q(1), True),
)
FULLY = 3  # of the pairs are replayed in all ways even in a quick run
DELTA = "1/100"


@dataclass(frozen=True, eq=False)
class Case:
    """An estimator with its settings, and neighbours to replay it on.

    Parameters
    ----------
    name
        Class, adjacency and what is special.
    mechanism
        The estimator.
    pairs
        Neighbours by name.
    attains
        Share of the promise that some pair spends which is no data set of edges alone.
    """

    name: str
    mechanism: Any
    pairs: Pairs = field(repr=False)
    attains: Q = Q(9, 10)

    @property
    def guarantee(self) -> Guarantee:
        """What is promised."""
        found: Guarantee = self.mechanism.guarantee
        return found

    def fit(self, data: Any) -> Mapping[str, Any]:
        """Return all that a copy of the estimator holds after `fit`."""
        model = clone(self.mechanism)
        model.fit(*data) if isinstance(data, tuple) else model.fit(data)
        return dict(vars(model))

    def release(self, data: Any) -> Any:
        """Return what `release` gives, and what the estimator holds then."""
        model = clone(self.mechanism)
        return model.release(data), vars(model)

    def plan(self, *, quick: bool) -> Iterator[tuple[str, Any, tuple[Way, ...]]]:
        """Yield names, pairs, and the ways in which they are replayed."""
        for place, (name, pair) in enumerate(self.pairs.items()):
            few = quick and place >= FULLY
            yield name, pair, (WAYS[place % len(WAYS)],) if few else WAYS

    def replays(self, *, quick: bool) -> Iterator[tuple[str, Replay]]:
        """Yield the replays of all pairs: in every way, but later ones in one if `quick`."""
        for place, (name, pair, ways) in enumerate(self.plan(quick=quick)):
            for way, factor, backwards in ways:
                run = self.release if way == "release" else self.fit
                first, second = reversed(pair) if backwards else pair
                title = f"{name}, {way}{', backwards' * backwards}, noise × {factor}"
                yield title, replayed(run, first, second, place, factor)


def cases() -> tuple[Case, ...]:
    """Return the suite."""
    return (*_mixtures(), *_modes())


BOUND = 4.0
# Records, dimension, ε and rounds of the plan that they get under 'label', 'replace-one'.
PLANS = {"means only": (5, 2, 1), "one round": (40, 2, 1), "two rounds": (500, 2, 8)}

# Likewise with a pooled step, which releases a trace, or a matrix.
POOLED = {
    "from fitted": (50, 1, 1),
    "means only, from fitted": (5, 2, 1),
    "from fitted, shared matrix": (30, 2, 2),
    "from fitted, matrix": (500, 2, 2),
}


def _mixtures() -> Iterator[Case]:
    for adjacency in ("label", "replace-one", "add-remove"):
        for plan, (records, dimension, epsilon) in PLANS.items():
            for classes in (2, 3):
                yield _mixture(adjacency, plan, classes, records, dimension, epsilon)
        shape = [[2.0, 0.5], [0.5, 1.0]]
        yield _mixture(adjacency, "shape", 2, 40, 2, 1, location=[0.5, -0.25], shape=shape)
        for name, (records, dimension, epsilon) in POOLED.items():
            request = (name, 2, records, dimension, epsilon)
            yield _mixture(adjacency, *request, divergence="from-fitted", floor=0.01)


# A record that turns round within its class moves sums by 4a and second moments by nothing, one
# that changes its class sums by 2a and second moments by 2b: `moment_cost` charges 4a + 2b.
# One that changes its label alone is as far from both centres where it moves sums most: the trace
# stays as it is.
NOT_TIGHT = {
    ("replace-one", "two rounds"): Q(21, 25),
    ("replace-one", "from fitted"): Q(21, 25),
    ("replace-one", "means only, from fitted"): Q(22, 25),
    ("replace-one", "from fitted, matrix"): Q(20, 25),
    ("replace-one", "from fitted, shared matrix"): Q(20, 25),
    ("label", "means only, from fitted"): Q(22, 25),
}


def _mixture(
    adjacency: str,
    name: str,
    classes: int,
    records: int,
    dimension: int,
    epsilon: int,
    **settings: Any,
) -> Case:
    mechanism = PrivateMixture(
        epsilon,
        DELTA,
        bound=BOUND,
        classes=tuple(range(classes)),
        adjacency=adjacency,
        records=records,
        **settings,
    )
    pairs = labelled(adjacency, classes, dimension, BOUND, records)
    attains = NOT_TIGHT.get((adjacency, name), Q(9, 10))
    return Case(
        f"PrivateMixture, {adjacency}, {name}, {classes} classes", mechanism, pairs, attains
    )


WIDTH = 1.0
RECORDS = 4000
ESTIMATORS: Mapping[str, tuple[Callable[..., Any], Mapping[str, Any]]] = {
    "PrivateModes": (PrivateModes, {"modes": 2}),
    "PrivateModes, all": (PrivateModes, {}),
    "PrivateModalClustering": (PrivateModalClustering, {"clusters": 2}),
    "PrivateModalRegression": (PrivateModalRegression, {}),
}
STEPPING = {"PrivateModes": "1/20", "PrivateModes, all": "1/10", "PrivateModalClustering": "1/20"}
RUNS = (  # estimator, method, box
    ("PrivateModes", "bins", "public"),
    ("PrivateModes", "bins", "private"),
    ("PrivateModes", "steps", "public"),
    ("PrivateModes", "steps", "private"),
    ("PrivateModes", "field", "public"),
    ("PrivateModes", "field", "private"),
    ("PrivateModes", "local", "public"),
    ("PrivateModes", "local", "private"),
    ("PrivateModes, all", "bins", "public"),
    ("PrivateModes, all", "steps", "public"),
    ("PrivateModes, all", "field", "public"),
    ("PrivateModes, all", "local", "public"),
    ("PrivateModes, all", "auto", "private"),
    ("PrivateModalClustering", "bins", "public"),
    ("PrivateModalClustering", "bins", "private"),
    ("PrivateModalClustering", "steps", "public"),
    ("PrivateModalClustering", "field", "public"),
    ("PrivateModalClustering", "field", "private"),
    ("PrivateModalClustering", "local", "public"),
    ("PrivateModalClustering", "local", "private"),
    ("PrivateModalClustering", "auto", "public"),
    ("PrivateModalRegression", "bins", "public"),
    ("PrivateModalRegression", "bins", "private"),
    ("PrivateModalRegression", "field", "public"),
    ("PrivateModalRegression", "field", "private"),
)


def _modes() -> Iterator[Case]:
    for adjacency in ("replace-one", "add-remove"):
        for name, method, box in RUNS:
            yield _estimator(name, adjacency, method, box)


def _estimator(name: str, adjacency: str, method: str, box: str) -> Case:
    build, settings = ESTIMATORS[name]
    regression = build is PrivateModalRegression
    dimension = 2 if regression or method == "local" else 1
    low, high, width = *_corners(dimension), WIDTH
    given: dict[str, Any] = dict(settings, adjacency=adjacency)
    binned = method in ("bins", "steps")
    if build is PrivateModalClustering:
        given["steps"] = method == "steps"
    if not regression:
        given["method"] = "bins" if binned else method
    if adjacency == "add-remove" and binned:
        given["records"] = RECORDS
    if box == "public":
        given |= {"box": np.stack([low, high], axis=1), "bandwidth": WIDTH}
    else:
        low, high, width = _private_box(dimension, "bins" if binned else "local")
        given["box"] = box
    pairs = unlabelled(adjacency, low, high, width, RECORDS)
    if regression:
        pairs = {key: (_split(one), _split(two)) for key, (one, two) in pairs.items()}
    # Where a field can be chosen but not named, only with much δ does it have the least noise.
    delta = {"bins": 0, "steps": 0, "field": "1/5" if regression else DELTA}.get(method, DELTA)
    # At a small ε binned counts are followed by steps, or by less noise where it is large.
    mechanism = build(STEPPING[name] if method == "steps" else 2, delta, **given)
    return Case(f"{name}, {adjacency}, {method}, {box} box", mechanism, pairs)


def _corners(dimension: int) -> tuple[Floats, Floats]:
    return np.full(dimension, -8.0), np.full(dimension, 8.0)


@cache
def _private_box(dimension: int, method: str) -> tuple[Floats, Floats, float]:
    """Return the box, and the bandwidth, that records in its corners get without noise."""
    corners = np.tile(np.stack(_corners(dimension)), (RECORDS // 2, 1))
    with recording(Scripted(0, Q(0))):
        axes = PrivateModes(2, DELTA, box="private", method=method).fit(corners).axes_
    ends = np.array([(axis.low, axis.high) for axis in axes])
    return ends[:, 0], ends[:, 1], axes[0].bandwidth


def _split(points: Any) -> tuple[Any, Any]:
    return points[:, :-1], points[:, -1]
