"""What a guarantee of (ε, δ)-differential privacy says, and how guarantees follow from others.

Throughout, `k` stands for e^ε (ε in nats), so that rationals stay rational.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

from provedp.theory.domain import check_argument, domain, integers, reals
from provedp.theory.numbers import Number, certainly

__all__ = ["group_delta", "group_ratio"]

BASIC_COMPOSITION = "privacy.guarantees_compose"
POST_PROCESSING = "privacy.post_processing_keeps_guarantees"
GROUP_PRIVACY = "privacy.guarantees_extend_to_groups"


class Adjacency(StrEnum):
    """Which pairs of inputs a guarantee compares."""

    NEIGHBOURING_COUNTS = "counts that differ by one"
    JOINED_COUNTS = "counts that an edge of the given graph joins"
    LABEL_FLIP = "data sets that differ in the label of one record"
    REPLACE_ONE = "data sets of one size that differ in one record"
    ADD_OR_REMOVE_ONE = "data sets of which one has one record more"
    ONE_FEATURE = "data sets that differ in one feature of one record"


@dataclass(frozen=True)
class Guarantee:
    """A promise of (ε, δ)-differential privacy and the claim that supports it.

    Parameters
    ----------
    ratio
        k with ln k ≤ ε: the guarantee holds for ln k, in nats.
    epsilon
        ε as it was asked for, in words or digits.
    delta
        δ in [0, 1).
    adjacency
        The pairs of inputs that are compared.
    claim
        Id of the ledger claim that proves it.
    premises
        The guarantees that it is derived from, if any; each names its own claim.
    group_size
        Length of the chains of adjacent inputs whose ends are compared.
    """

    ratio: Number
    epsilon: str
    delta: Number
    adjacency: Adjacency
    claim: str
    premises: tuple["Guarantee", ...] = ()
    group_size: int = 1


@runtime_checkable
class Mechanism(Protocol):
    """What every mechanism offers.

    `guarantee` is None if what its authors claimed (`claimed`) is refuted.
    """

    @property
    def guarantee(self) -> Guarantee | None:
        """What is promised, and the claim that proves it."""
        ...

    @property
    def claimed(self) -> Guarantee:
        """What its authors promise."""
        ...

    def release(self, data: Any, /, rng: Any = None) -> Any:
        """Release something about `data` with the randomness of `rng`."""
        ...


@runtime_checkable
class MechanismWithLaw(Mechanism, Protocol):
    """A mechanism whose law is known: a matrix, a distribution or a density."""

    @property
    def law(self) -> Callable[..., Any]:
        """The law of what is released, as a method of the data (or of all data at once)."""
        ...


@domain(k=reals(1), size=integers(1))
def group_ratio(k: Number, size: int) -> Number:
    """Ratio that a guarantee gives for inputs several steps apart.

    k_g = k^g

    Parameters
    ----------
    k
        e^ε for one step.
    size
        Number of steps g.

    Returns
    -------
    e^(gε).

    Source: Dwork and Roth, The Algorithmic Foundations of Differential Privacy, Theorem 2.2.

    >>> from fractions import Fraction as F
    >>> group_ratio(F(3, 2), 2)
    Fraction(9, 4)
    """
    return k**size


@domain(k=reals(1), delta=reals(0), size=integers(1))
def group_delta(k: Number, delta: Number, size: int) -> Number:
    """Additive part that a guarantee gives for inputs several steps apart.

    δ_g = δ Σ_{i<g} k^i = δ (k^g − 1)/(k − 1), and gδ for k = 1

    Parameters
    ----------
    k
        e^ε for one step.
    delta
        δ for one step.
    size
        Number of steps g.

    Returns
    -------
    A δ for inputs g steps apart at ratio k^g; it promises nothing if it is at least 1.

    Source: ours: P₀ ≤ k P₁ + δ ≤ k (k P₂ + δ) + δ ≤ …

    >>> from fractions import Fraction as F
    >>> group_delta(F(2), F(1, 100), 3), group_delta(F(1), F(1, 100), 3)
    (Fraction(7, 100), Fraction(3, 100))
    """
    return delta * sum((k**step for step in range(1, size)), start=0 * k + 1)


def composed(guarantees: Sequence[Guarantee]) -> Guarantee:
    """Return what several releases about the same data promise together, by basic composition.

    k = Π k_i and δ = Σ δ_i, also if each release may depend on the earlier ones.

    Raises
    ------
    ValueError
        If there are none, they compare different inputs, or Σ δ_i ≥ 1 (nothing is promised).

    >>> one = Guarantee(2, "ln(2)", 0, Adjacency.REPLACE_ONE, "subject.claim")
    >>> composed([one, one]).ratio
    4
    """
    if not guarantees:
        raise ValueError("There are no guarantees to compose.")
    compared = {(each.adjacency, each.group_size) for each in guarantees}
    if len(compared) > 1:
        raise ValueError(f"The guarantees compare different inputs: {sorted(compared)}.")
    return Guarantee(
        ratio=math.prod(each.ratio for each in guarantees),
        epsilon=" + ".join(each.epsilon for each in guarantees),
        delta=_informative(functools.reduce(_plus, (each.delta for each in guarantees))),
        adjacency=guarantees[0].adjacency,
        claim=BASIC_COMPOSITION,
        premises=tuple(guarantees),
        group_size=guarantees[0].group_size,
    )


def post_processed(guarantee: Guarantee) -> Guarantee:
    """Return what is promised for any function of a release (one that does not see the data).

    >>> one = Guarantee(2, "ln(2)", 0, Adjacency.REPLACE_ONE, "subject.claim")
    >>> post_processed(one).ratio, post_processed(one).premises == (one,)
    (2, True)
    """
    return Guarantee(
        ratio=guarantee.ratio,
        epsilon=guarantee.epsilon,
        delta=guarantee.delta,
        adjacency=guarantee.adjacency,
        claim=POST_PROCESSING,
        premises=(guarantee,),
        group_size=guarantee.group_size,
    )


def for_group(guarantee: Guarantee, size: int) -> Guarantee:
    """Return what is promised for inputs that are `size` steps apart.

    k_g = k^g and δ_g = δ (k^g − 1)/(k − 1); see `group_delta`.

    Raises
    ------
    ValueError
        If `size` is no integer ≥ 1, or δ_g ≥ 1 (nothing is promised).

    >>> one = Guarantee(2, "ln(2)", 0, Adjacency.REPLACE_ONE, "subject.claim")
    >>> for_group(one, 3).ratio, for_group(one, 3).epsilon
    (Fraction(8, 1), '3 · (ln(2))')
    """
    steps: int = check_argument("privacy.for_group", "size", integers(1), size)
    return Guarantee(
        ratio=group_ratio(guarantee.ratio, steps),
        epsilon=f"{steps} · ({guarantee.epsilon})",
        delta=_informative(group_delta(guarantee.ratio, guarantee.delta, steps)),
        adjacency=guarantee.adjacency,
        claim=GROUP_PRIVACY,
        premises=(guarantee,),
        group_size=guarantee.group_size * steps,
    )


def _plus(left: Number, right: Number) -> Number:
    return left + right


def _informative(delta: Number) -> Number:
    if certainly(delta >= 1):
        raise ValueError(f"δ = {delta} is at least 1: nothing would be promised.")
    return delta
