"""One pair of neighbours: run, replay with the same noisy numbers, add up what was spent."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction as Q
from functools import reduce
from operator import add
from typing import Any

from provedp.verify.spending.meetings import Cost, Meeting, Occupied
from provedp.verify.spending.outcomes import Outcome, outcome_of
from provedp.verify.spending.recorder import (
    Forced,
    Scripted,
    recording,
)

Run = Callable[[Any], Any]


@dataclass(frozen=True)
class Replay:
    """What two runs with the same noisy numbers tell.

    Parameters
    ----------
    difference
        What differs besides the exact numbers; empty if nothing does.
    cost
        What the difference of the exact numbers costs.
    numbers
        How many numbers met noise.
    bits
        How many bits of results and refusals were compared.
    form
        Scales and numbers of draws, which do not depend on the records.
    released
        Whether a result came out; a refusal else.
    """

    difference: str
    cost: Cost
    numbers: int = 0
    bits: int = 0
    form: tuple[Hashable, ...] = ()
    released: bool = False


def replayed(run: Run, first: Any, second: Any, seed: int = 0, factor: Q = Q(1)) -> Replay:
    """Run on `first` with scripted noise, on `second` with the same noisy numbers, and compare.

    Groups that `first` alone occupies are kept below thresholds, since `second` cannot show them:
    the probability that noise takes them over is `Cost.tail`.
    """
    before, shown = _recorded(run, first, Scripted(seed, factor))
    after, seen = _recorded(run, second, Forced(before))
    hidden = _alone(before, after)
    if hidden:
        before, shown = _recorded(run, first, Scripted(seed, factor, hidden))
        after, seen = _recorded(run, second, Forced(before))
    difference = _difference(shown, seen)
    if not difference and len(before) != len(after):
        difference = f"{len(before)} and {len(after)} meetings with noise"
    if difference:  # what a change costs says nothing then, and its power may be endless
        return Replay(difference, Cost())
    cost = reduce(add, (a.cost(b) for a, b in zip(before, after, strict=True)), Cost())  # type: ignore[arg-type]
    form = tuple(each.form for each in before)
    numbers = sum(each.numbers for each in before)
    return Replay(difference, cost, numbers, 8 * len(shown.text), form, shown.released)


def _recorded(run: Run, data: Any, noise: Scripted | Forced) -> tuple[list[Meeting], Outcome]:
    with recording(noise):
        outcome = outcome_of(lambda: run(data))
    return noise.met, outcome


def _alone(before: Sequence[Meeting], after: Sequence[Meeting]) -> frozenset[Hashable]:
    """Return the groups that the first run alone occupies."""
    pairs = zip(before, after, strict=False)
    return frozenset(
        group
        for a, b in pairs
        if isinstance(a, Occupied) and isinstance(b, Occupied)
        for group in a.exact
        if group not in b.exact
    )


def _difference(shown: Outcome, seen: Outcome) -> str:
    fault = shown.fault or seen.fault
    if fault:
        return fault
    if shown.warnings != seen.warnings:
        return f"warnings: {shown.warnings} and {seen.warnings}"
    if shown.text == seen.text:
        return ""
    pairs = enumerate(zip(shown.text, seen.text, strict=False))
    place = next((i for i, (a, b) in pairs if a != b), min(len(shown.text), len(seen.text)))
    start = max(0, place - 60)
    return f"{shown.text[start : place + 60]!r} and {seen.text[start : place + 60]!r}"
