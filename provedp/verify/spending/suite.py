"""The suite's verdict on one estimator: what its replays spent, and whether anything differed."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction as Q
from functools import cache

from provedp.verify.spending.cases import Case, cases
from provedp.verify.spending.promises import keeps, share

__all__ = ["Tally", "case_names", "replay_count", "spent", "tally"]


@dataclass(frozen=True)
class Tally:
    """Replays of one case.

    Parameters
    ----------
    replays, released
        How many there were, and how many with a result.
    different
        Names of the pairs with a difference besides the exact numbers, and what it is.
    overspent
        Names of the pairs whose cost is not certified to be within the promise.
    share
        Largest share of the promise, on pairs with more records than edges.
    numbers, bits
        Numbers that met noise, and bits that were compared.
    """

    replays: int
    released: int
    different: tuple[str, ...]
    overspent: tuple[str, ...]
    share: Q
    numbers: int
    bits: int


def tally(case: Case, *, quick: bool = True) -> Tally:
    """Replay a case on its pairs."""
    replays = list(case.replays(quick=quick))
    same = [(name, each) for name, each in replays if not each.difference]
    kept = [(name, each) for name, each in same if keeps(each.cost, case.guarantee) is True]
    shares = [
        share(each.cost, case.guarantee) for name, each in kept if not name.startswith("edges")
    ]
    return Tally(
        len(replays),
        sum(each.released for _, each in replays),
        tuple(f"{name}: {each.difference}" for name, each in replays if each.difference),
        tuple(name for name, each in same if (name, each) not in kept),
        max(shares, default=Q(0)),
        sum(each.numbers for _, each in replays),
        sum(each.bits for _, each in replays),
    )


@cache
def _by_name() -> Mapping[str, Case]:
    return {case.name: case for case in cases()}


def case_names(mechanism: str) -> tuple[str, ...]:
    """Return the names of the cases of one paper's mechanisms, by the start of their names."""
    return tuple(name for name in _by_name() if name.startswith(mechanism))


def replay_count(name: str) -> int:
    """Return how many replays a quick run of a case has."""
    return sum(len(ways) for _, _, ways in _by_name()[name].plan(quick=True))


def spent(name: str) -> Mapping[str, Q]:
    """Return numbers about a quick run of a case, for a claim.

    How many replays released something, gave the same, and kept the promise; and the share of it
    that was spent, over what the case attains.
    """
    found = tally(_by_name()[name])
    same = found.replays - len(found.different)
    return {
        "released": Q(found.released),
        "same": Q(same),
        "kept": Q(same - len(found.overspent)),
        "share": found.share / _by_name()[name].attains,
    }
