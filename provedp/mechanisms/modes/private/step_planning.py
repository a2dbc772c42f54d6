"""Whether a step from each peak is worth its share of ε, and how far it goes: by public numbers.

As in `planning`, the reference is one normal mode, and its height in the first estimate tells how
many records it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as Q
from functools import lru_cache
from itertools import product
from math import log, prod, sqrt

import numpy as np

from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.exact.sampling import ByteSource
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.modes.private.bins import BinAxis, bins_noise, one_record
from provedp.mechanisms.modes.private.certainty import FALSE_PEAK_RATE, Noisy
from provedp.mechanisms.modes.private.field import Axis, Field
from provedp.mechanisms.modes.private.peaks import Peaks, grid_of, peaks_of
from provedp.mechanisms.modes.private.planning import TAILS, WIDTH, Layout
from provedp.mechanisms.modes.private.steps import (
    LONGEST,
    WHOLE,
    StepRule,
    half_side,
    half_sides,
    release_slopes,
    slope_of_normal,
    step_noise,
)
from provedp.theory.arrays import Floats

SHARES = tuple(Q(tenths, 10) for tenths in (7, 6, 5, 4, 3))
SOFTNESSES = (0.25, 0.5, 1.0)  # sharper ones are moved less by noise, softer ones by the draw
NO_RECORDS = 1e-9
ONE_PLACE = 1.0  # of the grid where noise is as high as a peak, on the mean
FAINT = 0.5  # of the reference's records, where the number of modes is not known
ABOVE = 2.0  # deviations of a peak's own noise by which it is to be clear
SLOPE_ERROR = 0.2  # of the slope that heights tell: modes are wider or narrower than the reference
LOWER = 2.0  # deviations of the noise between the lowest of the peaks that are wanted and the next
RATE = FALSE_PEAK_RATE / 2  # for either of the two estimates of which one is looked at
DIFFERENCE = 1e-4  # squared bandwidths in a coordinate by which modes of both kernels differ


@dataclass(frozen=True)
class Moves:
    """Mean squares of how far a reference of one record moves, in squared bandwidths.

    Parameters
    ----------
    noise, aliasing, sampling
        By the noise of the counts, by their nodes and by the draw of the record.
    step_noise, step_sampling
        Of the place to which a full step leads.
    """

    noise: float
    aliasing: float
    sampling: float
    step_noise: float
    step_sampling: float

    def parts(self, records: float) -> tuple[float, float]:
        """Return what a full step takes away of `records` records' mean square, and what it adds.

        The draw of the records moves both places: by as much, but for the difference.
        """
        more = (self.sampling - self.step_sampling) / records
        before = self.noise / records**2 + self.aliasing + max(more, 0.0)
        return before, self.step_noise / records**2 + max(-more, 0.0)

    def error(self, records: float) -> float:
        """Return the mean square after as much of a step as is best.

        On coarse nodes noise moves a peak further than `noise` says: by about their aliasing.
        """
        before, after = self.parts(records)
        drawn = min(self.sampling, self.step_sampling) / records
        wrong = SLOPE_ERROR**2 * self.noise / records**2 + self.aliasing
        return before * after / (before + after) + wrong + drawn


@dataclass(frozen=True)
class StepPlan:
    """Binned counts with a part of the budget, and steps from their peaks with the rest.

    Parameters
    ----------
    whole
        The counts as they are if all of the budget is spent on them.
    ratio
        e^ε of all.
    adjacency
        What neighbours differ in.
    rule
        How the budget is divided.
    """

    whole: Layout
    ratio: Q
    adjacency: str
    rule: StepRule

    @property
    def first(self) -> Layout:
        """The counts with the noise of their part."""
        noise, one = self.counts.first, one_record(len(self.whole.axes))
        return replace(self.whole, deviation=noise.deviation / one, rate=noise.rate * one)

    @property
    def grid(self) -> tuple[BinAxis, ...]:
        """Coordinates of the counts."""
        return tuple(axis for axis in self.whole.axes if isinstance(axis, BinAxis))

    @property
    def counts(self) -> RefinableGeometric:
        """Noise of the counts, of which a part goes if no step is made."""
        return _noises(len(self.whole.axes), self.adjacency, self.ratio, self.rule)[0]

    @property
    def steps(self) -> TwoSidedGeometric:
        """Noise of the slopes."""
        return _noises(len(self.whole.axes), self.adjacency, self.ratio, self.rule)[1]

    def moves(self, width: float, side: float) -> Moves:
        """Return what moves a reference of a width, in a cube of this half side, in bandwidths."""
        columns, counts = len(self.whole.axes), self.counts
        noise, aliasing, sampling = _moves_of_counts(self.whole, width)
        fall, square = slope_of_normal(columns, side, self.rule.softness, width)
        return Moves(
            noise * (counts.first.deviation / counts.last.deviation) ** 2,
            aliasing,
            sampling,
            columns * (self.steps.deviation / WHOLE / fall) ** 2,
            columns * square / fall**2,
        )

    def error(self, records: float, width: float) -> float:
        """Return the mean squared distance, in squared bandwidths, that a reference moves.

        The noise of the counts is taken for TAILS times what it is.
        """
        columns = len(self.whole.axes)
        moves = self.moves(width, half_side(columns))
        heavy = replace(moves, noise=TAILS**2 * moves.noise)
        return heavy.error(records) + columns * DIFFERENCE

    def mean_error(self, records: float, widths: Sequence[float]) -> float:
        """Return the mean of errors over references."""
        return sum(self.error(records, width) for width in widths) / len(widths)

    def stepped(
        self,
        points: Floats,
        axes: Sequence[Axis],
        field: Field,
        peaks: Peaks,
        rng: ByteSource | None,
    ) -> Peaks:
        """Release the slopes at peaks, and return peaks one step further, with heights there.

        A step is the slope by its fall for one bandwidth, which a reference of the peak's height
        has, and less where the counts are as sure of the place.
        """
        noise, softness = self.steps, self.rule.softness
        found = release_slopes(points, peaks.places, axes, softness, noise, rng)
        widths = np.array([axis.bandwidth for axis in axes])
        sides = half_sides(peaks.places, widths)
        records = np.maximum(peaks.heights / self.first.height, NO_RECORDS)
        steps = np.array(
            [
                found[k] / held * self._part(float(held), float(side))
                for k, (held, side) in enumerate(zip(records, sides, strict=True))
            ]
        )
        box = np.array([(axis.low, axis.high) for axis in axes])
        moved = peaks.places + widths * np.clip(steps, -LONGEST, LONGEST)
        places = np.clip(moved, *box.T)
        heights = field.intensity(places)
        order = np.argsort(-heights, kind="stable")
        places = places[order]
        deviations = field.noise_deviation(places)
        return Peaks(places, heights[order], deviations, peaks.sure[order])

    def _part(self, records: float, side: float) -> float:
        """Return how much of a step is made for a slope of one, in bandwidths."""
        before, after = self.moves(WIDTH, side).parts(records)
        fall = slope_of_normal(len(self.whole.axes), side, self.rule.softness, WIDTH)[0]
        return before / (before + after) / fall


@lru_cache(maxsize=256)
def _noises(
    columns: int, adjacency: str, ratio: Q, rule: StepRule
) -> tuple[RefinableGeometric, TwoSidedGeometric]:
    """Return the noise of counts, before and after it is refined, and that of slopes."""
    before, rest = rule.parts(ratio)
    first, last = (bins_noise(columns, adjacency, k) for k in (before, ratio))
    return RefinableGeometric(first.ratio, last.ratio), step_noise(adjacency, rest)


@lru_cache(maxsize=4096)
def _moves_of_counts(whole: Layout, width: float) -> tuple[float, float, float]:
    """Return the mean squares by which noise, nodes and the draw move a reference of one record."""
    counts = replace(whole, width=width)
    return counts.displacement**2, counts.aliasing**2, counts.sampling


def best_steps(
    grids: Sequence[Layout],
    ratio: Q,
    adjacency: str,
    records: float,
    widths: Sequence[float],
    *,
    known: bool,
) -> StepPlan | None:
    """Return the plan that moves references of so many records least, if steps are worth it.

    Parameters
    ----------
    grids
        Counts as they are if all of the budget is spent on them.
    ratio, adjacency
        As for a `StepPlan`.
    records
        Of a reference.
    widths
        Of the references, in bandwidths.
    known
        Whether the number of modes is known: else fainter ones are to be found too.
    """
    least, best = min(whole.mean_error(records, widths) for whole in grids), None
    faint = records if known else FAINT * records
    for whole, share in product(grids, SHARES):
        plans = [StepPlan(whole, ratio, adjacency, StepRule(share, c)) for c in SOFTNESSES]
        first = plans[0].first
        if first.height * faint < (clear_level(first, known) + ABOVE) * first.height_noise:
            continue
        for plan in plans:
            if (error := plan.mean_error(records, widths)) < least:
                least, best = error, plan
    return best


def clear_level(noise: Noisy, known: bool) -> float:
    """Return so many deviations that noise hardly reaches them on the grid of peaks.

    For Gaussian noise at FALSE_PEAK_RATE places, on the mean. Where the number of modes is known,
    that is ONE_PLACE: the next peak tells too. This is no promise, and no mark of a peak rests on
    it.
    """
    places = prod(len(each) for each in grid_of(noise.axes))
    return TAILS * sqrt(2 * log(2 * places / (ONE_PLACE if known else FALSE_PEAK_RATE)))


def clear_peaks(field: Field, count: int | None) -> Peaks | None:
    """Return the peaks that steps are made from, or nothing if some peak is in doubt.

    Each is above what noise reaches; where the number of modes is known, all were found, and the
    next peak is lower by more than noise explains.
    """
    found = peaks_of(field, None if count is None else count + 1, rate=RATE)
    peaks, others = found.split(count)
    wanted = max(1, len(peaks.places)) if count is None else count
    if len(peaks.places) < wanted or len(others.places) > 0 and not _is_lower(others, peaks):
        return None
    level = clear_level(field, count is not None)
    clear = peaks.heights >= level * peaks.deviations
    return peaks if bool(clear.all()) else None


def _is_lower(others: Peaks, peaks: Peaks) -> bool:
    noise = sqrt(float(others.deviations[0]) ** 2 + float(peaks.deviations[-1]) ** 2)
    return float(peaks.heights[-1] - others.heights[0]) >= LOWER * noise
