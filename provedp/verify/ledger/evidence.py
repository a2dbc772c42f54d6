"""What a check may return: findings, whose strength follows from how they were decided.

Nobody types a strength. `equal`, `at_most` and `less` look at the numbers they compare (rationals:
exact; balls: certified; sympy expressions: symbolic), floats are accepted only by `close`, which
wants a tolerance, and frequencies only by `frequency_at_most`, which wants a confidence.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np
import sympy
from scipy.special import betaincinv

from provedp.theory.numbers import Field, Number, ball, common_field, lift, rational


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
        The weakest way in which any part was decided.
    checks
        How many elementary comparisons it stands for.
    margin
        Smallest distance from failing, where the comparison has one.
    tolerance, confidence
        Set for floating point and statistics alone.
    note
        What was found, when the finding does not hold.
    """

    holds: bool | None
    kind: Kind
    checks: int = 1
    margin: float | None = None
    tolerance: float | None = None
    confidence: float | None = None
    note: str = ""

    def __bool__(self) -> bool:
        raise TypeError("A finding has three truth values: ask for .holds.")


_FIELD_KINDS = {
    Field.RATIONAL: Kind.EXACT,
    Field.FLINT: Kind.EXACT,
    Field.BALL: Kind.BALL,
    Field.SYMBOL: Kind.SYMBOLIC,
}


def all_of(*findings: Finding) -> Finding:
    """Return the conjunction: False if any is, else None if any is; as strong as its weakest.

    Raises
    ------
    ValueError
        If there is nothing to conjoin: an empty conjunction would hold of itself.
    """
    if not findings:
        raise ValueError("A conjunction of no findings cannot fail.")
    kind = min(finding.kind for finding in findings)
    checks = sum(finding.checks for finding in findings)
    worst = min(findings, key=lambda finding: (finding.holds is not False, finding.holds is True))
    return Finding(
        worst.holds,
        kind,
        checks,
        _least(finding.margin for finding in findings),
        _greatest(finding.tolerance for finding in findings),
        _least(finding.confidence for finding in findings),
        worst.note,
    )


def negation(finding: Finding) -> Finding:
    """Return the finding that holds exactly when `finding` does not."""
    holds = None if finding.holds is None else not finding.holds
    return replace(finding, holds=holds, margin=None, note="" if holds else "it holds")


def equal(first: Any, *others: Any) -> Finding:
    """Find whether all values are equal, entry by entry for matrices, lists and mappings.

    Raises
    ------
    TypeError
        For floats: say `close` and a tolerance.
    """
    if not others:
        raise ValueError("equal needs at least two values.")
    return all_of(*(_equal_pair(first, other) for other in others))


def at_most(left: Any, right: Any) -> Finding:
    """Find whether left ≤ right, entry by entry when either is a matrix."""
    return _ordered(left, right, strict=False)


def less(left: Any, right: Any) -> Finding:
    """Find whether left < right, entry by entry when either is a matrix."""
    return _ordered(left, right, strict=True)


def close(left: Any, right: Any, *, tolerance: float) -> Finding:
    """Find whether |left − right| ≤ tolerance, entry by entry.

    Floats give floating-point evidence; with balls or rationals alone the distance is certified.
    """
    pairs = _pairs(left, right)
    if pairs is None:
        return Finding(False, Kind.EXACT, note="the shapes differ")
    return all_of(*(_close_pair(a, b, tolerance) for a, b in pairs))


def float_at_most(left: Any, right: Any, *, rounding: float) -> Finding:
    """Find whether left ≤ right + rounding, entry by entry: an inequality of floats.

    `rounding` bounds what rounding may have added to the difference; it is shown as the tolerance.

    Raises
    ------
    ValueError
        If `rounding` is not a finite number of at least 0.
    """
    if not 0 <= rounding < float("inf"):
        raise ValueError(f"rounding is {rounding!r}: it must be finite and at least 0.")
    pairs = _pairs(left, right)
    if pairs is None:
        return Finding(False, Kind.EXACT, note="the shapes differ")
    return all_of(*(_float_order(float(a), float(b), rounding) for a, b in pairs))


def _float_order(left: float, right: float, rounding: float) -> Finding:
    return Finding(
        left <= right + rounding,
        Kind.FLOAT,
        margin=right + rounding - left,
        tolerance=rounding,
        note=f"{left} exceeds {right} by {left - right:.3g}",
    )


def is_defined(formula: Callable[..., Any], *arguments: Any) -> Finding:
    """Find whether an exact formula has a value at these arguments; 0/0 is none."""
    try:
        formula(*arguments)
    except ZeroDivisionError:
        return Finding(False, Kind.EXACT, note="a division by zero")
    return Finding(True, Kind.EXACT)


def frequency_at_most(hits: int, trials: int, bound: float, *, confidence: float) -> Finding:
    """Find whether a probability is at most `bound`, by its upper Clopper–Pearson limit."""
    limit = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, confidence))
    return Finding(
        limit <= bound,
        Kind.STATISTICAL,
        margin=bound - limit,
        confidence=confidence,
        note=f"{hits} of {trials}: upper limit {limit:.6g}",
    )


def _equal_pair(left: Any, right: Any) -> Finding:
    pairs = _pairs(left, right)
    if pairs is None:
        return Finding(
            False, Kind.EXACT, note=f"{_brief(left)} and {_brief(right)} differ in shape"
        )
    return all_of(*(_equal_leaves(a, b) for a, b in pairs))


def _equal_leaves(left: Any, right: Any) -> Finding:
    if isinstance(left, (str, bool, Set, type(None))) or isinstance(right, (str, bool, Set)):
        return _noted(left == right, Kind.EXACT, left, "≠", right)
    field, a, b = _lifted(left, right)
    if field is Field.SYMBOL:
        return _noted(_vanishes(a - b), Kind.SYMBOLIC, a, "≠", b)
    if field is Field.BALL:
        same = bool(a.is_exact() and b.is_exact() and a == b)
        holds = True if same else (None if a.overlaps(b) else False)
        return _noted(holds, Kind.BALL, a, "≠", b)
    return _noted(bool(a == b), Kind.EXACT, a, "≠", b)


def _ordered(left: Any, right: Any, *, strict: bool) -> Finding:
    pairs = _pairs(left, right)
    if pairs is None:
        return Finding(False, Kind.EXACT, note="the shapes differ")
    return all_of(*(_ordered_leaves(a, b, strict) for a, b in pairs))


def _ordered_leaves(left: Number, right: Number, strict: bool) -> Finding:
    field, a, b = _lifted(left, right)
    sign = "≥" if strict else ">"
    if field is Field.SYMBOL:
        return _noted(_signed(b - a, strict), Kind.SYMBOLIC, a, sign, b)
    if field is Field.BALL:
        holds = _ball_order(a, b, strict)
        return _noted(holds, Kind.BALL, a, sign, b, margin=float((b - a).lower()))
    holds = bool(a < b) if strict else bool(a <= b)
    return _noted(holds, Kind.EXACT, a, sign, b, margin=float(b - a))


def _ball_order(a: Number, b: Number, strict: bool) -> bool | None:
    if (a < b) if strict else (a <= b):
        return True
    return False if ((a >= b) if strict else (a > b)) else None


def _close_pair(left: Number, right: Number, tolerance: float) -> Finding:
    if common_field((left, right)) is Field.FLOAT:
        gap = abs(float(left) - float(right))
        return Finding(
            bool(gap <= tolerance),
            Kind.FLOAT,
            margin=tolerance - gap,
            tolerance=tolerance,
            note=f"{left} and {right} differ by {gap:.3g}",
        )
    field, a, b = _lifted(left, right)
    if field is Field.SYMBOL:
        raise TypeError("close compares numbers; symbolic expressions are equal or not.")
    finding = _ordered_leaves(abs(a - b), lift(rational(tolerance), field), False)
    return replace(finding, tolerance=tolerance)


def _lifted(left: Any, right: Any) -> tuple[Field, Number, Number]:
    field = common_field((left, right))
    if field is Field.FLOAT:
        raise TypeError("Floats are compared by close(…, tolerance=…).")
    return field, lift(left, field), lift(right, field)


def _vanishes(expression: sympy.Expr) -> bool | None:
    if expression.is_rational_function() and sympy.cancel(sympy.together(expression)) == 0:
        return True
    simplified = sympy.simplify(sympy.powsimp(sympy.expand(expression)))
    if simplified == 0:
        return True
    symbols = sorted(simplified.free_symbols, key=str)
    # Distinct primes above any size in use: a point where a non-zero expression does not vanish.
    point = {s: sympy.prime(index + 10) for index, s in enumerate(symbols)}
    return False if abs(simplified.subs(point).evalf(40)) > sympy.Float("1e-20") else None


def _signed(expression: sympy.Expr, strict: bool) -> bool | None:
    for rewrite in (sympy.simplify, sympy.powsimp, sympy.expand_power_exp):
        factored = sympy.factor(rewrite(expression))
        answer = factored.is_positive if strict else factored.is_nonnegative
        if answer is not None:
            return bool(answer)
    return None


def _pairs(left: Any, right: Any) -> list[tuple[Any, Any]] | None:
    """Return the corresponding leaves of two structures; a single number matches every leaf."""
    a, b = _leaves(left), _leaves(right)
    if a is None and b is None:
        return [(left, right)]
    if a is None:
        return [(left, leaf) for leaf in b or []]
    if b is None:
        return [(leaf, right) for leaf in a]
    return list(zip(a, b, strict=True)) if len(a) == len(b) else None


def _leaves(value: Any) -> list[Any] | None:
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, Mapping):
        return [leaf for key in sorted(value) for leaf in _leaves(value[key]) or [value[key]]]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in (_leaves(part) or [part])]
    return None


def _noted(
    holds: bool | None,
    kind: Kind,
    left: Any,
    sign: str,
    right: Any,
    *,
    margin: float | None = None,
) -> Finding:
    note = (
        "" if holds else f"{_brief(left)} {sign if holds is False else 'against'} {_brief(right)}"
    )
    return Finding(holds, kind, margin=margin, note=note)


def _brief(value: Any) -> str:
    text = str(value)
    return (
        text if len(text) <= 90 else f"{text[:60]}… ({len(text)} characters, ≈ {_decimal(value)})"
    )


def _decimal(value: Any) -> str:
    try:
        return f"{float(ball(value).mid()):.12g}"
    except (TypeError, ValueError, OverflowError):
        return "no number"


def _least(values: Iterable[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)


def _greatest(values: Iterable[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)
