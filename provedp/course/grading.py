"""One answer to one exercise, and a hint for it."""

from typing import Any

from provedp.course import catalogue
from provedp.course.answers import described
from provedp.course.exercise import (
    RIGHT,
    UNREADABLE,
    WRONG,
    Reply,
    UnreadableError,
    WrongError,
)


def grade(exercise: str, answer: Any) -> Reply:
    """Check an answer and say what a teacher would say of it.

    Nothing is compared with a stored key: privacy, optimality and bounds of the answer itself are
    decided, so every right answer counts. Numbers are exact; see `provedp.course.answers` for how
    they may be written.

    Parameters
    ----------
    exercise
        Its name, such as 'counting-3'.
    answer
        Of the kind that `provedp course show` tells.

    Returns
    -------
    A `Reply`, true if the answer is right. Bad input, an unknown exercise included, gets a reply
    too: nothing is raised.

    >>> print(grade("counting-9", 1))
    counting-9: unreadable. There is no such exercise. Did you mean 'counting-8' or 'counting-7'?
    """
    try:
        found = catalogue.find(exercise)
    except ValueError as error:
        return Reply(described(exercise).strip("'"), UNREADABLE, str(error))
    if answer is None or answer is Ellipsis:
        return Reply(found.name, UNREADABLE, f"There is no answer yet. It is {found.kind}.")
    try:
        return Reply(found.name, RIGHT, found.check(answer))
    except WrongError as error:
        return Reply(found.name, WRONG, str(error))
    except UnreadableError as error:
        return Reply(found.name, UNREADABLE, f"{error}\nThe answer is {found.kind}.")
    except Exception as error:  # an object that behaves oddly, which only its author can mend
        text = f"The answer cannot be used ({type(error).__name__}). It is {found.kind}."
        return Reply(found.name, UNREADABLE, text)


def hint(exercise: str, step: int = 1) -> str:
    """Return a hint, from a nudge (step 1) to nearly everything (the last step).

    Raises
    ------
    ValueError
        If there is no such exercise or step.

    >>> print(hint("promise-1"))
    Hint 1 of 3: an event is a set of outcomes. Which outcomes make p(U) − 2 q(U) larger?
    """
    found = catalogue.find(exercise)
    steps = len(found.hints)
    if not isinstance(step, int) or not 1 <= step <= steps:
        raise ValueError(f"{found.name} has hints 1 to {steps}. Got {described(step)} instead.")
    return f"Hint {step} of {steps}: {found.hints[step - 1]}"
