"""What published mechanisms share whose guarantee does not hold: no promise, and a warning."""

import warnings
from fractions import Fraction
from typing import Any, ClassVar

from provedp.mechanisms.exact.parameters import delta_below, ratio_below
from provedp.theory.privacy import Adjacency, Guarantee

__all__ = ["PublishedMechanism", "RefutedGuaranteeWarning"]


class RefutedGuaranteeWarning(UserWarning):
    """What is released is not private in the way that its authors claim."""


class PublishedMechanism:
    """A mechanism as it is published, for study: `guarantee` is None, and its use warns."""

    adjacency_claimed: ClassVar[Adjacency]
    epsilon: Any
    delta: Any

    @property
    def refuted_by(self) -> tuple[str, ...]:
        """Ids of the counterexamples; none if the claim holds of the exact law."""
        raise NotImplementedError

    @property
    def guarantee(self) -> None:
        """None: what is claimed is refuted, or holds of a law that floats only approximate."""
        return None

    @property
    def claimed(self) -> Guarantee:
        """What its authors promise."""
        ratio, delta = self._promise()
        return Guarantee(
            ratio=ratio,
            epsilon=str(self.epsilon),
            delta=delta,
            adjacency=self.adjacency_claimed,
            claim=self._claim(),
        )

    def _promise(self) -> tuple[Fraction, Fraction]:
        """Return e^ε and δ as they are claimed."""
        name = type(self).__name__
        return ratio_below(self.epsilon, name), delta_below(self.delta, name)

    def _claim(self) -> str:
        """Return the id of the claim that says it."""
        return self.refuted_by[0]

    def _warn(self, stacklevel: int = 3) -> None:
        """Warn who called the caller that the claim is refuted, and name the counterexamples."""
        if not self.refuted_by:
            return
        claimed = self.claimed
        warnings.warn(
            f"{type(self).__name__} is claimed to be ({claimed.epsilon}, "
            f"{float(claimed.delta):g})-private for {claimed.adjacency}. It is not: see "
            f"{', '.join(self.refuted_by)} (`provedp show {self.refuted_by[0]}`). "
            "Use it to study the method, not to protect anyone.",
            RefutedGuaranteeWarning,
            stacklevel=stacklevel,
        )
