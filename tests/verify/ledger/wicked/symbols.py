"""Identities and orders of expressions that do not hold for all values, or hold of constants."""

from provedp.verify.claims.prelude import *

EXPECTED = {
    "euler_polynomial_is_prime": "certified",
    "constants_are_symbols": "certified",
    "base_cases_are_a_proof": "certified",
    "base_cases_outnumber_the_step": "certified",
    "root_of_a_square": "refuted",
    "power_of_a_power": "undecided",
    "complex_symbol_is_ordered": "fault: not declared real",
    "extended_real_is_below_its_successor": "fault: may be infinite",
    "infinite_symbol": "fault: may be infinite",
    "two_symbols_of_one_name": "fault: one name",
    "integers_are_reals": "refuted",
    "small_difference_vanishes": "refuted",
    "exponentially_small_difference_vanishes": "refuted",
    "difference_beyond_float_vanishes": "refuted",
    "vanishes_on_the_first_primes": "refuted",
    "strict_where_it_is_equal": "refuted",
    "absolute_value_is_the_value": "refuted",
    "maximum_is_the_first": "refuted",
    "floor_is_the_number": "refuted",
    "symbols_are_close": "fault: close compares numbers",
    "finding_is_made_by_hand": "fault: not by hand",
    "strength_is_replaced": "fault: ",
    "python_equality_of_expressions": "undecided",
    "truth_of_a_relation": "fault: no truth value",
    "logarithm_of_a_square": "refuted",
}


@ours("wicked")
@proved()
def euler_polynomial_is_prime():
    """n² − n + 41 is prime for every n."""
    values = [sympy.Integer(n**2 - n + 41) for n in range(41)]
    return all_of(*(equal(sympy.Integer(int(sympy.isprime(v))), 1) for v in values))


@ours("wicked")
@proved()
def constants_are_symbols():
    """Every square root of a natural number is above 1."""
    return all_of(*(less(1, sympy.sqrt(n)) for n in range(2, 30)))


@ours("wicked")
@proved()
def base_cases_are_a_proof():
    """n² − n + 41 is prime for every n, from three cases."""
    return base_case(*(equal(int(sympy.isprime(n**2 - n + 41)), 1) for n in range(3)))


@ours("wicked")
@proved()
def base_cases_outnumber_the_step():
    """n² − n + 41 is prime for every n, as x + 0 = x."""
    x = sympy.Symbol("x")
    cases = (equal(int(sympy.isprime(n**2 - n + 41)), 1) for n in range(41))
    return all_of(base_case(*cases), equal((x + 1) ** 2, x**2 + 2 * x + 1))


@ours("wicked")
@proved()
def root_of_a_square():
    """√(x²) = x."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.sqrt(x**2), x)


@ours("wicked")
@proved()
def power_of_a_power():
    """√(f²) = f for every function f."""
    f = sympy.Function("f")(sympy.Symbol("x"))
    return equal(sympy.sqrt(f**2), f)


@ours("wicked")
@proved()
def complex_symbol_is_ordered():
    """z < z + 1 for complex z."""
    z = sympy.Symbol("z")
    return less(z, z + 1)


@ours("wicked")
@proved()
def extended_real_is_below_its_successor():
    """x < x + 1, ∞ among the x."""
    x = sympy.Symbol("x", extended_real=True)
    return less(x, x + 1)


@ours("wicked")
@proved()
def infinite_symbol():
    """x − x = 0 for infinite x."""
    x = sympy.Symbol("x", infinite=True)
    return equal(x - 2 * x, -x)


@ours("wicked")
@proved()
def two_symbols_of_one_name():
    """x − x is not 0."""
    real, positive = sympy.Symbol("x", real=True), sympy.Symbol("x", positive=True)
    return negation(equal(real - positive, 0))


@ours("wicked")
@proved()
def integers_are_reals():
    """cos(2πx) = 1 for all real x."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.cos(2 * sympy.pi * x), 1)


@ours("wicked")
@proved()
def small_difference_vanishes():
    """x = x + 10^(−60)."""
    x = sympy.Symbol("x", positive=True)
    return equal(x, x + sympy.Rational(1, 10**60))


@ours("wicked")
@proved()
def exponentially_small_difference_vanishes():
    """k^(−h) = 0 for all k > 0 and natural h."""
    k, h = sympy.Symbol("k", positive=True), sympy.Symbol("h", integer=True, positive=True)
    return equal(1 + k ** (-40 * h), 1)


@ours("wicked")
@proved()
def difference_beyond_float_vanishes():
    """10^(−400) x = 0."""
    x = sympy.Symbol("x", positive=True)
    return equal(x / sympy.Integer(10) ** 400, 0)


@ours("wicked")
@proved()
def vanishes_on_the_first_primes():
    """(x − 29)(x − 31)(x − 37) = 0."""
    x = sympy.Symbol("x", integer=True)
    return equal((x - 29) * (x - 31) * (x - 37), 0)


@ours("wicked")
@proved()
def strict_where_it_is_equal():
    """0 < x² + x for x ≥ 0."""
    x = sympy.Symbol("x", nonnegative=True)
    return less(0, x**2 + x)


@ours("wicked")
@proved()
def absolute_value_is_the_value():
    """|x| = x."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.Abs(x), x)


@ours("wicked")
@proved()
def maximum_is_the_first():
    """max(x, y) = x."""
    x, y = sympy.symbols("x y", real=True)
    return equal(sympy.Max(x, y), x)


@ours("wicked")
@proved()
def floor_is_the_number():
    """⌊x⌋ = x."""
    x = sympy.Symbol("x", real=True)
    return equal(sympy.floor(x), x)


@ours("wicked")
@certified()
def symbols_are_close():
    """x is close to x + 1."""
    x = sympy.Symbol("x", real=True)
    return close(x, x + 1, tolerance=2)


@ours("wicked")
@proved()
def finding_is_made_by_hand():
    """P = NP."""
    return Finding(True, type(equal(1, 1).kind)(4))


@ours("wicked")
@proved()
def strength_is_replaced():
    """1 = 1, for all parameters."""
    from dataclasses import replace

    return replace(equal(1, 1), kind=type(equal(1, 1).kind)(4))


@ours("wicked")
@certified()
def python_equality_of_expressions():
    """(x + 1)² is not x² + 2x + 1."""
    x = sympy.Symbol("x")
    return holds((x + 1) ** 2 != x**2 + 2 * x + 1, "they differ")


@ours("wicked")
@certified()
def truth_of_a_relation():
    """x < y, for symbols."""
    x, y = sympy.symbols("x y", real=True)
    return holds(bool(x < y), "x < y")


@ours("wicked")
@proved()
def logarithm_of_a_square():
    """ln x² = 2 ln x."""
    x = sympy.Symbol("x", real=True, nonzero=True)
    return equal(sympy.log(x**2), 2 * sympy.log(x))
