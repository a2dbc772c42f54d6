"""Algorithm 3 of the modes paper: clusters around published modes. They are not private."""

from typing import Any, final

from numpy.typing import ArrayLike

from provedp.mechanisms.modes.published.base import ModalClusters
from provedp.mechanisms.modes.published.modes import PublishedModes
from provedp.mechanisms.modes.published.program import PublishedModesCode


@final
class PublishedModalClustering(ModalClusters, PublishedModes):
    """Clusters around the modes of `PublishedModes`.

    Parameters
    ----------
    clusters
        The number of clusters, if it is known.
    epsilon, delta, box, clip, floor, bandwidth, anchor_share, draws, candidates, random_state
        As for `PublishedModes`; what is not listed has its default.

    Attributes
    ----------
    cluster_centers_
        The released modes, one in each row.

    Source: modes paper, Algorithm 3.
    """

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 1e-6,
        *,
        box: ArrayLike | None = None,
        clip: float = 1.0,
        floor: float = 1e-2,
        bandwidth: float | None = None,
        clusters: int | None = None,
        anchor_share: float = 0.5,
        draws: int | None = None,
        candidates: ArrayLike | None = None,
        random_state: Any = None,
    ):
        super().__init__(
            epsilon,
            delta,
            box=box,
            clip=clip,
            floor=floor,
            bandwidth=bandwidth,
            anchor_share=anchor_share,
            draws=draws,
            candidates=candidates,
            random_state=random_state,
        )
        self.clusters = clusters


@final
class PublishedModalClusteringCode(ModalClusters, PublishedModesCode):
    """Clusters around the modes of `PublishedModesCode`, with the settings of Table 6.

    Parameters
    ----------
    clusters
        The number of clusters, if it is known.
    epsilon, delta, clip_multiplier, draws_per_log, anchor_share, suppression, score_radius, \
box_quantile, candidates, batch_share, step, random_state
        As for `PublishedModesCode`.

    Attributes
    ----------
    cluster_centers_
        The released modes, one in each row.

    Source: modes paper, Algorithm 3 and Table 6.
    """

    def __init__(
        self,
        epsilon: Any = 1.0,
        delta: Any = 1e-6,
        *,
        clusters: int | None = None,
        clip_multiplier: float = 0.05,
        draws_per_log: float = 2.0,
        anchor_share: float = 0.3,
        suppression: float = 3.0,
        score_radius: float = 3.0,
        box_quantile: float = 0.9,
        candidates: ArrayLike | None = None,
        batch_share: float | None = None,
        step: float = 1.0,
        random_state: Any = None,
    ):
        super().__init__(
            epsilon,
            delta,
            clip_multiplier=clip_multiplier,
            draws_per_log=draws_per_log,
            anchor_share=anchor_share,
            suppression=suppression,
            score_radius=score_radius,
            box_quantile=box_quantile,
            candidates=candidates,
            batch_share=batch_share,
            step=step,
            random_state=random_state,
        )
        self.clusters = clusters
