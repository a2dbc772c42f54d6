"""Answers that are functions: called with care, here or in the process of a submission."""

from collections.abc import Callable
from typing import Any

from provedp.course.exercise import UnreadableError, WrongError
from provedp.course.seeds import with_generators


class CallError(Exception):
    """A student's function raised, ended its process, or took too long: what is known of it."""


def call(function: Any, *arguments: Any, with_words: str) -> Any:
    """Return what a student's function returns.

    Raises
    ------
    WrongError
        If it raises; the reply says for which arguments (`with_words`) and what.
    """
    try:
        if isinstance(function, Remote):
            return function(*arguments)
        return function(*with_generators(arguments))
    except Exception as error:
        what = str(error) if isinstance(error, CallError) else f"{type(error).__name__}: {error}"
        raise WrongError(
            f"Your function fails {with_words}: {' '.join(what.split())[:200]}.",
            "Think: call it yourself with these arguments.",
        ) from None


class Remote:
    """A function in the process of a submission.

    Parameters
    ----------
    ask
        Sends arguments there and returns what came back; raises `CallError`.
    """

    def __init__(self, ask: Callable[[tuple[Any, ...]], Any]):
        self._ask = ask

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function returns there."""
        return self._ask(arguments)


def function(answer: Any) -> Any:
    """Return the answer if it can be called.

    Raises
    ------
    UnreadableError
        If it cannot.
    """
    if callable(answer):
        return answer
    raise UnreadableError("The answer should be a function: its name, without parentheses.")
