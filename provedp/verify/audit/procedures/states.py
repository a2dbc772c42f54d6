"""How far an audit with fixed runs is, between two chunks, and how that is written as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Protocol, Self

from provedp.verify.audit.events.event import Event, Events, event_from
from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.chunks import Countable


class CountingState(Protocol):
    """What is counted on which pair, and what came of the chunks that are done."""

    @property
    def pair(self) -> int:
        """The index of the pair."""
        ...

    @property
    def done(self) -> Mapping[int, Tally]:
        """The tallies of the chunks that are done."""
        ...

    @property
    def countable(self) -> Countable:
        """What is counted."""
        ...

    def record(self) -> dict[str, Any]:
        """Return the state as JSON data, with the chunks under 'done'."""
        ...


@dataclass(frozen=True)
class FixedState:
    """The state of an audit of one claim: the pair, the event that was learned, the chunks."""

    pair: int
    event: Event
    done: Mapping[int, Tally]

    @property
    def countable(self) -> Countable:
        """The event."""
        return self.event

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {"pair": self.pair, "event": self.event.record(), "done": _records(self.done)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return what `record` wrote."""
        return cls(index(record["pair"]), event_from(record["event"]), _tallies(record["done"]))


@dataclass(frozen=True)
class AimedEvent:
    """An event, and the arc of directions in which its confidence region is to be narrow."""

    event: Event
    arc: tuple[float, float]


@dataclass(frozen=True)
class ProfileState:
    """The state of an audit of a profile.

    Attributes
    ----------
    pair, done
        As in `FixedState`.
    aimed
        The events that were learned.
    claimed
        How many of them, the first ones, are for the claims.
    """

    pair: int
    aimed: tuple[AimedEvent, ...]
    claimed: int
    done: Mapping[int, Tally]

    @property
    def countable(self) -> Countable:
        """All events."""
        return Events(tuple(each.event for each in self.aimed))

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "pair": self.pair,
            "events": [each.event.record() for each in self.aimed],
            "arcs": [each.arc for each in self.aimed],
            "claimed": self.claimed,
            "done": _records(self.done),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return what `record` wrote."""
        aimed = zip(record["events"], record["arcs"], strict=True)
        return cls(
            index(record["pair"]),
            tuple(AimedEvent(event_from(event), (low, high)) for event, (low, high) in aimed),
            index(record["claimed"]),
            _tallies(record["done"]),
        )


def _records(done: Mapping[int, Tally]) -> dict[str, list[int]]:
    return {str(chunk): tally.record() for chunk, tally in done.items()}


def _tallies(records: Mapping[str, list[int]]) -> dict[int, Tally]:
    return {int(chunk): Tally.from_record(record) for chunk, record in records.items()}
