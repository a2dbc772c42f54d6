"""Events: outputs that speak for one of two data sets, and how many runs have them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.verify.audit.events.scores.reading import score_from
from provedp.verify.audit.events.scores.score import Score
from provedp.verify.audit.events.tallies import Marks, Sides, Tally
from provedp.verify.audit.statistics.exact_test import Counts
from provedp.verify.audit.targets.outputs import Batch


@dataclass(frozen=True)
class Event:
    """Outputs that speak for the first data set (score ≥ high) or the second (score ≤ low)."""

    score: Score
    high: float | None
    low: float | None

    @property
    def folded(self) -> bool:
        """Whether it has both sides."""
        return self.high is not None and self.low is not None

    def marks(self, batch: Batch) -> Marks:
        """Return which runs speak for the first and for the second data set."""
        score = self.score.of(batch)
        none = np.zeros(len(score), dtype=bool)
        first = none if self.high is None else np.asarray(score >= self.high)
        second = none if self.low is None else np.asarray(score <= self.low)
        return Marks(first, second)

    def all_marks(self, batch: Batch) -> tuple[Marks]:
        """Return the same, as of one event."""
        return (self.marks(batch),)

    def sides(self, batch: Batch) -> Sides:
        """Return how many runs speak for the first and for the second data set."""
        return Sides(*(int(np.count_nonzero(each)) for each in self.marks(batch)))

    def counts(self, batch: Batch) -> tuple[Sides]:
        """Return the same, as of one event."""
        return (self.sides(batch),)

    def counts_of(self, tally: Tally, index: int = 0) -> Counts:
        """Return the counts of this event, which has this index among those of a tally."""
        (n, m), own, other = tally.runs, tally.on_first[index], tally.on_second[index]
        if self.folded:
            success, failure = own.first + other.second, own.second + other.first
            return Counts(success, n + m, failure, n + m, folded=True)
        if self.low is None:
            return Counts(own.first, n, other.first, m)
        return Counts(other.second, m, own.second, n)

    @property
    def words(self) -> str:
        """The event in words."""
        parts = []
        if self.high is not None:
            parts.append(f"on the first data set, {self.score.words(self.high, True)}")
        if self.low is not None:
            parts.append(f"on the second data set, {self.score.words(self.low, False)}")
        return "; ".join(parts)

    def record(self) -> dict[str, Any]:
        """Return the event as JSON data."""
        return {"score": self.score.record(), "high": self.high, "low": self.low}


def event_from(record: dict[str, Any]) -> Event:
    """Return the event that `record` describes."""
    return Event(score_from(record["score"]), record["high"], record["low"])


@dataclass(frozen=True)
class Events:
    """Several events that are counted on the same runs."""

    events: tuple[Event, ...]

    def all_marks(self, batch: Batch) -> tuple[Marks, ...]:
        """Return which runs speak for the first and for the second data set, event by event."""
        return tuple(event.marks(batch) for event in self.events)

    def counts(self, batch: Batch) -> tuple[Sides, ...]:
        """Return how many, event by event."""
        return tuple(event.sides(batch) for event in self.events)
