"""Tables 1, 6 and 7 of the modes paper: clusters in blobs and in digits."""

from collections.abc import Iterable, Sequence

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.modes import PrivateModalClustering
from provedp.mechanisms.modes.published.anchors import lattice
from provedp.mechanisms.modes.published.clustering import PublishedModalClusteringCode
from provedp.verify.claims.modes.instances import printed
from provedp.verify.claims.modes.instances.runs import (
    Row,
    mean_and_error,
    released,
    true_privacy,
    widths,
)
from provedp.verify.claims.modes.instances.samples import SIZES, Sample, blobs, digits
from provedp.verify.claims.modes.instances.settings import (
    BLOBS_CODE,
    BLOBS_EPSILONS,
    BLOBS_SEED,
    DELTA,
    Scores,
    blob_seeds,
    cluster_scores,
    k_means,
    shifted_clusters,
)

DIGITS_DELTA = 1e-5
DIGITS_EPSILONS = (0.25, 0.5, 1.0, 2.5, 5.0)
DIGITS_SPACING, DIGITS_REACH = 3.0, 6.0  # of public candidates
DIGITS_CODE = PublishedModalClusteringCode(
    delta=DIGITS_DELTA,
    clusters=10,
    clip_multiplier=1.0,
    draws_per_log=3.0,
    score_radius=5.0,
)
MEASURES = ("ari", "nmi", "mse")


def score_columns(name: str, scores: Iterable[Scores]) -> Row:
    """Return the three scores' means and standard errors, as columns of a row."""
    measures = zip(MEASURES, zip(*scores, strict=True), strict=True)
    return {f"{name}_{measure}": mean_and_error(values) for measure, values in measures}


def table1(seeds: int) -> list[Row]:
    """Blobs: single runs of each method at ε = 1, whatever the number of seeds."""
    sample = blobs(1000, 1)
    found = {
        "Mean shift": shifted_clusters(sample, 4, BLOBS_SEED),
        "DP-GRAMS-C": released(clone(BLOBS_CODE), sample.points, [BLOBS_SEED])[0],
        "k-Means": k_means(sample, 4),
    }
    rows = []
    for name, centres in found.items():
        row: Row = {"method": name}
        scores = cluster_scores(sample, centres)
        for measure, paper, here in zip(MEASURES, printed.TABLE1[name], scores, strict=True):
            row |= {f"paper_{measure}": paper, measure: here}
        rows.append(row)
    return rows


def table6(seeds: int) -> list[Row]:
    """Blobs: ARI, NMI and error of cluster centres against n and ε."""
    rows = []
    for place, records in enumerate(SIZES, start=1):
        sample = blobs(records, 1000 * place + BLOBS_SEED)
        plain = score_columns("k_means", [cluster_scores(sample, k_means(sample, 4))])
        for epsilon in BLOBS_EPSILONS:
            rows.append(
                {
                    "records": records,
                    "epsilon": epsilon,
                    **_printed("paper", printed.TABLE6[records, epsilon]),
                    **_printed("paper_private_k_means", printed.TABLE6_K_MEANS[records, epsilon]),
                    **clusters(sample, records, epsilon, seeds),
                    **plain,
                }
            )
    return rows


def clusters(sample: Sample, records: int, epsilon: float, seeds: int) -> Row:
    """Return scores of published and private centres of blobs at one ε."""
    model = clone(BLOBS_CODE).set_params(epsilon=epsilon)
    program = released(model, sample.points, blob_seeds(records, epsilon, seeds))
    return {
        **score_columns("published", [cluster_scores(sample, found) for found in program]),
        **true_privacy(model, sample.points),
        **private_clusters(sample, epsilon, DELTA, seeds),
    }


def private_clusters(sample: Sample, epsilon: float, delta: float, seeds: int) -> Row:
    """Return scores of private centres at one ε."""
    model = PrivateModalClustering(
        epsilon,
        delta,
        box=sample.box,
        bandwidth=widths(sample.box),
        clusters=len(sample.reference),
    )
    found = [
        clone(model).set_params(random_state=seed).fit(sample.points).cluster_centers_
        for seed in range(seeds)
    ]
    scores = score_columns("private", [cluster_scores(sample, centres) for centres in found])
    return scores | {"private_clusters": float(np.mean([len(centres) for centres in found]))}


def table7(seeds: int) -> list[Row]:
    """Digits: ARI, NMI and error of cluster centres against ε.

    The paper does not give the settings of its DP-GRAMS-C here. Those of "published" are ours.
    """
    sample = digits()
    clusters = len(sample.reference)
    plain = score_columns("k_means", [cluster_scores(sample, k_means(sample, clusters))])
    candidates = lattice([(-DIGITS_REACH, DIGITS_REACH)] * len(sample.box), DIGITS_SPACING)
    rows = []
    for epsilon in DIGITS_EPSILONS:
        model = clone(DIGITS_CODE).set_params(epsilon=epsilon, candidates=candidates)
        program = released(model, sample.points, range(BLOBS_SEED, BLOBS_SEED + seeds))
        rows.append(
            {
                "epsilon": epsilon,
                **_printed("paper", printed.TABLE7[epsilon]),
                **_printed("paper_private_k_means", printed.TABLE7_K_MEANS[epsilon]),
                **score_columns("published", [cluster_scores(sample, c) for c in program]),
                **private_clusters(sample, epsilon, DIGITS_DELTA, seeds),
                **plain,
            }
        )
    return rows


def _printed(name: str, cells: Sequence[tuple[float, float]]) -> Row:
    return {f"{name}_{measure}": list(cell) for measure, cell in zip(MEASURES, cells, strict=True)}
