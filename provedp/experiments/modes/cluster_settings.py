"""Figures 20, 21, 24 and 25 of the modes paper: clip and minibatch of DP-GRAMS-C.

Their captions write C_* for the clip multiplier. With the value 1 that they call the default the
program does not give Table 6; with 0.05 it does.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from sklearn.base import clone

from provedp.experiments.modes.clusters import (
    DIGITS_CODE,
    DIGITS_DELTA,
    ascent_privacy,
    blob_sample,
    digits_code,
    printed_columns,
    private_clusters,
    score_columns,
)
from provedp.experiments.modes.settings import EPSILON, Setting, batches, clips
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import Row, released, true_privacy
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, digits
from provedp.verify.claims.modes.instances.settings import (
    BLOBS_CODE,
    BLOBS_SEED,
    DELTA,
    blob_seeds,
    cluster_scores,
    k_means,
)

BLOB_CLIPS = (0.01, 0.1, 0.5, 1.0, 2.0)
BLOB_SHARES = (0.01, 0.05, 0.1, 0.2, 1.0)
DIGIT_CLIPS = (0.1, 0.5, 1.0, 5.0, 10.0)
DIGIT_SHARES = (0.1, 0.2, 0.5, 1.0)


def figure20(seeds: int) -> Iterator[Row]:
    """Blobs: ARI, NMI and error of cluster centres against the clip multiplier."""
    return _blobs(list(clips(BLOBS_CODE.clip_multiplier, BLOB_CLIPS)), seeds)


def figure21(seeds: int) -> Iterator[Row]:
    """Blobs: ARI, NMI and error of cluster centres against the minibatch."""
    return _blobs(list(batches(BLOB_SHARES)), seeds)


def figure24(seeds: int) -> Iterator[Row]:
    """Digits: ARI, NMI and error of cluster centres against the clip multiplier."""
    return digit_rows(list(clips(DIGITS_CODE.clip_multiplier, DIGIT_CLIPS)), seeds)


def figure25(seeds: int) -> Iterator[Row]:
    """Digits: ARI, NMI and error of cluster centres against the minibatch."""
    return digit_rows(list(batches(DIGIT_SHARES)), seeds)


def blob_rows(records: int, settings: list[Setting], seeds: int) -> Iterator[Row]:
    """Yield a row for each setting on one sample of blobs."""
    sample = blob_sample(records)
    beside = {
        **private_clusters(sample, EPSILON, DELTA, seeds),
        **score_columns("k_means", [cluster_scores(sample, k_means(sample, 4))]),
    }
    for setting in settings:
        model = clone(BLOBS_CODE).set_params(epsilon=EPSILON, **setting.parameters)
        yield {
            "records": records,
            **setting.columns(records),
            **_printed(setting, printed.TABLE6[records, EPSILON]),
            **_scores(sample, model, blob_seeds(records, EPSILON, seeds)),
            **true_privacy(model, sample.points),
            **beside,
        }


def digit_rows(settings: list[Setting], seeds: int) -> Iterator[Row]:
    """Yield a row for each setting on the digits."""
    sample = digits()
    clusters = len(sample.reference)
    beside = {
        **private_clusters(sample, EPSILON, DIGITS_DELTA, seeds),
        **score_columns("k_means", [cluster_scores(sample, k_means(sample, clusters))]),
    }
    for setting in settings:
        model = digits_code(sample, EPSILON).set_params(**setting.parameters)
        yield {
            **setting.columns(len(sample.points)),
            **_printed(setting, printed.TABLE7[EPSILON]),
            **_scores(sample, model, range(BLOBS_SEED, BLOBS_SEED + seeds)),
            **ascent_privacy(model, sample),
            **beside,
        }


def _blobs(settings: list[Setting], seeds: int) -> Iterator[Row]:
    return chain.from_iterable(blob_rows(records, settings, seeds) for records in SIZES)


def _printed(setting: Setting, cells: tuple[printed.Cell, ...]) -> Row:
    found = printed_columns("paper", cells)
    return found if setting.is_default else dict.fromkeys(found)


def _scores(sample: Sample, model: Any, seeds: range) -> Row:
    found = released(model, sample.points, seeds)
    return score_columns("published", [cluster_scores(sample, centres) for centres in found])
