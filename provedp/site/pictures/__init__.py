"""Pictures of what claims say, by the claim that they belong to."""

from collections.abc import Callable, Collection

from provedp.site.drawing import Drawing
from provedp.site.pictures import counting, mixture, modes

__all__ = ["Drawing", "drawn"]

PICTURES: dict[str, tuple[Callable[[], Drawing], ...]] = {
    "counting.error_is_optimal": (counting.dual_certificate,),
    "counting.entries_between_diagonal_and_middle_are_forced": (counting.forced_entries,),
    "counting.optima_for_four_counts_have_the_form": (counting.optimal_set,),
    "counting.third_upper_bound_holds": (counting.bounds_behind_a_channel,),
    "mixture.published_covariance_noise_is_pure": (mixture.wishart_laws,),
    "mixture.smoothing_as_published_makes_weights_private": (mixture.weight_supports,),
    "modes.joint_scores_move_within_their_noise": (modes.kink,),
}  # by claim, what draws


def drawn(ids: Collection[str]) -> dict[str, tuple[Drawing, ...]]:
    """Return the pictures of these claims."""
    return {
        name: tuple(draw() for draw in draws) for name, draws in PICTURES.items() if name in ids
    }
