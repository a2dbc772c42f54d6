"""How the program was run for Tables 1 to 3 and 6 of the modes paper: settings, seeds, scores."""

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from provedp.mechanisms.modes.published.anchors import lattice
from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.mechanisms.modes.published.bandwidths import silverman_bandwidth
from provedp.mechanisms.modes.published.clustering import PublishedModalClusteringCode
from provedp.mechanisms.modes.published.mean_shift import mean_shift
from provedp.mechanisms.modes.published.merging import merge_to
from provedp.mechanisms.modes.published.modes import PublishedModes
from provedp.mechanisms.modes.published.program import PublishedModesCode
from provedp.theory.arrays import Floats
from provedp.theory.modes import density, density_gradient, matching_error
from provedp.verify.claims.modes.instances.samples import SIZES, Sample

DELTA = 1e-6
EPSILONS = (0.1, 0.25, 0.5, 1.0, 5.0)
CORNERS_CODE = PublishedModesCode(delta=DELTA)
PEAKS_CODE = PublishedModesCode(delta=DELTA, clip_multiplier=0.5, draws_per_log=4.0)
BLOBS_CODE = PublishedModalClusteringCode(delta=DELTA, clusters=4)
BLOBS_EPSILONS = (0.1, 0.2, 0.5, 1.0, 5.0)
BLOBS_SEED = 41

Scores = tuple[float, float, float]


def peak_seeds(records: int, epsilon: float, seeds: int) -> range:
    """Return the seeds of the runs in Tables 2 and 3."""
    first = 42 + 100 * SIZES.index(records) + 1000 * EPSILONS.index(epsilon)
    return range(first, first + seeds)


def algorithm(sample: Sample, epsilon: float) -> PublishedModes:
    """Return Algorithm 1 with a clip and a floor that only an oracle knows."""
    points, h = sample.points, silverman_bandwidth(sample.points)
    grid = lattice(sample.box, (sample.box[0][1] - sample.box[0][0]) / 30)
    steepest = np.linalg.norm(density_gradient(grid, points, h), axis=1).max()
    lowest = density(sample.reference, points, h).min()
    return PublishedModes(
        epsilon, DELTA, box=sample.box, clip=1.1 * steepest, floor=lowest / 2, bandwidth=h
    )


def blob_seeds(records: int, epsilon: float, seeds: int) -> range:
    """Return the seeds of the runs in Table 6."""
    first = BLOBS_SEED + 10_000 * SIZES.index(records) + 100 * int(100 * epsilon)
    return range(first, first + seeds)


def cluster_scores(sample: Sample, centres: Floats) -> Scores:
    """Return ARI, NMI and the error (14) of centres, with points labelled by the nearest one."""
    if not len(centres):
        return float("nan"), float("nan"), float("nan")
    lifted = centres if sample.lift is None else sample.lift(centres)
    gaps = sample.points[:, None] - centres
    labels = (gaps**2).sum(axis=2).argmin(axis=1)
    return (
        float(adjusted_rand_score(sample.labels, labels)),
        float(normalized_mutual_info_score(sample.labels, labels)),
        float(matching_error(sample.reference, lifted)),
    )


def k_means(sample: Sample, clusters: int) -> Floats:
    """Return the centres of k-means, without privacy."""
    found: Floats = (
        KMeans(clusters, n_init=10, random_state=BLOBS_SEED).fit(sample.points).cluster_centers_
    )
    return found


def shifted_clusters(sample: Sample, clusters: int, seed: int) -> Floats:
    """Return the centres of mean shift from a tenth of the points, without privacy."""
    points = sample.points
    places = np.random.default_rng(seed).choice(len(points), len(points) // 10, replace=False)
    found = mean_shift(points, points[places], silverman_bandwidth(points), rounds_of(len(points)))
    return merge_to(found, clusters)
