"""What mypy knows of formulas over any field; `test_typing.py` has mypy read this file.

An ignored error that mypy does not find is an error itself (`warn_unused_ignores`).
"""

from fractions import Fraction
from typing import assert_type, reveal_type

import numpy as np
import sympy
from flint import arb, fmpq

from provedp.theory import counting, modes
from provedp.theory.numbers import Number, maximum
from provedp.theory.privacy.functions import exp


def every_field_goes_in() -> None:
    counting.alpha(8, 2)
    counting.alpha(8, Fraction(3, 2))
    counting.alpha(8, fmpq(3, 2))
    counting.alpha(8, 1.5)
    counting.alpha(8, np.float64(1.5))
    counting.alpha(8, arb(2))
    counting.alpha(8, sympy.Symbol("k"))
    counting.alpha_closed_form(sympy.Symbol("m", integer=True), 2)


def results_are_numbers() -> None:
    reveal_type(counting.alpha(8, 2))
    weight = counting.alpha(8, 2)
    assert_type(1 - 2 * weight**2 / 3, Number)
    assert_type(Fraction(1, 2) - weight, Number)
    assert_type(float(abs(-weight)), float)


def fields_are_kept() -> None:
    assert_type(exp(1.0), float)
    assert_type(exp(Fraction(1)), arb)
    assert_type(exp(arb(1)), arb)
    assert_type(maximum(arb(1), arb(2)), arb)
    assert_type(maximum(Fraction(1), Fraction(2)), Fraction)


def wrong_use_is_an_error() -> None:
    counting.alpha(8, "x")  # type: ignore[arg-type]
    counting.alpha(8, 1j)  # type: ignore[arg-type]
    counting.alpha(8.5, 2)  # type: ignore[arg-type]
    counting.alpha(8)  # type: ignore[call-arg]
    counting.alpha(8, 2).no_such_attribute  # type: ignore[attr-defined]  # noqa: B018
    counting.alpha(8, 2).numerator  # type: ignore[attr-defined]  # noqa: B018
    counting.alpha(sympy.Symbol("m"), 2)  # type: ignore[arg-type]
    modes.field_cost("replace-one", None)  # type: ignore[arg-type]
