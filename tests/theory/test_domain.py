"""Every formula refuses arguments outside its ranges, with one sentence that names them."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from flint import arb, fmpq

import provedp
from provedp.theory import channels, counting, mixture, privacy
from provedp.theory.domain import (
    Choice,
    Distribution,
    Flag,
    Integers,
    Reals,
    RealVector,
    SquareMatrix,
    StochasticMatrix,
    domain,
    integers,
    name_of,
    reals,
)
from provedp.theory.mixture.log_determinant import PositiveVector
from provedp.theory.mixture.neighbours import ClassCounts
from provedp.theory.mixture.symmetric import Definite
from provedp.theory.privacy.noise.covariance import Covariance

NAN, INF = float("nan"), float("inf")
SQUARE = [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 5), F(3, 5), F(1, 5)], [F(0), F(1, 3), F(2, 3)]]
DEFINITE = [[F(2), F(1), F(0)], [F(1), F(2), F(0)], [F(0), F(0), F(3)]]
NOT_SQUARE = [[F(1, 2), F(1, 2)]]
NEGATIVE = [[F(1), F(0), F(0)], [F(-1, 4), F(1), F(1, 4)], [F(0), F(0), F(1)]]
NOT_ONE = [[F(1), F(0), F(0)], [F(0), F(1), F(0)], [F(0), F(0), F(3, 4)]]
NOT_FINITE = [[NAN, 1.0], [0.0, 1.0]]
UNEQUAL = [[F(1), F(0)], [F(1)]]

FORMULAS = [
    formula
    for subject in (channels, counting, mixture, privacy)
    for name in subject.__all__
    if hasattr(formula := getattr(subject, name), "ranges")
]


def good(allowed):
    if isinstance(allowed, Integers):
        usual = 1 if allowed.low == 1 else max(3, allowed.low)
        return usual if allowed.high is None else min(usual, allowed.high)
    if isinstance(allowed, Reals):
        return F(1, 2) if allowed.high == 1 else F(2)
    if isinstance(allowed, Distribution):
        return [F(1, 4), F(3, 4)]
    if isinstance(allowed, PositiveVector):
        return [F(1), F(2)]
    if isinstance(allowed, RealVector):
        return [F(1), F(0), F(-1)]
    if isinstance(allowed, Choice):
        return allowed.names[0]
    if isinstance(allowed, Flag):
        return False
    if isinstance(allowed, ClassCounts):
        return [4, 3]
    return DEFINITE if isinstance(allowed, (Covariance, Definite)) else SQUARE


def bad(allowed):
    """Values outside a range, each with a piece of the message it must cause."""
    if isinstance(allowed, Integers):
        return [(allowed.low - 1, ""), (2.5, "2.5"), (NAN, "nan"), (INF, "inf"), (True, "True")]
    if isinstance(allowed, Reals):
        return bad_reals(allowed)
    if isinstance(allowed, Distribution):
        return [([F(1, 2), F(1, 4)], "sums to 3/4"), ([F(-1, 2), F(3, 2)], "column 1"), (5, "5")]
    if isinstance(allowed, PositiveVector):
        return [([F(0), F(1)], ""), ([NAN, 1.0], ""), (5, "5")]
    if isinstance(allowed, RealVector):
        return [([NAN, 0.0], "column 1"), ([], ""), (5, "5")]
    if isinstance(allowed, ClassCounts):
        return [([0, 3], "0 in place 1"), ([4], "1 counts"), (5, "5"), ([NAN, 4], "nan")]
    if isinstance(allowed, Choice):
        return [("no such name", "no such name"), (3, "3")]
    if isinstance(allowed, Flag):
        return [(1, "1"), ("True", "True"), (NAN, "nan")]
    return bad_matrices(allowed)


def bad_reals(allowed):
    found = [(NAN, "nan"), (INF, "inf"), (-INF, "-inf"), ("x", "x"), (2j, "2j"), (sympy.nan, "nan")]
    if allowed.low is not None:
        found.append((allowed.low - 1, ""))
        found.append((arb(allowed.low) - 1, ""))
    if allowed.open_low:
        found.append((allowed.low, ""))
    if allowed.high is not None:
        found.append((allowed.high + 1, ""))
    if allowed.open_high:
        found.append((F(allowed.high), ""))
    return found


def bad_matrices(allowed):
    found = [
        (UNEQUAL, "different"),
        ([], ""),
        (5, "iterable"),
        ([[NAN, 1.0], [0.0, 1.0]], "nan in row 1"),
    ]
    if isinstance(allowed, SquareMatrix) or allowed.square:
        found.append((NOT_SQUARE, "1×2"))
    if isinstance(allowed, StochasticMatrix):
        found += [(NEGATIVE, "row 2, column 1"), (NOT_ONE, "row 3 that sums to 3/4")]
    return found


CASES = [
    pytest.param(formula, argument, value, piece, id=f"{formula.__name__}-{argument}-{index}")
    for formula in FORMULAS
    for argument, allowed in formula.ranges.items()
    for index, (value, piece) in enumerate(bad(allowed))
]


def test_there_are_formulas():
    assert len(FORMULAS) >= 100
    assert len(CASES) >= 1500


@pytest.mark.parametrize(("formula", "argument", "value", "piece"), CASES)
def test_a_bad_argument_is_named(formula, argument, value, piece):
    arguments = {name: good(allowed) for name, allowed in formula.ranges.items()}
    allowed = formula.ranges[argument]
    with pytest.raises(ValueError) as caught:
        formula(**arguments | {argument: value})
    rule, found = str(caught.value).split(" Got ", 1)
    assert rule == f"The '{argument}' parameter of {name_of(formula)} must be {allowed}."
    assert found.endswith(" instead.")
    assert piece in found


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.__name__)
def test_a_missing_required_argument_is_refused(formula):
    arguments = {name: good(allowed) for name, allowed in formula.ranges.items()}
    first = next(iter(formula.ranges))
    with pytest.raises(ValueError, match=f"The '{first}' parameter"):
        formula(**arguments | {first: None})


def test_numbers_of_one_call_are_lifted_to_one_field():
    @domain(k=reals(1), delta=reals(0))
    def pair(k, delta):
        return k, delta

    assert [type(x) for x in pair(2, F(1, 2))] == [F, F]
    assert [type(x) for x in pair(fmpq(2), F(1, 2))] == [fmpq, fmpq]
    assert [type(x) for x in pair(2, 0.5)] == [float, float]
    assert [type(x) for x in pair(2.0, arb(1))] == [arb, arb]
    assert pair(sympy.Symbol("k"), 0.5) == (sympy.Symbol("k"), sympy.Rational(1, 2))


def test_a_ball_may_straddle_an_end_but_not_lie_outside():
    allowed = reals(1)
    assert allowed.read(arb(1, 0.1)).contains(1)
    with pytest.raises(ValueError):
        allowed.read(arb(0.5, 0.1))


def test_symbols_are_integers_only_where_allowed():
    symbol = sympy.Symbol("m", integer=True)
    assert integers(2, symbolic=True).read(symbol) == symbol
    with pytest.raises(ValueError):
        integers(2).read(symbol)


def test_float_rows_may_miss_one_by_rounding_only():
    assert channels.assignment_error([[0.1 + 0.2, 0.7], [0.5, 0.5]]) == 1 - 0.5
    with pytest.raises(ValueError, match="row 1 that sums to 1.000001"):
        channels.assignment_error([[0.300001, 0.7], [0.5, 0.5]])


@pytest.mark.parametrize("shape", [(3,), (2, 2, 2)])
def test_arrays_of_other_dimensions_are_refused(shape):
    with pytest.raises(ValueError, match=f"an array of {len(shape)} dimensions"):
        channels.assignment_error(np.ones(shape))


@pytest.mark.parametrize("claim", [10**400, -(10**400), F(10**400, 3)])
def test_what_no_float_holds_is_refused_by_name(claim):
    with pytest.raises(ValueError, match="The 'claim' parameter of audit_canaries must be"):
        provedp.audit_canaries([1.0, 2.0], [0, 1], claim)
