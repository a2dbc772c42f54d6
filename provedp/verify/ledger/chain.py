"""What a claim rests on, and the verdict that is left of it: none above its weakest foundation."""

from collections.abc import Callable
from dataclasses import dataclass

from provedp.verify.ledger.claim import Claim, Verdict

Find = Callable[[str], Claim | None]
Settled = Callable[[Claim], bool]


@dataclass(frozen=True)
class Standing:
    """A verdict as a reader may believe it.

    Parameters
    ----------
    verdict
        The check's own verdict, capped by all that it rests on, or that of a machine-checked
        proof.
    capped_by
        The id of the claim that caps it, "" if none does.
    chain
        The longest chain of ids from the claim downwards, itself first.
    fault
        An unknown id or a cycle, if there is one.
    """

    verdict: Verdict
    capped_by: str
    chain: tuple[str, ...]
    fault: str = ""


def _never(claim: Claim) -> bool:
    return False


def standing(claim: Claim, own: Verdict, find: Find, is_settled: Settled = _never) -> Standing:
    """Return what is left of a claim's own verdict; claims below count with their records.

    Parameters
    ----------
    claim
        The claim.
    own
        The verdict of its own check, in a run or on record.
    find
        Gives the claim of an id, None if there is none.
    is_settled
        Whether a proof assistant has checked the whole statement: what holds by its check is proved
        then, a refutation stands, and nothing below caps either.
    """
    return _standing(claim, own, find, is_settled, ())


def capped(claim: Claim, find: Find) -> Verdict:
    """Return the verdict that a claim's record and those of all below it leave."""
    return standing(claim, claim.verdict, find).verdict


def cap(own: Verdict, foundation: Verdict) -> Verdict:
    """Return what is left of a verdict that rests on a claim with another.

    Proved, certified and supported cap each other in this order. What rests on a claim that does
    not hold (open, refuted, undecided, vacuous, at fault) is open. A refutation stands on proved
    and certified claims and is open on weaker ones.
    """
    if own < Verdict.REFUTED:
        return own
    if own is Verdict.REFUTED:
        return own if foundation >= Verdict.CERTIFIED else Verdict.OPEN
    return min(own, foundation) if foundation > Verdict.REFUTED else Verdict.OPEN


def settled(own: Verdict) -> Verdict:
    """Return what a machine-checked proof makes of a verdict; of one that fails, nothing."""
    return Verdict.PROVED if own >= Verdict.SUPPORTED else own


def _standing(
    claim: Claim, own: Verdict, find: Find, is_settled: Settled, above: tuple[str, ...]
) -> Standing:
    here = (*above, claim.id)
    left, capped_by = own, ""
    longest: tuple[str, ...] = (claim.id,)
    for name in claim.foundations:
        if name in here:
            circle = " → ".join((*here[here.index(name) :], name))
            return Standing(Verdict.FAULT, name, longest, f"it rests on itself: {circle}")
        other = find(name)
        if other is None:
            return Standing(Verdict.FAULT, name, longest, f"it rests on {name!r}, which is unknown")
        below = _standing(other, other.verdict, find, is_settled, here)
        if below.fault:
            return Standing(Verdict.FAULT, name, longest, below.fault)
        if cap(left, below.verdict) is not left:
            left, capped_by = cap(left, below.verdict), below.capped_by or name
        if len(below.chain) >= len(longest):
            longest = (claim.id, *below.chain)
    if is_settled(claim):
        return Standing(settled(own), "", longest)
    return Standing(left, capped_by, longest)
