"""Statements that are false or empty and look true through the type of a number."""

import math
from decimal import Decimal

import mpmath
import numpy as np
from flint import acb, fmpz

from provedp.verify.claims.prelude import *

EXPECTED = {
    "three_tenths_are_less_than_their_float_sum": "fault: Floats are compared by close",
    "ball_is_less_than_a_float": "fault: Floats are compared by close",
    "one_is_zero_for_a_large_float": "fault: it holds",
    "float_hides_in_a_sum": "fault: it holds",
    "float_hides_in_a_power": "fault: it holds",
    "float_hides_in_a_matrix": "fault: it holds",
    "power_of_two_is_zero": "fault: int64",
    "small_integers_wrap": "fault: int8",
    "unsigned_difference_is_positive": "fault: uint64",
    "array_of_integers_wraps": "fault: array of int64",
    "single_precision_is_enough": "fault: float32",
    "half_precision_array": "fault: array of float16",
    "boolean_is_one": "fault: builtins.bool",
    "numpy_boolean_is_true": "fault: bool",
    "nothing_is_nothing": "fault: NoneType",
    "names_are_numbers": "fault: builtins.str",
    "decimals_are_exact": "fault: Decimal",
    "complex_numbers_are_equal": "fault: complex",
    "mpmath_numbers_are_exact": "fault: mpf",
    "complex_balls_are_ordered": "fault: acb",
    "infinity_exceeds_all": "fault: Infinity",
    "infinities_are_equal": "fault: Infinity",
    "not_a_number_is_equal_to_itself": "fault: NaN",
    "complex_infinity_is_itself": "fault: ComplexInfinity",
    "relation_is_a_number": "fault: cannot be compared",
    "truth_is_a_number": "fault: cannot be compared",
    "piecewise_is_undefined_elsewhere": "fault: Piecewise",
    "order_of_magnitude_is_equal": "fault: Order",
    "matrices_commute": "fault: cannot be compared",
    "letters_do_not_commute": "fault: cannot be compared",
    "object_array_holds_floats": "fault: Floats are compared",
    "array_of_arrays": "fault: containers",
    "zero_dimensional_float": "fault: Floats are compared",
    "float_from_a_float_is_exact": "fault",
    "rational_from_a_float_is_exact": "fault",
    "text_of_a_float_is_exact": "fault",
    "formatted_float_is_exact": "fault",
    "whole_part_of_a_float_is_exact": "fault",
    "ratio_of_a_float_is_exact": "fault",
    "floats_are_close_by_another_module": "fault",
    "floats_match": "fault",
    "sympy_floats_cancel": "fault",
    "evaluated_expressions_cancel": "fault",
    "float_vanishes_in_a_ball": "fault",
    "float_vanishes_in_an_expression": "fault",
    "texts_of_balls_are_equal": "fault",
    "wide_integer_compares_with_a_name": "fault: builtins.str",
    "set_is_a_number": "fault: builtins.set",
    "generator_is_compared": "fault: generator",
    "finding_is_a_number": "fault: Finding",
    "interval_is_a_number": "fault: cannot be compared",
}


@ours("wicked")
@proved()
def three_tenths_are_less_than_their_float_sum():
    """3/10 < 1/10 + 2/10."""
    return less(sympy.Rational(3, 10), 0.1 + 0.2)


@ours("wicked")
@certified(bits=200)
def ball_is_less_than_a_float():
    """3/10 < 1/10 + 2/10, by balls."""
    return less(arb(3) / 10, 0.1 + 0.2)


@ours("wicked")
@proved()
def one_is_zero_for_a_large_float():
    """1 = 0, next to 10^16."""
    large = sympy.Float(1e16)
    return equal(large + 1, large)


@ours("wicked")
@proved()
def float_hides_in_a_sum():
    """x + 1/10 + 2/10 = x + 3/10."""
    x = sympy.Symbol("x", real=True)
    return equal(x + sympy.Float("0.1") + sympy.Float("0.2"), x + sympy.Float("0.3"))


@ours("wicked")
@proved()
def float_hides_in_a_power():
    """x^(1/2) for x > 0 is x^0.5."""
    x = sympy.Symbol("x", positive=True)
    return equal(sympy.sqrt(x), x ** sympy.Float(0.5))


@ours("wicked")
@certified()
def float_hides_in_a_matrix():
    """A matrix with rounded entries is symmetric."""
    table = sympy.Matrix([[1, 0.1 + 0.2], [0.3, 1]])
    return equal(table.tolist(), table.T.tolist())


@ours("wicked")
@certified()
def power_of_two_is_zero():
    """2^64 = 0."""
    with np.errstate(over="ignore"):
        return equal(np.int64(2**62) * np.int64(4), 0)


@ours("wicked")
@certified()
def small_integers_wrap():
    """127 + 1 < 0."""
    with np.errstate(over="ignore"):
        return less(np.int8(127) + np.int8(1), 0)


@ours("wicked")
@certified()
def unsigned_difference_is_positive():
    """2 − 3 > 0."""
    with np.errstate(over="ignore"):
        return less(0, np.uint64(2) - np.uint64(3))


@ours("wicked")
@certified()
def array_of_integers_wraps():
    """4 · 2^62 = 0, entry by entry."""
    return equal(np.array([2**62]) * 4, [0])


@ours("wicked")
@supported()
def single_precision_is_enough():
    """16777217 = 16777216."""
    return close(np.float32(16777217), np.float32(16777216), tolerance=1e-9)


@ours("wicked")
@supported()
def half_precision_array():
    """2049 = 2048."""
    return close(np.array([2049], dtype=np.float16), [2048], tolerance=1e-9)


@ours("wicked")
@certified()
def boolean_is_one():
    """0.1 + 0.2 is not 0.3."""
    return equal(0.1 + 0.2 == 0.3, False)


@ours("wicked")
@certified()
def numpy_boolean_is_true():
    """A numpy Boolean is a decision."""
    return equal(np.bool_(True), np.bool_(True))


@ours("wicked")
@certified()
def nothing_is_nothing():
    """None = None."""
    return equal(None, None)


@ours("wicked")
@certified()
def names_are_numbers():
    """'private' = 'private'."""
    return equal("private", "private")


@ours("wicked")
@certified()
def decimals_are_exact():
    """1/3 + 1/3 + 1/3 < 1."""
    return less(3 * (Decimal(1) / 3), Decimal(1))


@ours("wicked")
@certified()
def complex_numbers_are_equal():
    """i² = −1 in floats."""
    return close(complex(0, 1) ** 2, complex(-1), tolerance=1e-9)


@ours("wicked")
@certified()
def mpmath_numbers_are_exact():
    """1/3 in fifteen digits is 1/3."""
    return equal(mpmath.mpf(1) / 3, mpmath.mpf(1) / 3)


@ours("wicked")
@certified()
def complex_balls_are_ordered():
    """i < 1."""
    return less(acb(0, 1), acb(1))


@ours("wicked")
@proved()
def infinity_exceeds_all():
    """Every x is below the bound ∞."""
    return less(sympy.Symbol("x", real=True), sympy.oo)


@ours("wicked")
@proved()
def infinities_are_equal():
    """∞ + 1 = ∞, hence 1 = 0."""
    return equal(sympy.oo + 1, sympy.oo)


@ours("wicked")
@proved()
def not_a_number_is_equal_to_itself():
    """0/0 = 0/0."""
    return equal(sympy.nan, sympy.nan)


@ours("wicked")
@proved()
def complex_infinity_is_itself():
    """1/0 = 2/0."""
    return equal(1 / sympy.Integer(0), 2 / sympy.Integer(0))


@ours("wicked")
@proved()
def relation_is_a_number():
    """x < y = x < y."""
    x, y = sympy.symbols("x y", real=True)
    return equal(x < y, x < y)


@ours("wicked")
@proved()
def truth_is_a_number():
    """True = True."""
    return equal(sympy.true, sympy.true)


@ours("wicked")
@proved()
def piecewise_is_undefined_elsewhere():
    """A function that is defined for x > 0 alone is 0."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.Piecewise((0, x > 0)), sympy.Piecewise((0, x > 0)))


@ours("wicked")
@proved()
def order_of_magnitude_is_equal():
    """x = 0 up to O(x)."""
    x = sympy.Symbol("x", real=True)
    return equal(x + sympy.O(x), sympy.O(x))


@ours("wicked")
@proved()
def matrices_commute():
    """A B = A B for matrices without entries."""
    a, b = (sympy.MatrixSymbol(name, 2, 2) for name in "AB")
    return equal(a * b, a * b)


@ours("wicked")
@proved()
def letters_do_not_commute():
    """a b = a b, where a and b do not commute."""
    a, b = sympy.symbols("a b", commutative=False)
    return equal(a * b, a * b)


@ours("wicked")
@certified()
def object_array_holds_floats():
    """1/10 + 2/10 exceeds 3/10, in an array of objects."""
    return less([Q(3, 10)], np.array([0.1 + 0.2], dtype=object))


@ours("wicked")
@certified()
def array_of_arrays():
    """An array of arrays is itself."""
    table = np.empty(1, dtype=object)
    table[0] = [Q(1), Q(2)]
    return equal(table, table)


@ours("wicked")
@certified()
def zero_dimensional_float():
    """An array without dimensions is exact."""
    return equal(np.array(0.1 + 0.2), np.array(0.1 + 0.2))


@ours("wicked")
@certified(bits=200)
def float_from_a_float_is_exact():
    """3/10 < 1/10 + 2/10, by a ball that is made of a float."""
    return less(arb(3) / 10, arb(0.1 + 0.2))


@ours("wicked")
@certified()
def rational_from_a_float_is_exact():
    """3/10 < 1/10 + 2/10, by a fraction that is made of a float."""
    return less(Q(3, 10), Q(0.1 + 0.2))


@ours("wicked")
@certified()
def wide_integer_compares_with_a_name():
    """2^100 = '2^100'."""
    return equal(fmpz(2) ** 100, "2^100")


@ours("wicked")
@certified()
def set_is_a_number():
    """{1} = {1}."""
    return equal({1}, {1})


@ours("wicked")
@certified()
def generator_is_compared():
    """A generator is itself."""
    numbers = (Q(n) for n in range(3))
    return equal(numbers, numbers)


@ours("wicked")
@certified()
def finding_is_a_number():
    """A finding is a finding."""
    return equal(equal(1, 1), equal(1, 1))


@ours("wicked")
@proved()
def interval_is_a_number():
    """A sum of bounds is its own bound."""
    bounds = sympy.AccumBounds(0, 1)
    return equal(bounds - bounds, bounds - bounds)


@ours("wicked")
@certified(bits=200)
def text_of_a_float_is_exact():
    """3/10 < 1/10 + 2/10, by a ball that is made of the text of a float."""
    return less(arb(3) / 10, arb(str(0.1 + 0.2)))


@ours("wicked")
@certified()
def formatted_float_is_exact():
    """3/10 < 1/10 + 2/10, by a fraction that is made of a formatted float."""
    return less(Q(3, 10), Q(f"{0.1 + 0.2!r}"))


@ours("wicked")
@certified()
def whole_part_of_a_float_is_exact():
    """⌊(1/10 + 7/10) 10⌋ = 7."""
    return equal(int((0.1 + 0.7) * 10), 7)


@ours("wicked")
@certified()
def ratio_of_a_float_is_exact():
    """3/10 < 1/10 + 2/10, by the ratio of a float."""
    return less(Q(3, 10), Q(*(0.1 + 0.2).as_integer_ratio()))


@ours("wicked")
@certified()
def floats_are_close_by_another_module():
    """1/10 + 2/10 = 3/10, says math."""
    return holds(math.isclose(0.1 + 0.2, 0.3), "they are close")


@ours("wicked")
@certified()
def floats_match():
    """1/10 + 2/10 is a pattern."""
    match 0.1 + 0.2:
        case 0.30000000000000004:
            return equal(1, 1)
    return equal(1, 2)


@ours("wicked")
@certified()
def texts_of_balls_are_equal():
    """0 ± 1 = 0 ± 1, as text."""
    return holds(str(arb(0, 1)) == str(arb(0, 1)), "they read alike")


@ours("wicked")
@certified()
def sympy_floats_cancel():
    """1 = 0: 10¹⁶ + 1 − 10¹⁶ in floats of sympy."""
    return equal(sympy.Float(1e16) + 1 - sympy.Float(1e16), 0)


@ours("wicked")
@certified()
def evaluated_expressions_cancel():
    """π is 355/113: to seven digits."""
    return equal(int((sympy.pi.evalf(7) - sympy.Rational(355, 113).evalf(7)) * 10**6), 0)


@ours("wicked")
@certified()
def float_vanishes_in_a_ball():
    """3/10 < 1/10 + 2/10."""
    return less(Q(3, 10), arb(1) * (0.1 + 0.2))


@ours("wicked")
@proved()
def float_vanishes_in_an_expression():
    """1.5 x = x + 0.5 x for the numbers that these floats are."""
    x = sympy.Symbol("x", real=True)
    return equal(1.5 * x - x - 0.5 * x, 0)
