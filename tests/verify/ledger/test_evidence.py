"""Findings: what holds, what does not, what is undecided, and how strong each is."""

from dataclasses import replace
from fractions import Fraction as Q

import numpy as np
import pytest
import sympy
from flint import arb, fmpq

from provedp.verify.ledger.decided import holds, same_name, same_set
from provedp.verify.ledger.evidence import at_most, close, equal, float_at_most, is_defined, less
from provedp.verify.ledger.findings import Finding, Kind, all_of, base_case, negation
from provedp.verify.ledger.frequencies import frequency_at_most

x = sympy.Symbol("x", positive=True)
WIDE = arb(0, 1)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (Q(1, 2), Q(2, 4), Kind.EXACT),
        (Q(1, 2), fmpq(1, 2), Kind.EXACT),
        (1, Q(1), Kind.EXACT),
        (arb(2), 2, Kind.BALL),
        ((x + 1) ** 2, x**2 + 2 * x + 1, Kind.SYMBOLIC),
        (sympy.sqrt(8), 2 * sympy.sqrt(2), Kind.EXACT),
        ([[Q(1), Q(2)]], np.array([[Q(1), Q(2)]], dtype=object), Kind.EXACT),
    ],
)
def test_equal_values_and_their_kind(left: object, right: object, kind: Kind) -> None:
    finding = equal(left, right)
    assert finding.holds is True
    assert finding.kind is kind


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (Q(1, 2), Q(1, 3)),
        (Q(1, 2), fmpq(1, 3)),
        (arb(2), 3),
        (x, x + Q(1, 10**12)),
        ([Q(1), Q(2)], [Q(1), Q(3)]),
        (2**-x, 3**-x),
        (sympy.sqrt(sympy.Symbol("y", real=True) ** 2), sympy.Symbol("y", real=True)),
    ],
)
def test_different_values(left: object, right: object) -> None:
    assert equal(left, right).holds is False


def test_overlapping_balls_are_undecided() -> None:
    assert equal(WIDE, arb(0)).holds is None
    assert at_most(WIDE, arb(0)).holds is None
    assert less(WIDE, arb(0)).holds is None
    assert at_most(WIDE, arb(2)).holds is True
    assert less(arb(2), WIDE).holds is False


def test_floats_need_a_tolerance() -> None:
    with pytest.raises(TypeError, match="close"):
        equal(0.1, 0.1)
    with pytest.raises(TypeError, match="close"):
        at_most(0.1, Q(1))
    finding = close(0.1 + 0.2, 0.3, tolerance=1e-15)
    assert (finding.holds, finding.kind, finding.tolerance) == (True, Kind.FLOAT, 1e-15)
    assert close(0.1, 0.2, tolerance=1e-3).holds is False
    with pytest.raises(ValueError, match="not finite"):
        close(float("nan"), 0.2, tolerance=1e-3)


def test_closeness_of_exact_numbers_is_certified() -> None:
    assert close(Q(1, 3), Q(1, 3) + Q(1, 10**9), tolerance=1e-8).kind is Kind.EXACT
    assert close(arb("0.1"), Q(1, 10), tolerance=1e-10).holds is True
    assert close(arb(1), arb(2), tolerance=1e-10).holds is False


def test_order_of_symbols_is_decided_by_their_assumptions() -> None:
    free = sympy.Symbol("y", real=True)
    assert less(0, x**2 + x).holds is True
    assert at_most(free, free).holds is True
    assert less(0, free).holds is False
    assert less(0, free**4 - 3 * free**2 + sympy.Rational(9, 4)).holds is not True


def test_conjunction_is_as_strong_as_its_weakest_part() -> None:
    both = all_of(equal(Q(1), Q(1)), close(0.0, 0.0, tolerance=1e-9))
    assert (both.holds, both.kind, both.checks) == (True, Kind.FLOAT, 2)
    undecided = all_of(equal(Q(1), Q(1)), equal(WIDE, arb(0)))
    assert undecided.holds is None
    failing = all_of(equal(WIDE, arb(0)), equal(Q(1), Q(2)))
    assert failing.holds is False
    assert "1 ≠ 2" in failing.note


def test_conjunction_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot fail"):
        all_of()


def test_a_finding_is_no_boolean() -> None:
    with pytest.raises(TypeError, match="holds"):
        bool(equal(Q(1), Q(1)))


def test_negation() -> None:
    assert negation(equal(Q(1), Q(2))).holds is True
    assert negation(equal(Q(1), Q(1))).holds is False
    assert negation(equal(WIDE, arb(0))).holds is None


def test_frequency_is_bounded_by_clopper_and_pearson() -> None:
    # No hit in n trials: the upper limit at confidence c is 1 − (1 − c)^(1/n).
    limit = 1 - 0.05 ** (1 / 100)
    assert frequency_at_most(0, 100, limit + 1e-9, confidence=0.95).holds is True
    assert frequency_at_most(0, 100, limit - 1e-9, confidence=0.95).holds is None
    # All of n trials: the lower limit is (1 − c)^(1/n).
    below = 0.05 ** (1 / 5)
    assert frequency_at_most(5, 5, below - 1e-9, confidence=0.95).holds is False
    assert frequency_at_most(5, 5, below + 1e-9, confidence=0.95).holds is None
    assert frequency_at_most(0, 100, 0.5, confidence=0.95).kind is Kind.STATISTICAL


def test_undefined_formula() -> None:
    assert is_defined(lambda a: 1 / a, Q(0)).holds is False
    assert is_defined(lambda a: 1 / a, Q(1)).holds is True


def test_margin_is_the_smallest() -> None:
    assert all_of(at_most(Q(1), Q(2)), at_most(Q(1), Q(5, 4))).margin == 0.25


def test_symbolic_identity_that_simplification_misses_is_not_refuted() -> None:
    angle = sympy.pi / 7
    value = sympy.cos(angle) + sympy.cos(3 * angle) + sympy.cos(5 * angle)
    assert equal(value, sympy.Rational(1, 2)).holds is not False


def test_findings_are_not_made_by_hand() -> None:
    with pytest.raises(TypeError, match="not by hand"):
        Finding(True, Kind.SYMBOLIC)
    with pytest.raises((TypeError, ValueError)):
        replace(equal(Q(1), Q(1)), kind=Kind.SYMBOLIC)


def test_a_failure_is_as_strong_as_what_fails() -> None:
    mixed = all_of(close(0.1, 0.1, tolerance=1e-9), equal(Q(1), Q(2)))
    assert (mixed.holds, mixed.kind) == (False, Kind.EXACT)


def test_floats_have_an_inequality_with_rounding() -> None:
    finding = float_at_most(0.1 + 0.2, 0.3, rounding=1e-15)
    assert (finding.holds, finding.kind, finding.tolerance) == (True, Kind.FLOAT, 1e-15)
    assert float_at_most(0.1 + 0.2, 0.3, rounding=0).holds is False
    with pytest.raises(ValueError, match="rounding"):
        float_at_most(0.1, 0.2, rounding=-1e-9)
    with pytest.raises(ValueError, match="finite"):
        float_at_most(0.1, float("inf"), rounding=1e-9)


def test_base_cases_are_exact_steps_of_a_proof() -> None:
    start = base_case(equal(Q(1), Q(1)), equal(sympy.Integer(2), 2))
    assert (start.kind, start.base, start.checks) == (Kind.SYMBOLIC, 2, 2)
    with pytest.raises(TypeError, match="exact"):
        base_case(at_most(arb(1), arb(2)))


def test_decisions_that_are_no_numbers() -> None:
    assert holds(True, "it is").holds is True
    assert holds(False, "it is").note == "it is not so that it is"
    assert same_set({(1, "a")}, frozenset({(1, "a")})).holds is True
    assert same_set({1}, {2}).holds is False
    assert same_name("a", "b").holds is False
    for wrong in (None, np.bool_(True), sympy.true, 1, equal(Q(1), Q(1))):
        with pytest.raises(TypeError, match="no decided bool"):
            holds(wrong, "it is")  # type: ignore[arg-type]
