"""Entailments: true ones, false ones with a counterexample, empty hypotheses, and effort."""

import pytest
import sympy

from provedp.verify.ledger.findings import Kind
from provedp.verify.ledger.proof import entails
from provedp.verify.ledger.translation import translate

a, b = sympy.symbols("a b", real=True)
i, j = sympy.symbols("i j", integer=True)


def test_true_entailments() -> None:
    assert entails([a > 0, b > 0], a + 1 / b > 0).holds is True
    assert entails([a >= 1, a <= 2], a**2 <= 4).holds is True
    assert entails([i >= 1, i < j], j >= 2).holds is True
    assert entails([sympy.Or(sympy.Eq(a, 1), sympy.Eq(a, -1))], sympy.Eq(a**2, 1)).holds is True
    assert entails([a < b], sympy.Min(a, b) < sympy.Max(a, b)).holds is True
    assert entails([a < 0], sympy.Eq(sympy.Abs(a), -a)).kind is Kind.SYMBOLIC


def test_integers_are_not_reals() -> None:
    x = sympy.Symbol("x", real=True)
    assert entails([2 * i >= 1], i >= 1).holds is True
    assert entails([2 * x >= 1], x >= 1).holds is False


def test_declared_signs_are_hypotheses() -> None:
    p = sympy.Symbol("p", positive=True)
    assert entails([a >= 0], p + a * p > 0).holds is True
    q = sympy.Symbol("q", nonnegative=True)
    assert entails([], q > 0).holds is False


def test_relations_that_are_true_already_are_refused() -> None:
    # sympy evaluates p > 0 to true at once, so that the hypothesis would not reach the solver.
    p = sympy.Symbol("p", positive=True)
    for given, conclusion in (([p > 0], p + a > 0), ([a > 0], p > 0), ([p < 0], a > 0)):
        with pytest.raises(ValueError, match="already"):
            entails(given, conclusion)


def test_a_divisor_that_may_be_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="may be 0"):
        entails([a >= 0], b / a <= b / a + 1 / b**2)
    assert entails([a > 1, b > 0], b / a < b).holds is True


def test_false_entailment_shows_a_counterexample() -> None:
    finding = entails([a >= 0], a > 0)
    assert finding.holds is False
    assert finding.note == "fails for a = 0"


def test_hypotheses_that_nothing_meets_are_no_proof() -> None:
    with pytest.raises(ValueError, match="No value"):
        entails([a > 1, a < 0], b > 0)


def test_too_little_effort_is_undecided() -> None:
    x, y, z = sympy.symbols("x y z", integer=True)
    hard = entails([x > 0, y > 0, z > 2], sympy.Ne(x**3 + y**3, z**3), effort=1)
    assert hard.holds is None


def test_untranslatable_expressions_are_refused() -> None:
    with pytest.raises(TypeError, match="translation"):
        translate(sympy.sin(a) > 0)
    with pytest.raises(TypeError, match="exponent"):
        translate(a**i)
