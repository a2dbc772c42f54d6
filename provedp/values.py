"""Formulas from Python: the command line's `value`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

__all__ = ["Value", "formulas", "value"]


@dataclass(frozen=True, eq=False)
class Value:
    """The value of a formula.

    Attributes
    ----------
    formula
        Its name.
    value
        A fraction, a ball (flint's `arb`), an expression (sympy), or a list, matrix or dictionary
        of these.
    error
        How far the printed digits may be off; None if the value is exact.
    digits
        That are printed of a ball.
    """

    formula: str
    value: Any
    error: float | None
    digits: int

    @property
    def is_exact(self) -> bool:
        """Whether nothing was rounded."""
        return self.error is None

    def __str__(self) -> str:
        from provedp.cli.value import shown

        return shown(self.value, self.digits)


def formulas() -> dict[str, str]:
    """Return the names of all formulas, each with its first sentence.

    >>> formulas()["counting.alpha"]
    'Weight of the diagonal of the pure-DP optimum (α_M).'
    """
    from provedp.cli.formulas import formulas as known

    return {name: formula.summary for name, formula in known().items()}


def value(
    formula: str,
    arguments: Mapping[str, Any] | None = None,
    *,
    digits: int = 20,
    symbolic: bool = False,
    **named: Any,
) -> Value:
    """Evaluate a formula exactly, as a certified ball, or as an expression.

    Parameters
    ----------
    formula
        Its name, such as 'counting.alpha'; `formulas` lists them.
    arguments, **named
        Whole numbers, fractions, texts such as '1/3', 'exp(1)' or 'ln(3/2)', sympy expressions, and
        lists of these. Rational ones give an exact value where there is one, others a ball.
    digits
        That a ball reaches, relatively.
    symbolic
        Allow symbols: k='k'.

    Raises
    ------
    ValueError
        If there is no such formula, or an argument is missing, unknown, a float or out of range.
    TypeError
        If the name is no text.

    >>> print(value("counting.alpha", m=8, k=2))
    16/45
    >>> print(value("counting.alpha", m=8, k="exp(1)", digits=10))
    0.4707390436 ± 6.8e-12
    """
    from provedp.cli.formulas import find, read_arguments
    from provedp.cli.value import error_of, evaluate

    if not isinstance(formula, str):
        raise TypeError(
            f"'formula' must be a name such as 'counting.alpha'. Got {formula!r} instead."
        )
    found = find(formula)
    given = {**(arguments or {}), **named}
    texts = tuple(f"{name}={_text(name, each)}" for name, each in given.items())
    result = evaluate(found, read_arguments(found, texts, symbolic), digits, symbolic)
    return Value(found.name, result, error_of(result, digits), digits)


def _text(name: str, given: Any) -> str:
    if isinstance(given, (bool, int, str, Fraction, sympy.Expr)):
        return str(given)
    if isinstance(given, Iterable):
        return json.dumps(_texts(name, given))
    raise ValueError(
        f"The '{name}' parameter must be a whole number, a fraction or a text such as '0.1'. "
        f"Got {given!r} instead."
    )


def _texts(name: str, given: Iterable[Any]) -> list[Any]:
    inner = [isinstance(each, Iterable) and not isinstance(each, str) for each in given]
    return [
        _texts(name, each) if deep else _text(name, each)
        for each, deep in zip(given, inner, strict=True)
    ]
