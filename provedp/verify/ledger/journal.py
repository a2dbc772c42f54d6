"""What happens inside one run of a check, kept where the check cannot lose it.

A check may catch an exception or drop a finding. What it was refused, what it could not decide and
which floats it looked at is noted here as well, and the run reads it after the check has returned.
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

SHOWN = 12  # steps that are kept as text; the others are counted

_serials = itertools.count(1)


@dataclass
class Journal:
    """Notes on one run of a check on one instance.

    Parameters
    ----------
    serial
        Which run it is; findings made in it carry the number.
    faults
        What was refused: a type, a shape, an argument.
    undecided
        Comparisons or hypotheses that could not be decided.
    unmet
        Whether a hypothesis failed.
    floats
        Whether a float was compared or made exact elsewhere than where a rounding is stated.
    weak
        Whether a hypothesis was decided by floats or statistics, so that no conclusion is stronger.
    steps, count
        Identities and entailments as text, the first few, and how many there were.
    """

    serial: int
    faults: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    unmet: bool = False
    floats: bool = False
    weak: bool = False
    steps: list[str] = field(default_factory=list)
    count: int = 0


_current: ContextVar[Journal | None] = ContextVar("journal", default=None)


def current() -> Journal:
    """Return the notes of the check that runs; outside of one, notes that nobody reads."""
    return _current.get() or Journal(0)


@contextmanager
def opened() -> Iterator[Journal]:
    """Keep notes while a check runs."""
    journal = Journal(next(_serials))
    token = _current.set(journal)
    try:
        yield journal
    finally:
        _current.reset(token)


def refused(error: Exception) -> Exception:
    """Note a fault and return the error to raise."""
    current().faults.append(str(error))
    return error


def step(text: str) -> None:
    """Note an identity or an entailment."""
    journal = current()
    journal.count += 1
    if len(journal.steps) < SHOWN:
        journal.steps.append(text)


def is_full() -> bool:
    """Return whether further steps are only counted, so that their text need not be made."""
    return len(current().steps) >= SHOWN
