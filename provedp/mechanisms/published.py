"""The warning that comes with a mechanism whose published guarantee does not hold."""

import warnings

from provedp.theory.privacy import Guarantee

__all__ = ["RefutedGuaranteeWarning", "warn_that_it_is_refuted"]


class RefutedGuaranteeWarning(UserWarning):
    """What is released is not private in the way that its authors claim."""


def warn_that_it_is_refuted(name: str, claimed: Guarantee, refuted_by: tuple[str, ...]) -> None:
    """Warn that `name` does not keep the guarantee it claims, and name the counterexamples."""
    shown = ", ".join(refuted_by)
    warnings.warn(
        f"{name} is claimed to be ({claimed.epsilon}, {float(claimed.delta):g})-private for "
        f"{claimed.adjacency}. It is not: see {shown} (`provedp show {refuted_by[0]}`). "
        "Use it to study the method, not to protect anyone.",
        RefutedGuaranteeWarning,
        stacklevel=3,
    )
