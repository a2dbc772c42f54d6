"""Data and events of the mechanisms to audit, and their probabilities, exactly or as balls."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np
from flint import arb

from provedp.course.answers import decimal, described, listed, whole
from provedp.course.exercise import UnreadableError, WrongError
from provedp.theory import counting
from provedp.theory.numbers import ball
from provedp.theory.privacy import noisy_threshold_between, sparse_vector_probability

HALF_LINE = re.compile(r"\s*(?:x\s*)?(<=|≤|>=|≥)\s*(\S+)\s*")
FARTHEST = 1000  # of numbers in data and events
THRESHOLD = F(1, 2)


@dataclass(frozen=True)
class Event:
    """A half-line x ≤ cut (or ≥, if `above`), or a set of outcomes."""

    cut: F | None = None
    above: bool = False
    members: tuple[Any, ...] = ()

    def count(self, outputs: Any) -> int:
        """Return how many outputs, whole numbers, are among the members."""
        return int(np.isin(np.asarray(outputs), self.members).sum())


@dataclass(frozen=True)
class Reader:
    """How a data set is read, and what says that two are neighbours."""

    read: Callable[[Any, str], Any]
    complaint: Callable[[Any, Any], str]

    def pair(self, value: Any) -> tuple[Any, Any]:
        """Return two data sets.

        Raises
        ------
        WrongError
            If they are no neighbours, or equal.
        """
        both = listed(value, "the pair")
        if len(both) != 2:
            raise UnreadableError(f"The pair should hold two data sets, not {len(both)}.")
        first, second = (
            self.read(x, f"the {which} data set")
            for x, which in zip(both, ("first", "second"), strict=True)
        )
        complaint = self.complaint(first, second)
        if complaint:
            raise WrongError(f"These are no neighbours: {complaint}.")
        if first == second:
            raise WrongError(
                "The two data sets are equal.", "Think: a mechanism cannot tell equal data apart."
            )
        return first, second


def _moves(first: F, second: F, most: int, what: str) -> str:
    gap = abs(first - second)
    return f"{what} moves by {gap}, and {most} is allowed" if gap > most else ""


def _near_zero(value: F, what: str) -> F:
    if abs(value) > FARTHEST:
        raise UnreadableError(f"{what} should be between −{FARTHEST} and {FARTHEST}. Got {value}.")
    return value


def whole_value(low: int, high: int, step: int) -> Reader:
    """Return how a whole number is read, whose neighbours are at most a step away."""

    def read(value: Any, what: str) -> int:
        found = whole(value, what)
        if not low <= found <= high:
            raise UnreadableError(f"{what} should be between {low} and {high}. Got {found}.")
        return found

    return Reader(read, lambda x, y: _moves(F(x), F(y), step, "the value"))


def real_value() -> Reader:
    """Return how a number is read, whose neighbours are at most 1 away."""
    return Reader(
        lambda value, what: _near_zero(decimal(value, what), what),
        lambda x, y: _moves(x, y, 1, "the value"),
    )


def scores(size: int, exact: bool = False) -> Reader:
    """Return how so many numbers are read, each of which moves by at most 1."""

    def read(value: Any, what: str) -> list[F]:
        entries = listed(value, what)
        if len(entries) != size:
            raise UnreadableError(f"{what} should have {size} numbers, not {len(entries)}.")
        one = whole if exact else decimal
        return [_near_zero(F(one(x, f"a number of {what}")), what) for x in entries]

    def complaint(first: list[F], second: list[F]) -> str:
        found = [
            _moves(x, y, 1, f"number {i}")
            for i, (x, y) in enumerate(zip(first, second, strict=True), start=1)
        ]
        return next(filter(None, found), "")

    return Reader(read, complaint)


def half_line(value: Any) -> Event:
    """Return the event of a text such as '<= 0' or 'x >= 3/2'."""
    found = HALF_LINE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise UnreadableError(
            f"The event should be a text such as '<= 0' or '>= 3/2'. Got {described(value)}."
        )
    cut = _near_zero(decimal(found[2], "the end of the event"), "The end of the event")
    return Event(cut, found[1] in (">=", "≥"))


def outcomes(low: int, high: int) -> Callable[[Any], Event]:
    """Return how a list of whole outcomes is read."""

    def read(value: Any) -> Event:
        members = [whole(x, "an outcome") for x in listed(_as_list(value), "the event")]
        for member in members:
            if not low <= member <= high:
                raise UnreadableError(
                    f"An outcome should be between {low} and {high}. Got {member}."
                )
        return Event(members=tuple(sorted(set(members))))

    return read


def answers(size: int) -> Callable[[Any], Event]:
    """Return how a list of rows of answers 0, 1 and −1 is read."""

    def read(value: Any) -> Event:
        rows = [tuple(whole(x, "an answer") for x in listed(row, "a row of answers"))
                for row in listed(_as_list(value), "the event")]  # fmt: skip
        for row in rows:
            if len(row) != size or not set(row) <= {0, 1, -1}:
                raise UnreadableError(
                    f"An outcome should be a list of {size} answers 0, 1 or −1. Got {list(row)}."
                )
        return Event(members=tuple(sorted(set(rows))))

    return read


def _as_list(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else value


def event_form(read: Callable[[Any], Event]) -> str:
    """Return how an event is written."""
    if read is half_line:
        return "an event is a text such as '<= 0' or '>= 3/2'"
    return "an event is a list of outputs"


def _laplace_below(x: arb) -> arb:
    """Return the distribution function of Laplace noise of scale 1, at an exact or near point."""
    return x.exp() / 2 if x < 0 else 1 - (-x).exp() / 2


def _side(below: arb, event: Event) -> arb:
    return 1 - below if event.above else below


def half_laplace(data: F, event: Event) -> arb:
    """Laplace noise of scale 1/2."""
    return _laplace_tail(2 * (_cut(event) - data), event)


def _laplace_tail(x: F, event: Event) -> arb:
    """Return P(noise ≤ x), or P(noise ≥ x): without cancellation."""
    return _laplace_below(ball(-x if event.above else x))


def _cut(event: Event) -> F:
    return F(0) if event.cut is None else event.cut


def noisy_largest(data: list[F], event: Event) -> arb:
    """The largest of numbers with Laplace noise of scale 2."""
    parts = [_laplace_below(ball((_cut(event) - x) / 2)) for x in data]
    return _side(math.prod(parts, start=arb(1)), event)


def rounded_laplace(data: int, event: Event) -> arb:
    """Laplace noise of scale 1, rounded to the nearest whole number."""
    cut = _cut(event)
    end = math.ceil(cut) - F(1, 2) if event.above else math.floor(cut) + F(1, 2)
    return _laplace_tail(end - data, event)


def biased_geometric(data: int, event: Event) -> arb:
    """Two-sided geometric noise with q = 1/4."""
    cut, q = _cut(event), F(1, 4)
    steps = data - math.ceil(cut) if event.above else math.floor(cut) - data
    tail = q ** max(-steps, 0) / (1 + q)  # P(N ≤ s) for s ≤ 0
    return ball(tail if steps <= 0 else 1 - q ** (steps + 1) / (1 + q))


def ten_answers(data: int, event: Event) -> arb:
    """Randomised response with ten answers and the ratio e²."""
    odds = arb(2).exp()
    kept = int(data in event.members)
    return (odds * kept + len(event.members) - kept) / (odds + 9)


def truncated_geometric(data: int, event: Event) -> arb:
    """Two-sided geometric noise with q = 1/3, clipped to 0 … 20."""
    row = counting.truncated_geometric_matrix(21, F(3))[data]
    return ball(sum((row[j] for j in event.members), F(0)))


def exponential(data: list[F], event: Event) -> arb:
    """Weights e^score."""
    weights = [ball(x).exp() for x in data]
    return sum((weights[j] for j in event.members), arb(0)) / sum(weights, arb(0))


def threshold_alone(data: list[F], event: Event) -> arb:
    """Noise of scale 2 on the threshold, and none on the numbers."""
    return sum((_one_threshold(data, row) for row in event.members), arb(0))


def _one_threshold(data: list[F], row: tuple[int, ...]) -> arb:
    sides = [
        [x - THRESHOLD for x, y in zip(data, row, strict=True) if y == side] for side in (0, 1)
    ]
    if -1 in row or (all(sides) and max(sides[0]) >= min(sides[1])):
        return arb(0)  # no threshold lies above the one and below the other
    if not sides[0]:
        return _laplace_below(ball(min(sides[1]) / 2))
    if not sides[1]:
        return _laplace_below(ball(-max(sides[0]) / 2))
    return ball(noisy_threshold_between(ball(max(sides[0])), ball(min(sides[1])), ball(2)))


def above_threshold(data: list[F], event: Event) -> arb:
    """Sparse vector with scales 2 and 4 that stops after the first answer above."""
    return sum((_stopped(data, row) for row in event.members), arb(0))


def _stopped(data: list[F], row: tuple[int, ...]) -> arb:
    asked = row.index(1) + 1 if 1 in row else len(row)
    if any(x != 0 for x in row[: asked - 1]) or any(x != -1 for x in row[asked:]):
        return arb(0)
    if -1 in row[:asked]:
        return arb(0)
    # In units of 4: the threshold's noise has the rate 2, a number's the rate 1.
    margins = [(x - THRESHOLD) / 4 for x in data[:asked]]
    below = margins[: asked - 1] if 1 in row else margins
    above = margins[asked - 1 :] if 1 in row else []
    law: Any = sparse_vector_probability  # it reads lists too
    return ball(law(2, 1, below or None, above or None))
