"""Answers that are one number: never compared aloud with the truth, which would give it away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from provedp.course.answers import decimal, number
from provedp.course.exercise import Check, WrongError


@dataclass(frozen=True)
class Mistake:
    """A way to go wrong: the value that it leads to, and what to say of it."""

    value: Callable[[], Any]
    words: str


def exact_number(
    truth: Callable[[], Any],
    mistakes: Sequence[Mistake],
    *,
    low: str,
    high: str,
    praise: str,
    allowed: tuple[Fraction | int, Fraction | int | None] = (0, None),
) -> Check:
    """Return a check for one exact number.

    Parameters
    ----------
    truth
        Computes it.
    mistakes
        Tried in order; the first whose value is the answer is what the reply speaks of.
    low, high
        What to say of another answer below, or above, the truth.
    praise
        What to say of the right one.
    allowed
        The values that the quantity can have; answers outside are told so.
    """

    def check(answer: Any) -> str:
        value = number(answer)
        _require_in(value, allowed)
        right = Fraction(truth())
        if value == right:
            return praise
        for mistake in mistakes:
            if value == mistake.value():
                raise WrongError(*mistake.words.split("\n"))
        raise WrongError(*(low if value < right else high).split("\n"))

    return check


def _require_in(value: Fraction, allowed: tuple[Fraction | int, Fraction | int | None]) -> None:
    least, most = allowed
    if value < least:
        raise WrongError(f"{value} is out of the question: it cannot be below {least}.")
    if most is not None and value > most:
        raise WrongError(f"{value} is out of the question: it cannot be above {most}.")


def least_decimal(
    enough: Callable[[Fraction], bool],
    *,
    short: Callable[[Fraction], str],
    long: str,
    praise: str,
    above: Fraction | int = 0,
    below: Fraction | int = 1000,
    mistakes: Sequence[Mistake] = (),
    step: Fraction = Fraction(1, 100),
) -> Check:
    """Return a check for the least value that is enough, to within a step.

    A float counts as the decimal that Python prints. The answer x is right if x is enough and
    x less the step is not, so more digits than asked for are welcome.

    Parameters
    ----------
    enough
        Whether a value is, decided in balls; monotone.
    short
        What to say of a value that is not enough.
    long
        What to say of one that is more than enough.
    above, below
        Open ends of the values that are looked at.
    """

    def check(answer: Any) -> str:
        value = decimal(answer)
        if not above < value < below:
            raise WrongError(f"It should be between {above} and {below}. Got {value}.")
        for mistake in mistakes:
            if abs(value - mistake.value()) < step:
                raise WrongError(*mistake.words.split("\n"))
        if not enough(value):
            raise WrongError(*short(value).split("\n"))
        if value - step > above and enough(value - step):
            raise WrongError(*long.split("\n"))
        return praise

    return check
