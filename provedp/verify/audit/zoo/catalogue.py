"""All mechanisms of the zoo, in one list, and by name."""

import difflib
import functools

from provedp.verify.audit.zoo import (
    accountants,
    choices,
    noise,
    reported_scales,
    reported_supports,
    responses,
    sound,
    sparse_vectors,
    thresholds,
)
from provedp.verify.audit.zoo.entry import Account, Entry

LITERATURE = (responses, noise, choices, sparse_vectors, thresholds)
REPORTED = (reported_scales, reported_supports, sound)  # in public trackers, rightly and wrongly


@functools.cache
def entries() -> tuple[Entry, ...]:
    """Return all mechanisms: those of the literature, then those that were reported as faulty."""
    return tuple(entry for room in (*LITERATURE, *REPORTED) for entry in room.ENTRIES)


@functools.cache
def accounts() -> tuple[Account, ...]:
    """Return the accountants, bounds on sensitivities and formulas, about which nothing is run."""
    return tuple(accountants.ACCOUNTS)


def by_name(name: str) -> Entry:
    """Return the mechanism of this name.

    Raises
    ------
    ValueError
        If there is none; the nearest names are said.

    >>> by_name("no query noise")
    Traceback (most recent call last):
    ...
    ValueError: The 'name' parameter must be that of a mechanism of the zoo. Got 'no query noise'...
    """
    known = {entry.name: entry for entry in entries()}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3)
        more = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        raise ValueError(
            "The 'name' parameter must be that of a mechanism of the zoo."
            f" Got {name!r} instead.{more}"
        )
    return known[name]
