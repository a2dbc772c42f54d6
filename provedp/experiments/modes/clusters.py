"""Tables 1, 6 and 7 of the modes paper: clusters in blobs and in digits."""

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from sklearn.base import clone

from provedp.mechanisms.modes import PrivateModalClustering
from provedp.mechanisms.modes.published.anchors import lattice
from provedp.mechanisms.modes.published.clustering import PublishedModalClusteringCode
from provedp.theory.arrays import Floats
from provedp.verify.accounting.published_modes import ascent_stage, stage_epsilon_at_least
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


def table1(seeds: int) -> Iterator[Row]:
    """Blobs: one run of each method at ε = 1."""
    sample = blobs(1000, 1)
    code = clone(BLOBS_CODE)
    spent = true_privacy(code, sample.points)["published_ascent_epsilon_at_least"]
    found = {
        "Mean shift": ("no privacy", shifted_clusters(sample, 4, BLOBS_SEED)),
        "DP-GRAMS-C": (
            f"refuted: its ascent spends ε ≥ {down(spent)}, not {1 - code.anchor_share:g}",
            released(code, sample.points, [BLOBS_SEED])[0],
        ),
        "k-Means": ("no privacy", k_means(sample, 4)),
        "PrivateModalClustering": (
            f"proved: ε = 1, δ = {DELTA:g}",
            private_centres(sample, 1.0, DELTA, 1)[0],
        ),
    }
    for name, (privacy, centres) in found.items():
        row: Row = {"method": name, "privacy": privacy}
        papers = printed.TABLE1.get(name, (None,) * len(MEASURES))
        scores = cluster_scores(sample, centres)
        for measure, paper, here in zip(MEASURES, papers, scores, strict=True):
            row |= {f"paper_{measure}": paper, measure: here}
        yield row


def down(value: float) -> str:
    """Return a lower bound rounded down to one decimal."""
    return f"{math.floor(value * 10) / 10:.1f}"


def blob_sample(records: int) -> Sample:
    """Return the blobs of Table 6."""
    return blobs(records, 1000 * (1 + SIZES.index(records)) + BLOBS_SEED)


def table6(seeds: int) -> Iterator[Row]:
    """Blobs: ARI, NMI and error of cluster centres against n and ε."""
    for records in SIZES:
        sample = blob_sample(records)
        plain = score_columns("k_means", [cluster_scores(sample, k_means(sample, 4))])
        for epsilon in BLOBS_EPSILONS:
            yield {
                "records": records,
                "epsilon": epsilon,
                **printed_columns("paper", printed.TABLE6[records, epsilon]),
                **printed_columns(
                    "paper_private_k_means", printed.TABLE6_K_MEANS[records, epsilon]
                ),
                **clusters(sample, records, epsilon, seeds),
                **plain,
            }


def clusters(sample: Sample, records: int, epsilon: float, seeds: int) -> Row:
    """Return scores of published and private centres of blobs at one ε."""
    model = clone(BLOBS_CODE).set_params(epsilon=epsilon)
    program = released(model, sample.points, blob_seeds(records, epsilon, seeds))
    return {
        **score_columns("published", [cluster_scores(sample, found) for found in program]),
        **true_privacy(model, sample.points),
        **private_clusters(sample, epsilon, DELTA, seeds),
    }


def private_centres(sample: Sample, epsilon: float, delta: float, seeds: int) -> list[Floats]:
    """Return private centres of a sample with its public box, for each seed."""
    model = PrivateModalClustering(
        epsilon,
        delta,
        box=sample.box,
        bandwidth=widths(sample.box),
        clusters=len(sample.reference),
    )
    return [
        clone(model).set_params(random_state=seed).fit(sample.points).cluster_centers_
        for seed in range(seeds)
    ]


def private_clusters(sample: Sample, epsilon: float, delta: float, seeds: int) -> Row:
    """Return scores of private centres at one ε."""
    found = private_centres(sample, epsilon, delta, seeds)
    scores = score_columns("private", [cluster_scores(sample, centres) for centres in found])
    return scores | {"private_clusters": float(np.mean([len(centres) for centres in found]))}


def digits_code(sample: Sample, epsilon: float) -> PublishedModalClusteringCode:
    """Return DP-GRAMS-C on digits, with public candidates; the settings are ours."""
    candidates = lattice([(-DIGITS_REACH, DIGITS_REACH)] * len(sample.box), DIGITS_SPACING)
    model: PublishedModalClusteringCode = clone(DIGITS_CODE)
    model.set_params(epsilon=epsilon, candidates=candidates)
    return model


def ascent_privacy(model: PublishedModalClusteringCode, sample: Sample) -> Row:
    """Return what the program claims for its ascent, and a lower bound on what that spends."""
    stage = ascent_stage(model, sample.points)
    return {
        "published_claimed_ascent_epsilon": (1 - model.anchor_share) * model.epsilon,
        "published_ascent_epsilon_at_least": stage_epsilon_at_least(stage, float(model.delta)),
    }


def table7(seeds: int) -> Iterator[Row]:
    """Digits: ARI, NMI and error of cluster centres against ε.

    The paper does not give the settings of its DP-GRAMS-C here. Those of "published" are ours.
    """
    sample = digits()
    clusters = len(sample.reference)
    plain = score_columns("k_means", [cluster_scores(sample, k_means(sample, clusters))])
    for epsilon in DIGITS_EPSILONS:
        model = digits_code(sample, epsilon)
        program = released(model, sample.points, range(BLOBS_SEED, BLOBS_SEED + seeds))
        yield {
            "epsilon": epsilon,
            **printed_columns("paper", printed.TABLE7[epsilon]),
            **printed_columns("paper_private_k_means", printed.TABLE7_K_MEANS[epsilon]),
            **score_columns("published", [cluster_scores(sample, c) for c in program]),
            **ascent_privacy(model, sample),
            **private_clusters(sample, epsilon, DIGITS_DELTA, seeds),
            **plain,
        }


def printed_columns(name: str, cells: Sequence[tuple[float, float]]) -> Row:
    """Return what is printed for the three scores, as columns of a row."""
    return {f"{name}_{measure}": list(cell) for measure, cell in zip(MEASURES, cells, strict=True)}
