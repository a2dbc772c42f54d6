"""How far an audit with fixed runs is, between two chunks, and how that is written as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import index
from typing import Any, Protocol, Self

from provedp.verify.audit.events.event import Event, Events, event_from
from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.chunks import Countable
from provedp.verify.audit.runs.independence import Diagnostic

Parts = tuple[Tally, ...]


class CountingState(Protocol):
    """What is counted on which pair, and what came of the chunks that are done."""

    @property
    def pair(self) -> int:
        """The index of the pair."""
        ...

    @property
    def done(self) -> Mapping[int, Parts]:
        """The tallies of the requests of each chunk that is done."""
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
    """The state of an audit of one claim.

    Attributes
    ----------
    pair, event, done
        The pair, the event that was learned, the chunks that were counted.
    checks
        What was found about the runs that it was learned from.
    """

    pair: int
    event: Event
    done: Mapping[int, Parts]
    checks: tuple[Diagnostic, ...] = ()

    @property
    def countable(self) -> Countable:
        """The event."""
        return self.event

    def record(self) -> dict[str, Any]:
        """Return it as JSON data."""
        return {
            "pair": self.pair,
            "event": self.event.record(),
            "checks": list(map(asdict, self.checks)),
            "done": _records(self.done),
        }

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return what `record` wrote."""
        return cls(
            index(record["pair"]),
            event_from(record["event"]),
            _tallies(record["done"]),
            _diagnostics(record["checks"]),
        )


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
    pair, done, checks
        As in `FixedState`.
    aimed
        The events that were learned.
    claimed
        How many of them, the first ones, are for the claims.
    """

    pair: int
    aimed: tuple[AimedEvent, ...]
    claimed: int
    done: Mapping[int, Parts]
    checks: tuple[Diagnostic, ...] = ()

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
            "checks": list(map(asdict, self.checks)),
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
            _diagnostics(record["checks"]),
        )


def _diagnostics(records: Sequence[Mapping[str, Any]]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(**each) for each in records)


def records_of(parts: Parts) -> list[list[int]]:
    """Return the tallies of a chunk as JSON data."""
    return [part.record() for part in parts]


def _records(done: Mapping[int, Parts]) -> dict[str, list[list[int]]]:
    return {str(chunk): records_of(parts) for chunk, parts in done.items()}


def _tallies(records: Mapping[str, list[list[int]]]) -> dict[int, Parts]:
    return {int(chunk): tuple(map(Tally.from_record, listed)) for chunk, listed in records.items()}
