"""How points that ascended to one mode become one."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering

from provedp.theory.arrays import Floats


def merge_within(points: Floats, radius: float) -> Floats:
    """Return the mean of each group: a point and the later ones within `radius`, not yet used.

    >>> merge_within(np.array([[0.0], [5.0], [1.0], [6.5]]), 1.5).tolist()
    [[0.5], [5.75]]
    """
    left = np.arange(len(points))
    means = []
    while left.size:
        near = cdist(points[left[:1]], points[left])[0] <= radius
        means.append(points[left[near]].mean(axis=0))
        left = left[~near]
    return np.array(means)


def merge_to(points: Floats, count: int) -> Floats:
    """Return the means of at most `count` groups, by Ward's linkage.

    >>> sorted(merge_to(np.array([[0.0], [5.0], [1.0], [6.5]]), 2).tolist())
    [[0.5], [5.75]]
    """
    if len(points) <= count:
        return points.copy()
    groups = AgglomerativeClustering(count, linkage="ward").fit_predict(points)
    return np.array([points[groups == group].mean(axis=0) for group in range(count)])
