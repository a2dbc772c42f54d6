"""An exercise, and what the grader says of an answer to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

RIGHT, WRONG, UNREADABLE = "right", "wrong", "unreadable"

Check = Callable[[Any], str]


class WrongError(Exception):
    """An answer that was read, and is wrong: what a teacher says of it, a sentence a line."""

    def __init__(self, *lines: str):
        super().__init__("\n".join(lines))


class UnreadableError(Exception):
    """What was given is no answer of the kind that was asked for."""

    def __init__(self, *lines: str):
        super().__init__("\n".join(lines))


@dataclass(frozen=True)
class Exercise:
    """A question with a check in the place of a key.

    Attributes
    ----------
    name
        Such as 'counting-3'.
    lesson
        0 to 8.
    title
        A few words.
    prompt
        The question, in Markdown.
    kind
        What an answer is, completing the sentence 'The answer is …'.
    form
        An answer of this kind, most often a wrong one: how to write it, as Python.
    hints
        From a nudge to nearly everything.
    check
        Takes an answer; returns a word of praise, or raises `WrongError` or `UnreadableError`. It
        computes what is true when it is called.
    """

    name: str
    lesson: int
    title: str
    prompt: str
    kind: str
    form: str
    hints: tuple[str, ...]
    check: Check


@dataclass(frozen=True)
class Reply:
    """What the grader says.

    Attributes
    ----------
    exercise
        Its name.
    verdict
        'right', 'wrong', or 'unreadable' (not counted as a try).
    text
        What a teacher would say: what fails, where, by how much, what to think about.
    """

    exercise: str
    verdict: str
    text: str

    def __bool__(self) -> bool:
        return self.verdict == RIGHT

    def __str__(self) -> str:
        return f"{self.exercise}: {self.verdict}. {self.text}"

    __repr__ = __str__
