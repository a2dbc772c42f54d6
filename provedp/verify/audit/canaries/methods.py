"""Ways to test a claim by guesses about canaries: each pays for how many guesses it tried."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

from provedp.verify.audit.canaries.bounds import (
    FAIR,
    Guesses,
    is_refuted,
    level_below,
    p_value_of,
    slack,
)
from provedp.verify.audit.canaries.guesses import cut_at, guessed, usual_sizes
from provedp.verify.audit.canaries.learning import Counted
from provedp.verify.audit.canaries.nested import nested_bounds, nested_p_value, nested_sizes
from provedp.verify.notions.notions import ApproximateDP, PrivacyNotion
from provedp.verify.notions.profile import ProfileDP

JOINT_CANARIES = 4000  # up to which the joint law takes seconds
TOGETHER = 6  # about so many independent numbers of guesses have the error of the nested ones
JOINT_SLACK = 0.2  # share of the error that δ may take of the joint law


class Method(Protocol):
    """Guesses about the canaries of one run, and the test that they are counted by."""

    @property
    def name(self) -> str:
        """What the bound is called."""
        ...

    @property
    def tries(self) -> tuple[Guesses, ...]:
        """All guesses that were tried."""
        ...

    def all_right(self) -> Self:
        """Return the same guesses, all of them right."""
        ...

    def p_value(self, claim: PrivacyNotion) -> float:
        """Return the p-value of a claim."""
        ...

    def refutes(self, claim: PrivacyNotion, alpha: float) -> bool:
        """Return whether it is at most alpha."""
        ...


@dataclass(frozen=True)
class Separate:
    """Numbers of guesses that were fixed beforehand, each tested with its share of the error."""

    tries: tuple[Guesses, ...]
    inclusion: float
    notion: str

    @property
    def name(self) -> str:
        """By what each number of guesses is tested."""
        return self.notion

    def all_right(self) -> "Separate":
        """Return the same guesses, all of them right."""
        return replace(self, tries=tuple(each.all_right() for each in self.tries))

    def p_value(self, claim: PrivacyNotion) -> float:
        """Return the least p-value, times how many there are."""
        least = min(p_value_of(each, claim, self.inclusion) for each in self.tries)
        return min(1.0, len(self.tries) * least)

    def refutes(self, claim: PrivacyNotion, alpha: float) -> bool:
        """Return whether any refutes the claim with its share of the error."""
        share = alpha / len(self.tries)
        return any(is_refuted(each, claim, share, self.inclusion) for each in self.tries)


@dataclass(frozen=True)
class Joint:
    """Nested numbers of guesses, tested by their joint law: `alone` orders the outcomes."""

    tries: tuple[Guesses, ...]
    alone: float

    name = "one run, joint law of nested guesses"

    def all_right(self) -> "Joint":
        """Return the same guesses, all of them right."""
        return replace(self, tries=tuple(each.all_right() for each in self.tries))

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(each.made // 2 for each in self.tries)

    @cached_property
    def _bounds(self) -> tuple[int, ...] | None:
        right = tuple(each.right for each in self.tries)
        return nested_bounds(self._sizes, right, self.alone)

    def p_value(self, claim: PrivacyNotion) -> float:
        """Return the chance of what is as extreme at any number of guesses."""
        assert isinstance(claim, ApproximateDP)
        joint = nested_p_value(self._sizes, self._bounds, claim.epsilon)
        return min(1.0, joint + _most_slack(self.tries[0].canaries, claim, FAIR))

    def refutes(self, claim: PrivacyNotion, alpha: float) -> bool:
        """Return whether it is at most alpha."""
        return self.p_value(claim) <= alpha


@dataclass(frozen=True)
class AtThresholds:
    """Guesses at thresholds of the score: their number depends on the run."""

    guesses: Guesses
    inclusion: float

    name = "one run, thresholds"

    @property
    def tries(self) -> tuple[Guesses, ...]:
        """The one set of guesses."""
        return (self.guesses,)

    def all_right(self) -> "AtThresholds":
        """Return the same guesses, all of them right."""
        return replace(self, guesses=self.guesses.all_right())

    def p_value(self, claim: PrivacyNotion) -> float:
        """Return the tail for pure privacy, and what δ adds to any increasing event."""
        assert isinstance(claim, ApproximateDP)
        pure = p_value_of(self.guesses, replace(claim, delta=0.0), self.inclusion)
        return min(1.0, pure + _most_slack(self.guesses.canaries, claim, self.inclusion))

    def refutes(self, claim: PrivacyNotion, alpha: float) -> bool:
        """Return whether it is at most alpha."""
        return self.p_value(claim) <= alpha


def _most_slack(canaries: int, claim: ApproximateDP, inclusion: float) -> float:
    """Return what δ adds at ε = 0, which is no less at any other level: so p-values increase."""
    return slack(canaries, replace(claim, epsilon=0.0), inclusion)


def method_of(
    counted: Counted,
    claim: PrivacyNotion,
    alpha: float,
    numbers: tuple[int, ...] | None,
    thresholds: tuple[float, float] | None,
    inclusion: float,
) -> Method:
    """Return how a claim is tested; nothing of it looks at which of these canaries are in.

    Raises
    ------
    ValueError
        If a number of guesses is outside 1 to the number of canaries, or there is no such test.
    """
    scores, included, canaries = counted.scores, counted.included, len(counted.scores)
    if thresholds is not None:
        if numbers is not None or not isinstance(claim, ApproximateDP):
            raise ValueError(
                "Thresholds go with a claim of epsilon and delta, and not with numbers of guesses:"
                " how many guesses they make depends on the run."
            )
        return AtThresholds(cut_at(scores, included, *thresholds), inclusion)
    if numbers is None and canaries < 2:
        numbers = (1,)
    if numbers is None and _is_joint(claim, counted.coins, alpha, inclusion):
        sizes = nested_sizes(canaries)
        nested = tuple(guessed(scores, included, 2 * k, counted.coins) for k in sizes)
        return Joint(nested, alpha / TOGETHER)
    made = numbers or tuple(2 * k for k in usual_sizes(canaries))
    for number in made:
        if not 1 <= number <= canaries:
            raise ValueError(
                f"The number of guesses must be in the range [1, {canaries}], one for each canary"
                f" at most. Got {number} instead."
            )
    tries = tuple(guessed(scores, included, number, counted.coins) for number in sorted(set(made)))
    return Separate(tries, inclusion, _name(claim, inclusion))


def _is_joint(claim: PrivacyNotion, canaries: int, alpha: float, inclusion: float) -> bool:
    if not isinstance(claim, ApproximateDP) or inclusion != FAIR or canaries > JOINT_CANARIES:
        return False
    return _most_slack(canaries, claim, FAIR) <= JOINT_SLACK * alpha / 2


def _name(claim: PrivacyNotion, inclusion: float) -> str:
    if isinstance(claim, ProfileDP):
        return "one run, points of a profile together"
    if not isinstance(claim, ApproximateDP):
        return "one run, recursion over the trade-off curve"
    return "one run, exact" if inclusion == FAIR else f"one run, coins of {inclusion:g}"


def bound_by(method: Method, claim: PrivacyNotion, alpha: float) -> float:
    """Return the end of the interval of levels from 0 on that a method refutes."""
    return level_below(lambda level: method.refutes(claim.at(level), alpha))
