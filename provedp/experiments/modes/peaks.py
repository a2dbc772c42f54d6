"""Tables 2 and 3 of the modes paper: modes of two densities in the plane."""

from collections.abc import Iterator, Mapping

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.modes import PrivateModes
from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.mechanisms.modes.published.bandwidths import silverman_bandwidth
from provedp.mechanisms.modes.published.mean_shift import mean_shift
from provedp.mechanisms.modes.published.merging import merge_within
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.theory.arrays import Floats
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import (
    Row,
    errors,
    mean_and_error,
    released,
    true_privacy,
    widths,
)
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, five_peaks, four_corners
from provedp.verify.claims.modes.instances.settings import (
    CORNERS_CODE,
    DELTA,
    EPSILONS,
    PEAKS_CODE,
    algorithm,
    peak_seeds,
)


def shifted_modes(points: Floats) -> Floats:
    """Return the modes that mean shift finds from every point, without privacy."""
    rounds = rounds_of(len(points)) - 1
    found = mean_shift(points, points, silverman_bandwidth(points), rounds)
    return merge_within(found, silverman_bandwidth(found))


def peaks(sample: Sample, code: PublishedModesCode, epsilon: float, seeds: int) -> Row:
    """Return errors at one ε for a sample with known modes."""
    points = sample.points
    model = clone(code).set_params(epsilon=epsilon)
    program = released(model, points, peak_seeds(len(points), epsilon, seeds))
    printed_rule = released(algorithm(sample, epsilon), points, range(seeds))
    return {
        "published": mean_and_error(errors(sample, program)),
        **true_privacy(model, points),
        "published_algorithm": mean_and_error(errors(sample, printed_rule)),
        **private_peaks(sample, epsilon, seeds),
    }


def private_modes(sample: Sample, epsilon: float, seeds: int) -> list[Floats]:
    """Return private modes at one ε, for each seed."""
    model = PrivateModes(epsilon, DELTA, box=sample.box, bandwidth=widths(sample.box))
    return released(model, sample.points, range(seeds))


def private_peaks(sample: Sample, epsilon: float, seeds: int) -> Row:
    """Return the error of private modes at one ε, and their mean number."""
    found = private_modes(sample, epsilon, seeds)
    return {
        "private": mean_and_error(errors(sample, found)),
        "private_modes": float(np.mean([len(modes) for modes in found])),
    }


def table2(seeds: int) -> Iterator[Row]:
    """Four corners: error of the modes against n and ε."""
    samples = {records: four_corners(records) for records in SIZES}
    return _table(samples, CORNERS_CODE, printed.TABLE2, printed.TABLE2_MEAN_SHIFT, seeds)


def table3(seeds: int) -> Iterator[Row]:
    """Five peaks with heavy tails: error of the modes against n and ε."""
    samples = {records: five_peaks(records) for records in SIZES}
    return _table(samples, PEAKS_CODE, printed.TABLE3, printed.TABLE3_MEAN_SHIFT, seeds)


def _table(
    samples: Mapping[int, Sample],
    code: PublishedModesCode,
    cells: Mapping[tuple[int, float], printed.Cell],
    shifts: Mapping[int, float],
    seeds: int,
) -> Iterator[Row]:
    for records, sample in samples.items():
        plain = errors(sample, [shifted_modes(sample.points)])[0]
        for epsilon in EPSILONS:
            row = {"records": records, "epsilon": epsilon, "paper": list(cells[records, epsilon])}
            row |= peaks(sample, code, epsilon, seeds)
            yield row | {"paper_mean_shift": shifts[records], "mean_shift": plain}
