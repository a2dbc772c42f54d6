"""Figures 12, 13, 15 and 16 of the modes paper: clip, minibatch and step on two densities."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from sklearn.base import clone

from provedp.experiments.modes.peaks import private_peaks, shifted_modes
from provedp.experiments.modes.settings import EPSILON, Setting, batches, clips, steps
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import (
    Row,
    errors,
    mean_and_error,
    released,
    true_privacy,
)
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, five_peaks, four_corners
from provedp.verify.claims.modes.instances.settings import CORNERS_CODE, PEAKS_CODE, peak_seeds


@dataclass(frozen=True)
class Density:
    """A density, the program's settings for it, and its errors that Table 2 or 3 prints."""

    sample: Callable[[int], Sample]
    code: PublishedModesCode
    cells: Mapping[tuple[int, float], printed.Cell]


CORNERS = Density(four_corners, CORNERS_CODE, printed.TABLE2)
PEAKS = Density(five_peaks, PEAKS_CODE, printed.TABLE3)


def figure12(seeds: int) -> Iterator[Row]:
    """Four corners: error against the clip multiplier and the minibatch."""
    return _sizes(CORNERS, [*clips(CORNERS.code.clip_multiplier), *batches()], seeds)


def figure13(seeds: int) -> Iterator[Row]:
    """Four corners: error against the step."""
    return _sizes(CORNERS, list(steps()), seeds)


def figure15(seeds: int) -> Iterator[Row]:
    """Five peaks: error against the clip multiplier and the minibatch."""
    return _sizes(PEAKS, [*clips(PEAKS.code.clip_multiplier), *batches()], seeds)


def figure16(seeds: int) -> Iterator[Row]:
    """Five peaks: error against the step."""
    return _sizes(PEAKS, list(steps()), seeds)


def setting_rows(
    density: Density, records: int, settings: list[Setting], seeds: int
) -> Iterator[Row]:
    """Yield a row for each setting: printed, run again, spent in truth, private, not private."""
    sample = density.sample(records)
    beside = private_peaks(sample, EPSILON, seeds)
    beside["mean_shift"] = errors(sample, [shifted_modes(sample.points)])[0]
    for setting in settings:
        model = clone(density.code).set_params(epsilon=EPSILON, **setting.parameters)
        found = released(model, sample.points, peak_seeds(records, EPSILON, seeds))
        cell = density.cells[records, EPSILON]
        yield {
            "records": records,
            **setting.columns(records),
            "paper": list(cell) if setting.is_default else None,
            "published": mean_and_error(errors(sample, found)),
            **true_privacy(model, sample.points),
            **beside,
        }


def _sizes(density: Density, settings: list[Setting], seeds: int) -> Iterator[Row]:
    return chain.from_iterable(setting_rows(density, n, settings, seeds) for n in SIZES)
