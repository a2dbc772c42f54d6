"""The hypotheses of a claim, stated inside its check."""

from provedp.verify.ledger.findings import Finding, Kind
from provedp.verify.ledger.journal import current, refused


class UnmetHypothesis(BaseException):
    """An instance outside the claim's hypotheses; no `except Exception` of a check stops it."""


class UndecidedHypothesis(BaseException):
    """An instance of which it is not known whether it meets the hypotheses, or takes a branch."""


def assume(*conditions: bool | Finding | None) -> None:
    """State the hypotheses of a claim; an instance that certainly fails one is skipped.

    Parameters
    ----------
    conditions
        Decided Booleans, findings (`assume(at_most(1, k))`), or None for what is not known. The
        comparisons of balls in a file of claims are guarded: one that is undecided makes the claim
        undecided, not skipped.

    Raises
    ------
    TypeError
        For anything else (numpy and sympy Booleans, numbers), and without any condition.
    """
    if not conditions:
        raise refused(TypeError("assume states no hypothesis."))
    for condition in conditions:
        _meet(_decided(condition))


def undecided(what: str) -> UndecidedHypothesis:
    """Note that something was not decided and return the exception that ends the check."""
    current().undecided.append(what)
    return UndecidedHypothesis(what)


def _decided(condition: object) -> bool | None:
    if condition is None or type(condition) is bool:
        return condition
    if isinstance(condition, Finding):
        current().weak |= condition.kind <= Kind.FLOAT
        return condition.holds
    kind = type(condition).__name__
    raise refused(TypeError(f"assume({condition!r}): a {kind} is no decided hypothesis."))


def _meet(condition: bool | None) -> None:
    if condition is None:
        raise undecided("a hypothesis")
    if not condition:
        current().unmet = True
        raise UnmetHypothesis
