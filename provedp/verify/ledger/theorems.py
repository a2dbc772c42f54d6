"""Claims that a proof assistant has checked: the decorator that names the theorems, and the data.

The kind of evidence stands above *symbolic*: no step is argued in words, and nothing that the claim
rests on can weaken it. It holds only as long as the record of the build is about the sources and
the Python formulas that stand here; see `verify/formal/record.py`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from provedp.verify.formal import record
from provedp.verify.ledger.claim import Claim, Recorded, Verdict
from provedp.verify.ledger.instances import Instances
from provedp.verify.ledger.records import unmake


def machine_checked(*theorems: str, part: str = "") -> Callable[[Recorded], Recorded]:
    """Name the theorems of the proof assistant that state a claim; goes above its verdict.

    Parameters
    ----------
    theorems
        Source and name of each, such as 'optimum.theorem_1'; together they are the statement.
    part
        What of the statement they say, in words, where that is not all of it. The verdict then
        stays that of the check.
    """
    return lambda recorded: _with_theorems(recorded, theorems, part)


def _with_theorems(recorded: Any, theorems: tuple[Any, ...], part: str) -> Recorded:
    if not isinstance(recorded, Recorded):
        check = recorded.check if isinstance(recorded, Claim) else recorded
        unmake(recorded)
        fault = "@machine_checked stands neither on a verdict nor below a role"
        return Recorded(check, Verdict.OPEN, Instances({}), fault=fault)
    if not theorems or not all(isinstance(name, str) and "." in name for name in theorems):
        fault = f"@machine_checked names no theorems: {theorems!r}"
        return replace(recorded, fault="; ".join(filter(None, (recorded.fault, fault))))
    return replace(recorded, theorems=theorems, part=part)


def lapse(claim: Claim) -> str:
    """Return why the record does not stand for a claim; '' if it does, or names no theorem."""
    return record.lapse(claim.id, claim.theorems) if claim.theorems else ""


def is_settled(claim: Claim) -> bool:
    """Return whether theorems that stand are the whole statement of a claim."""
    return bool(claim.theorems) and not claim.part and not lapse(claim)


def proof_data(claim: Claim) -> dict[str, Any] | None:
    """Return the theorems that stand for a claim as JSON data; None if none do."""
    known = record.recorded()
    if known is None or not claim.theorems or lapse(claim):
        return None
    return {
        "assistant": known.assistant,
        "library": known.library,
        "part": claim.part,
        "theorems": {name: known.theorems[name].statement for name in claim.theorems},
    }
