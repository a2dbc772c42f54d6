"""Events in which two data sets are told apart, learned from runs that are not counted later."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from provedp.theory.arrays import Floats
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.scores.bits import features, fit_atoms, fit_lowest_bit
from provedp.verify.audit.events.scores.classifiers import fit_linear, fit_tree
from provedp.verify.audit.events.scores.decorrelated import are_correlated, fit_whitened
from provedp.verify.audit.events.scores.histograms import fit_additive, fit_bins
from provedp.verify.audit.events.scores.noise_families import fit_family, is_family
from provedp.verify.audit.events.scores.patterns import fit_patterns, has_patterns
from provedp.verify.audit.events.scores.projections import (
    WIDE,
    Projection,
    fit_projection,
    is_wide,
)
from provedp.verify.audit.events.scores.score import (
    Coordinate,
    Histogram,
    Score,
    distinct,
    outcomes,
)
from provedp.verify.audit.events.scores.views import View, fit_features
from provedp.verify.audit.events.thresholds import best_thresholds
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.notions.notions import PrivacyNotion

FEW_OUTCOMES = 0.5  # share of runs whose outcome must have been seen in the other half
PRIOR = 0.5  # runs added to each count of an estimated ratio
COORDINATES = 16  # of a vector that are looked at one by one
MOST_LISTED = 64  # different outputs up to which only their frequencies are learned
DISTINGUISHED = 2000  # runs of wide outputs that are told apart
VIEWED = 20_000  # runs on each data set whose features are looked at
PLAIN = re.compile(
    r'[012]|\{"(np":"\w+"|(list|tuple)":[012],"n":\d+|array":"\w+","shape":[\d,\[\]]+)\}'
)
ENOUGH = 100  # runs on each data set from which scores with many parameters are learned

Fit = Callable[[Batch, Batch], Score]
See = Callable[[Batch, Batch], View | Projection | None]


@dataclass(frozen=True)
class Learned:
    """An event, and the bound it promises."""

    event: Event
    level: float


def learn(
    first: Batch, second: Batch, claim: PrivacyNotion, runs: int, channel: str = "value"
) -> Learned:
    """Return the event with the highest bound to be expected from `runs` more runs per data set.

    Each kind of score is fitted on one half of the runs and judged on the other, both ways.
    """
    best: Learned | None = None
    for score, p, q in candidates(first, second, channel):
        thresholds = best_thresholds(p, q, claim, runs)
        if best is None or thresholds.level > best.level:
            best = Learned(Event(score, thresholds.high, thresholds.low), thresholds.level)
    if best is None:
        raise ValueError("The outputs hold nothing that this channel looks at.")
    return best


def candidates(first: Batch, second: Batch, channel: str) -> Iterator[tuple[Score, Floats, Floats]]:
    """Yield scores, with their values on runs that they were not fitted on."""
    (own, other), (own_second, other_second) = _halves(first), _halves(second)
    for see in views(first, second) if channel != "bits" else ():
        yield from _viewed_candidates(see, (own, own_second), (other, other_second))
        yield from _viewed_candidates(see, (other, other_second), (own, own_second))
    for fit in fits(first, second, channel):
        one, two = fit(own, own_second), fit(other, other_second)
        if one == two:
            yield one, one.of(first), one.of(second)
        else:
            yield one, one.of(other), one.of(other_second)
            yield two, two.of(own), two.of(own_second)


def _halves(batch: Batch) -> tuple[Batch, Batch]:
    return batch.rows(slice(0, None, 2)), batch.rows(slice(1, None, 2))


def views(first: Batch, second: Batch) -> Iterator[See]:
    """Yield what makes vectors of features of outputs that are no short plain vectors."""
    if not (_is_plain(first, second) and _is_ordinary(first) and _is_ordinary(second)):
        yield fit_features
    if is_wide(first, second):
        yield fit_projection


def _viewed_candidates(
    see: See, fitted: tuple[Batch, Batch], judged: tuple[Batch, Batch]
) -> Iterator[tuple[Score, Floats, Floats]]:
    """Yield scores of features, learned on some runs and evaluated on others."""
    view = see(*fitted)
    if view is None:
        return
    few = [batch.rows(slice(0, VIEWED)) for batch in (*fitted, *judged)]
    one, two, other, other_second = map(view, few)
    joint = _vector_fits(one, two, _enough(one, two))
    for fit in chain(_coordinate_fits(one, two, single=False, ordered=True), joint):
        score = fit(one, two)
        yield view.score(score), score.of(other), score.of(other_second)


def fits(first: Batch, second: Batch, channel: str) -> Iterator[Fit]:
    """Yield the kinds of scores of a channel that suit the outputs."""
    yield from (_bit_fits if channel == "bits" else _value_fits)(first, second)


def _value_fits(first: Batch, second: Batch) -> Iterator[Fit]:
    """Yield the kinds of scores that suit the outputs.

    Of few different outputs the histogram tells all there is to learn.
    """
    width = first.numbers.shape[1]
    wide = is_wide(first, second)
    places = _places(first)
    many = places.max(initial=-1) >= MOST_LISTED and _enough(first, second)
    long = any('"long"' in token for token in (*first.tokens, *second.tokens))
    if _is_discrete(places) or width == 0 or long:
        yield fit_histogram
    if long:
        return  # what a float does not hold of an integer is in the tokens: left to the features
    single = width == 1
    if single and _enough(first, second) and is_family(first, second):
        yield fit_family
    if not wide:
        yield from _vector_fits(first, second, many)
        yield from _coordinate_fits(first, second, single)


def _vector_fits(first: Batch, second: Batch, many: bool) -> Iterator[Fit]:
    """Yield the kinds of scores of several numbers together."""
    width = first.numbers.shape[1]
    if (width > 1 or len(set(first.tokens) | set(second.tokens)) > 1) and many:
        yield lambda p, q: fit_linear(p, q, squares=False)
        yield lambda p, q: fit_linear(p, q, squares=True)
        yield fit_tree
    if 1 < width <= WIDE and many:
        yield fit_additive
        if are_correlated(first, second):
            yield fit_whitened
        if has_patterns(first):
            yield fit_patterns


def _coordinate_fits(
    first: Batch, second: Batch, single: bool, ordered: bool = False
) -> Iterator[Fit]:
    """Yield the kinds of scores of one number, the most telling first or in their own order."""
    telling = _telling_coordinates(first, second)
    for index in sorted(telling) if ordered else telling:
        yield lambda p, q, i=index: fit_coordinate(p, q, i, single)  # type: ignore[misc]
        if _enough(first, second):
            yield lambda p, q, i=index: fit_bins(p, q, i, single)  # type: ignore[misc]


def _is_plain(first: Batch, second: Batch) -> bool:
    """Return whether all outputs are numbers, or vectors of so many numbers, of one type."""
    tokens = set(first.tokens) | set(second.tokens)
    return len(tokens) == 1 and PLAIN.fullmatch(tokens.pop()) is not None


def _is_ordinary(batch: Batch) -> bool:
    """Return whether no number is infinite, missing or −0."""
    x = batch.numbers
    return bool(np.isfinite(x).all() and not np.any(np.signbit(x) & (x == 0)))


def _enough(first: Batch, second: Batch) -> bool:
    return min(len(first), len(second)) >= ENOUGH


def _bit_fits(first: Batch, second: Batch) -> Iterator[Fit]:
    """Yield the kinds of scores of the bit-level channel."""
    width = min(first.numbers.shape[1], second.numbers.shape[1], COORDINATES)
    for index, feature in features(width):
        yield lambda p, q, i=index, f=feature: fit_lowest_bit(p, q, i, f)  # type: ignore[misc]
        yield lambda p, q, i=index: fit_atoms(p, q, i)  # type: ignore[misc]


def _places(batch: Batch) -> NDArray[np.intp]:
    """Return for each run the index of its output; wide outputs are told apart one by one."""
    if batch.numbers.shape[1] <= WIDE:
        return distinct(batch)[1]
    few = batch.rows(slice(0, DISTINGUISHED))
    rows = zip(few.codes.tolist(), few.numbers, strict=True)
    digests = [hash((code, row.tobytes())) for code, row in rows]
    return np.unique(digests, return_inverse=True)[1]


def _is_discrete(indices: NDArray[np.intp]) -> bool:
    """Return whether most of every other run have an output that came up in the rest, too."""
    if len(indices) == 0:
        return True
    known = np.zeros(len(indices), dtype=bool)
    known[indices[::2]] = True
    return bool(known[indices[1::2]].mean() > FEW_OUTCOMES)


def _telling_coordinates(first: Batch, second: Batch) -> list[int]:
    """Return the coordinates whose means or missing values differ most."""
    width = min(first.numbers.shape[1], second.numbers.shape[1])
    parts = [batch.numbers[:, :width] for batch in (first, second)]
    missing = [np.isnan(x) for x in parts]
    filled = [
        np.clip(np.where(m, 0.0, x), -1e100, 1e100) for x, m in zip(parts, missing, strict=True)
    ]
    gap = np.abs(filled[0].mean(0) - filled[1].mean(0))
    spread = filled[0].std(0) + filled[1].std(0)
    telling = gap / np.maximum(spread, 1e-300) + np.abs(missing[0].mean(0) - missing[1].mean(0))
    return [int(index) for index in np.argsort(-telling, kind="stable")[:COORDINATES]]


def fit_histogram(first: Batch, second: Batch) -> Histogram:
    """Return the logarithms of the ratios of frequencies."""
    counts: dict[str, list[float]] = {}
    for side, batch in enumerate((first, second)):
        names, indices = outcomes(batch)
        for name, count in zip(names, np.bincount(indices, minlength=len(names)), strict=True):
            counts.setdefault(name, [PRIOR, PRIOR])[side] += count / len(batch) * len(first)
    return Histogram({name: float(np.log(p / q)) for name, (p, q) in counts.items()}, 0.0)


def fit_coordinate(first: Batch, second: Batch, index: int, single: bool) -> Coordinate:
    """Return the coordinate, or its negative, that is larger on the first data set."""
    score = Coordinate(index, 1, single)
    p, q = np.sort(score.of(first)), np.sort(score.of(second))
    below, up_to = (float(np.searchsorted(q, p, side).mean()) for side in ("left", "right"))
    larger = below + up_to >= len(q)
    return score if larger else Coordinate(index, -1, single)
