"""Findings: what a check returns, with a strength that follows from how each was decided."""

from collections.abc import Callable, Iterable
from dataclasses import InitVar, dataclass
from enum import IntEnum

from provedp.verify.ledger import journal

_SEAL = object()  # findings are made by the ledger's functions: nobody types a strength


class Kind(IntEnum):
    """How a finding was decided, weakest first."""

    STATISTICAL = 0
    FLOAT = 1
    BALL = 2
    EXACT = 3
    SYMBOLIC = 4


@dataclass(frozen=True)
class Finding:
    """One decided (True, False) or undecided (None) comparison, or several of them together.

    Parameters
    ----------
    holds
        True, False or None (undecided).
    kind
        The weakest way in which any part was decided; for a failure, the strongest that fails.
    checks
        How many elementary comparisons it stands for.
    margin
        Smallest distance from failing, where the comparison has one.
    tolerance, confidence
        Set for floating point, closeness and statistics alone.
    note
        What was found, when the finding does not hold.
    base
        How many of the comparisons are base cases of a proof.
    origin
        The run of a check that it was made in.

    Raises
    ------
    TypeError
        If it is not made by a function of the ledger.
    """

    holds: bool | None
    kind: Kind
    checks: int = 1
    margin: float | None = None
    tolerance: float | None = None
    confidence: float | None = None
    note: str = ""
    base: int = 0
    origin: int = 0
    seal: InitVar[object] = None

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise journal.refused(
                TypeError("A finding is made by equal, at_most, entails, …, not by hand.")
            )

    def __bool__(self) -> bool:
        raise journal.refused(TypeError("A finding has three truth values: ask for .holds."))


def made(
    holds: bool | None,
    kind: Kind,
    checks: int = 1,
    *,
    margin: float | None = None,
    tolerance: float | None = None,
    confidence: float | None = None,
    note: str = "",
    base: int = 0,
    origin: int | None = None,
) -> Finding:
    """Return a finding of the check that runs; for the ledger's own functions."""
    here = journal.current().serial if origin is None else origin
    return Finding(
        holds, kind, checks, _number(margin), tolerance, confidence, note, base, here, seal=_SEAL
    )


def all_of(*findings: Finding) -> Finding:
    """Return the conjunction: False if any is, else None if any is; as strong as its weakest.

    Raises
    ------
    ValueError
        If there is nothing to conjoin: an empty conjunction would hold of itself.
    TypeError
        If a part is no finding.
    """
    if not findings:
        raise journal.refused(ValueError("A conjunction of no findings cannot fail."))
    for finding in findings:
        require_finding(finding)
    worst = min(findings, key=lambda finding: (finding.holds is not False, finding.holds is True))
    failing = [finding.kind for finding in findings if finding.holds is False]
    origins = {finding.origin for finding in findings}
    return made(
        worst.holds,
        max(failing) if failing else min(finding.kind for finding in findings),
        sum(finding.checks for finding in findings),
        margin=least(finding.margin for finding in findings),
        tolerance=greatest(finding.tolerance for finding in findings),
        confidence=least(finding.confidence for finding in findings),
        note=worst.note,
        base=sum(finding.base for finding in findings),
        origin=origins.pop() if len(origins) == 1 else -1,
    )


def negation(finding: Finding) -> Finding:
    """Return the finding that holds exactly when `finding` does not."""
    require_finding(finding)
    holds = None if finding.holds is None else not finding.holds
    return made(
        holds,
        finding.kind,
        finding.checks,
        tolerance=finding.tolerance,
        confidence=finding.confidence,
        note="" if holds else "it holds",
        base=finding.base,
        origin=finding.origin,
    )


def base_case(*findings: Finding) -> Finding:
    """Return exact findings as steps of a proof: where an induction starts, a value at a point.

    Comparisons of constants are exact, and a proof that holds one is certified otherwise. A claim
    may have few of them, and none without a symbolic step beside it (see `run.verdict_of`).

    Raises
    ------
    TypeError
        If a part was decided by balls, floats or statistics.
    """
    whole = all_of(*findings)
    if whole.kind < Kind.EXACT:
        raise journal.refused(TypeError(f"A base case is exact, not decided by {whole.kind.name}."))
    return made(
        whole.holds,
        Kind.SYMBOLIC,
        whole.checks,
        margin=whole.margin,
        tolerance=whole.tolerance,
        note=whole.note,
        base=whole.checks,
        origin=whole.origin,
    )


def require_finding(value: object) -> None:
    """Raise `TypeError` unless `value` is a finding."""
    if not isinstance(value, Finding):
        raise journal.refused(TypeError(f"{value!r} is no finding."))


def least(values: Iterable[float | None]) -> float | None:
    """Return the least of the numbers that there are, None if there are none."""
    return _extreme(min, values)


def greatest(values: Iterable[float | None]) -> float | None:
    """Return the greatest of the numbers that there are, None if there are none."""
    return _extreme(max, values)


def _extreme(choose: Callable[..., float | None], values: Iterable[float | None]) -> float | None:
    return choose((value for value in values if value is not None), default=None)


def _number(margin: float | None) -> float | None:
    return margin if margin is not None and margin == margin else None
