"""What is known about a mechanism of the zoo."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from provedp.verify.audit import ApproximateDP
from provedp.verify.audit.zoo.cells import Cells
from provedp.verify.notions.notions import PrivacyNotion

Generator = np.random.Generator
Outputs = NDArray[Any]
Mechanism = Callable[[Any, Generator, int], Outputs]


@dataclass(frozen=True)
class Entry:
    """A mechanism, a pair of data sets, its claim, and the truth on that pair.

    Attributes
    ----------
    name
        Short.
    release
        (data, rng, count) → the outputs of so many independent runs, one a row.
    pair
        Adjacent data sets.
    epsilon, delta
        The claim.
    truth
        The least ε (in nats) at δ on this pair, infinite if there is none; in the channel named.
    why
        Where the truth comes from.
    wrong
        Whether the claim is false on this pair.
    proof
        The id of the claim in the ledger from which the truth follows.
    law
        Probabilities of cells of the outputs on both data sets, for the information limit and to
        compare frequencies with; None in the bit channel.
    exact
        Whether the law refutes the claim, in exact or ball arithmetic; None as an answer if the two
        sides are not told apart.
    hard
        Whether the claim is false by too little, or too rarely, for runs in reach.
    channel
        Of the audit.
    other_claim
        A claim of another notion, tested instead; `truth` is then in that notion.
    """

    name: str
    release: Mechanism
    pair: tuple[Any, Any]
    epsilon: float
    delta: float
    truth: float
    why: str
    wrong: bool
    proof: str
    law: Callable[[], Cells] | None = None
    exact: Callable[[], bool | None] | None = None
    hard: bool = False
    channel: str = "value"
    other_claim: PrivacyNotion | None = None

    @property
    def claim(self) -> PrivacyNotion:
        """What is tested."""
        return self.other_claim or ApproximateDP(self.epsilon, self.delta)


@dataclass(frozen=True)
class Account:
    """An accountant, a bound on a sensitivity or a formula: decided exactly, nothing is sampled.

    Attributes
    ----------
    name, why, wrong, proof
        As for `Entry`; no `proof` where a finite computation decides.
    exact
        Whether the claim is refuted.
    """

    name: str
    exact: Callable[[], bool | None]
    why: str
    wrong: bool
    proof: str = ""
