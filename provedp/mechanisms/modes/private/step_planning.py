"""Whether a step from each peak is worth its share of ε, and how far it goes: by public numbers.

As in `planning`, the reference is one normal mode, and its height in the first estimate tells how
many records it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction as Q
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
    NO_SLOPE,
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
SOFTNESSES = (0.25, 0.5)  # softer ones are moved less by noise, and by skewness unlike the field
FAINT = 0.5  # of the reference's records, where the number of modes is not known
ABOVE = 2.0  # deviations of a peak's own noise by which it is to be clear
SLOPE_ERROR = 0.15  # of the slope that heights tell: modes are wider or narrower than the reference
LOWER = 2.0  # deviations of the noise between the lowest of the peaks that are wanted and the next
RATE = FALSE_PEAK_RATE / 2  # for either of the two estimates of which one is looked at
DIFFERENCE = 2.5e-4  # squared bandwidths in a coordinate by which modes of both kernels may differ


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
        columns, before = len(self.whole.axes), self.rule.parts(self.ratio)[0]
        first, last = (bins_noise(columns, self.adjacency, k) for k in (before, self.ratio))
        return RefinableGeometric(first.ratio, last.ratio)

    @property
    def steps(self) -> TwoSidedGeometric:
        """Noise of the slopes."""
        return step_noise(self.adjacency, self.rule.parts(self.ratio)[1])

    def error(self, records: float, width: float) -> float:
        """Return the mean squared distance, in squared bandwidths, that a reference moves."""
        columns, first = len(self.whole.axes), replace(self.first, width=width)
        slope, square = slope_of_normal(columns, half_side(columns), self.rule.softness, width)
        before = (TAILS * first.displacement / records) ** 2 + first.aliasing**2
        after = columns * (self.steps.deviation / WHOLE / (records * slope)) ** 2
        moved = before * after / (before + after) + SLOPE_ERROR**2 * before
        sampling = columns * square / (records * slope**2)
        return moved + sampling + columns * DIFFERENCE

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
        first, noise, softness = self.first, self.steps, self.rule.softness
        found = release_slopes(points, peaks.places, axes, softness, noise, rng)
        widths = np.array([axis.bandwidth for axis in axes])
        records = peaks.heights / first.height
        slopes = [
            slope_of_normal(len(axes), float(side), softness, WIDTH)[0]
            for side in half_sides(peaks.places, widths)
        ]
        falls = np.maximum(records * slopes, NO_SLOPE)
        before = ((first.displacement / records) ** 2 + first.aliasing**2) / len(axes)
        after = (noise.deviation / WHOLE / falls) ** 2
        steps = found / falls[:, None] * (before / (before + after))[:, None]
        box = np.array([(axis.low, axis.high) for axis in axes])
        moved = peaks.places + widths * np.clip(steps, -LONGEST, LONGEST)
        places = np.clip(moved, *box.T)
        heights = field.intensity(places)
        order = np.argsort(-heights, kind="stable")
        places = places[order]
        deviations = field.noise_deviation(places)
        return Peaks(places, heights[order], deviations, peaks.sure[order])


def best_rule(
    whole: Layout,
    ratio: Q,
    adjacency: str,
    records: float,
    widths: Sequence[float],
    *,
    known: bool,
) -> StepRule | None:
    """Return the rule that moves references of so many records least, if it is worth its share.

    Parameters
    ----------
    whole, ratio, adjacency
        As for a `StepPlan`.
    records
        Of a reference.
    widths
        Of the references, in bandwidths.
    known
        Whether the number of modes is known: else fainter ones are to be found too.
    """
    least, best = whole.mean_error(records, widths), None
    faint = records if known else FAINT * records
    for share in SHARES:
        plans = [StepPlan(whole, ratio, adjacency, StepRule(share, c)) for c in SOFTNESSES]
        first = plans[0].first
        if first.height * faint < (clear_level(first) + ABOVE) * first.height_noise:
            continue
        for plan in plans:
            errors = [plan.error(records, width) for width in widths]
            if (error := sum(errors) / len(errors)) < least:
                least, best = error, plan.rule
    return best


def clear_level(noise: Noisy) -> float:
    """Return so many deviations that noise reaches them hardly anywhere on the grid of peaks.

    For Gaussian noise that is a union bound; this is no promise, and no mark of a peak rests on it.
    """
    places = prod(len(each) for each in grid_of(noise.axes))
    return TAILS * sqrt(2 * log(2 * places / FALSE_PEAK_RATE))


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
    clear = peaks.heights >= clear_level(field) * peaks.deviations
    return peaks if bool(clear.all()) else None


def _is_lower(others: Peaks, peaks: Peaks) -> bool:
    noise = sqrt(float(others.deviations[0]) ** 2 + float(peaks.deviations[-1]) ** 2)
    return float(peaks.heights[-1] - others.heights[0]) >= LOWER * noise
