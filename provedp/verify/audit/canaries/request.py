"""What is asked of an audit by canaries, checked."""

from dataclasses import dataclass
from typing import Any, Self

from provedp.theory.domain import Reals, check_argument, check_float, integers, reals
from provedp.verify.audit.canaries.bounds import FAIR, require_notion
from provedp.verify.audit.canaries.coins import PROBABILITY
from provedp.verify.audit.canaries.learning import SHARE
from provedp.verify.audit.statistics.exact_test import CONFIDENCE
from provedp.verify.notions.notions import PrivacyNotion, as_notion

PAIRS = "pairs"


@dataclass(frozen=True)
class CanaryRequest:
    """A checked request: see the parameters of `audit_canaries`.

    Attributes
    ----------
    claim
        What is tested.
    chance
        The probability of the coins.
    pairs
        Whether of the two rows of each unit one was drawn.
    alpha
        The error of one look.
    looks
        How many there are.
    numbers
        Of guesses, if given.
    cuts
        Thresholds, high and low, if given.
    learn
        The share of the canaries to learn weights from, if any.
    """

    claim: PrivacyNotion
    chance: float
    pairs: bool
    alpha: float
    looks: int
    numbers: tuple[int, ...] | None
    cuts: tuple[float, float] | None
    learn: float | None

    @classmethod
    def checked(
        cls,
        claim: Any,
        *,
        guesses: Any,
        thresholds: Any,
        inclusion: Any,
        confidence: Any,
        looks: Any,
        learn: Any,
    ) -> Self:
        """Return the request.

        Raises
        ------
        ValueError
            If an argument is out of its range, or two do not go together.
        """
        check_argument("audit_canaries", "confidence", CONFIDENCE, confidence)
        check_argument("audit_canaries", "looks", integers(1), looks)
        asked = as_notion("audit_canaries", claim)
        pairs = isinstance(inclusion, str) and inclusion == PAIRS
        chance = FAIR if pairs else _number("inclusion", PROBABILITY, inclusion)
        require_notion(asked, chance)
        if learn is not None:
            check_argument("audit_canaries", "learn", SHARE, learn)
        numbers, cuts = _numbers(guesses), _cuts(thresholds)
        if learn is not None and cuts is not None:
            raise ValueError(
                "Thresholds are of one score: they do not go with weights to be learned."
            )
        return cls(asked, chance, pairs, (1 - confidence) / looks, looks, numbers, cuts, learn)


def _number(name: str, where: Reals, value: Any) -> float:
    return check_float("audit_canaries", name, where, value)


def _numbers(guesses: Any) -> tuple[int, ...] | None:
    if guesses is None:
        return None
    listed = guesses if isinstance(guesses, (tuple, list)) else (guesses,)
    if not listed:
        raise ValueError("The 'guesses' parameter must hold a number of guesses. Got none.")
    return tuple(int(check_argument("audit_canaries", "guesses", integers(), g)) for g in listed)


def _cuts(thresholds: Any) -> tuple[float, float] | None:
    if thresholds is None:
        return None
    if not isinstance(thresholds, (tuple, list)) or len(thresholds) != 2:
        raise ValueError("The 'thresholds' parameter must be two numbers (high, low).")
    high, low = (_number("thresholds", reals(), each) for each in thresholds)
    return high, low
