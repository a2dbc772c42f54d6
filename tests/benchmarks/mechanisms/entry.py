"""What is known about a mechanism of the benchmark."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from provedp.verify.audit import ApproximateDP
from provedp.verify.audit.notions import Claim


@dataclass(frozen=True)
class Entry:
    """A mechanism, a pair of data sets, its claim, and the truth on that pair.

    Attributes
    ----------
    name
        Short.
    release
        (data, rng, count) → outputs.
    pair
        Adjacent data sets.
    epsilon, delta
        The claim.
    truth
        The least ε at δ on this pair, infinite if there is none; in the channel named.
    why
        Where the truth comes from.
    wrong
        Whether the claim is false on this pair.
    channel
        Of the audit.
    other_claim
        A claim of another notion, tested instead; `truth` is then in that notion.
    event
        (P(A), Q(A)) of the best event known, for the information limit; None if not derived.
    """

    name: str
    release: Callable[[Any, Any, int], Any]
    pair: tuple[Any, Any]
    epsilon: float
    delta: float
    truth: float
    why: str
    wrong: bool
    channel: str = "value"
    event: tuple[float, float] | None = None
    other_claim: Claim | None = None

    @property
    def claim(self) -> Claim:
        """What is tested."""
        return self.other_claim or ApproximateDP(self.epsilon, self.delta)
