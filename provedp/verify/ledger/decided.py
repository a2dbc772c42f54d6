"""Exact decisions that are no comparison of numbers: Booleans, sets, names."""

from collections.abc import Set
from fractions import Fraction
from typing import Any

from provedp.verify.ledger.findings import Finding, Kind, made
from provedp.verify.ledger.journal import refused

ATOMS = (int, str, Fraction)


def holds(flag: bool, what: str) -> Finding:
    """Find whether an exact decision came out true; `what` says which.

    Comparisons of balls inside a file of claims are guarded, so that a Boolean that comes from an
    undecided one never gets here.

    Raises
    ------
    TypeError
        For anything but a Python bool: None, a numpy or sympy Boolean, a number, a finding.
    """
    if type(flag) is not bool:
        raise refused(TypeError(f"{flag!r} ({type(flag).__name__}) is no decided bool."))
    if not isinstance(what, str) or not what.strip():
        raise refused(TypeError("holds needs words for what was decided."))
    return made(flag, Kind.EXACT, note="" if flag else f"it is not so that {what}")


def same_set(left: Set[Any], right: Set[Any]) -> Finding:
    """Find whether two sets of integers, fractions, names or tuples of these are the same.

    Raises
    ------
    TypeError
        If either is no set or holds anything else, a float among them.
    ValueError
        If both are empty: there is nothing to compare.
    """
    for one in (left, right):
        if not isinstance(one, Set):
            raise refused(TypeError(f"{one!r} is no set."))
        for element in one:
            _require_atoms(element)
    if not left and not right:
        raise refused(ValueError("There is nothing to compare: both sets are empty."))
    only = [sorted(map(str, some - other))[:3] for some, other in ((left, right), (right, left))]
    return made(
        left == right,
        Kind.EXACT,
        note=f"only in the first: {only[0]}, only in the second: {only[1]}",
    )


def same_name(left: str, right: str) -> Finding:
    """Find whether two names are the same.

    Raises
    ------
    TypeError
        If either is no text, or empty.
    """
    for one in (left, right):
        if type(one) is not str or not one:
            raise refused(TypeError(f"{one!r} is no name."))
    return made(left == right, Kind.EXACT, note=f"{left!r} ≠ {right!r}")


def _require_atoms(element: Any) -> None:
    if isinstance(element, (tuple, frozenset)):
        for part in element:
            _require_atoms(part)
    elif type(element) not in ATOMS:
        raise refused(
            TypeError(f"A set with {element!r} ({type(element).__name__}) cannot be compared.")
        )
