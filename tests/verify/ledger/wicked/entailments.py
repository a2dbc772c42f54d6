"""Entailments that say nothing, or that hold by a slip of translation."""

from provedp.verify.claims.prelude import *

a, b = sympy.symbols("a b", real=True)
n = sympy.Symbol("n", integer=True)

EXPECTED = {
    "python_inequality_is_no_relation": "undecided",
    "python_truth_is_no_relation": "fault: no relation",
    "conclusion_is_true": "fault: already true",
    "hypothesis_is_true": "fault: already true",
    "declared_sign_strengthens_a_hypothesis": "fault: already true",
    "assumption_decides_the_conclusion": "fault: already true",
    "one_name_two_symbols": "fault: one name",
    "hypotheses_contradict": "fault: No value meets",
    "contradiction_refutes": "fault: No value meets",
    "false_hypothesis": "fault: already false",
    "divisor_may_be_zero": "fault: may be 0",
    "divisor_in_a_hypothesis_may_be_zero": "fault: may be 0",
    "quotient_times_divisor": "fault: may be 0",
    "counterexample_divides_by_zero": "fault: may be 0",
    "complex_square_is_nonnegative": "fault: not declared real",
    "even_symbol_is_any_integer": "fault: declared even",
    "prime_symbol_is_any_integer": "fault: declared prime",
    "function_is_not_translated": "fault: No translation",
    "power_with_a_symbol": "fault: exponent",
    "root_is_not_translated": "fault: exponent",
    "floor_is_not_translated": "fault: No translation",
    "float_in_a_relation": "fault: No translation",
    "number_is_a_conclusion": "fault: no relation",
    "symbol_is_a_conclusion": "fault: no relation",
    "finding_is_a_conclusion": "fault: no relation",
    "real_is_an_integer": "refuted",
    "boundary_is_left_out": "refuted",
    "solver_gives_up": "undecided",
}


@ours("wicked")
@proved()
def python_inequality_is_no_relation():
    """(k + 1)² is not k² + 2k + 1."""
    return entails([a > 1], (a + 1) ** 2 != a**2 + 2 * a + 1)


@ours("wicked")
@proved()
def python_truth_is_no_relation():
    """Anything follows, as True."""
    return entails([a > 1], True)


@ours("wicked")
@proved()
def conclusion_is_true():
    """Anything follows, as sympy's true."""
    return entails([a > 1], sympy.true)


@ours("wicked")
@proved()
def hypothesis_is_true():
    """A hypothesis that says nothing is one."""
    return entails([sympy.true], a**2 + b**2 >= 2 * a * b)


@ours("wicked")
@proved()
def declared_sign_strengthens_a_hypothesis():
    """(1 − δ) λ + δ > 0 for all δ ≥ 0, λ ≥ 0, 0 and 0 among them."""
    slack, value = sympy.symbols("delta lambda", positive=True)
    return entails([slack < 1, slack >= 0, value >= 0], (1 - slack) * value + slack > 0)


@ours("wicked")
@proved()
def assumption_decides_the_conclusion():
    """d ≥ 0 entails d > 0."""
    d = sympy.Symbol("d", positive=True)
    return entails([d < 7], d > 0)


@ours("wicked")
@proved()
def one_name_two_symbols():
    """y < 5 entails x > 0."""
    x, y = sympy.Symbol("x", real=True), sympy.Symbol("x", positive=True)
    return entails([y < 5], x > -1)


@ours("wicked")
@proved()
def hypotheses_contradict():
    """If a > 1 and a < 0, then b > 0."""
    return entails([a > 1, a < 0], b > 0)


@ours("wicked")
@refuted()
def contradiction_refutes():
    """If a > 1 and a < 0, then b > 0: refuted by nothing."""
    return entails([a > 1, a < 0], b > 0)


@ours("wicked")
@proved()
def false_hypothesis():
    """If 1 < 0, then a > 0."""
    return entails([sympy.Integer(1) < 0], a > 0)


@ours("wicked")
@proved()
def divisor_may_be_zero():
    """b/a = b/a + 0 · (1/a) for a ≥ 0."""
    return entails([a >= 0, b >= 1], sympy.Or(b / a >= 0, b / a <= 0))


@ours("wicked")
@proved()
def divisor_in_a_hypothesis_may_be_zero():
    """1/a > 1 entails a < 1, where a may be 0."""
    return entails([1 / a > 1], a < 1)


@ours("wicked")
@proved()
def quotient_times_divisor():
    """c = b/a and d = b/a entail c = d, for a = 0 too."""
    c, d = sympy.symbols("c d", real=True)
    return entails([sympy.Eq(c, b / a), sympy.Eq(d, b / a)], sympy.Eq(c, d))


@ours("wicked")
@refuted()
def counterexample_divides_by_zero():
    """a² = 0 entails 1/a > 0: refuted at a = 0, where it says nothing."""
    return entails([a >= 0], 1 / a > 0)


@ours("wicked")
@proved()
def complex_square_is_nonnegative():
    """z² ≥ 0."""
    z = sympy.Symbol("z")
    return entails([], z**2 >= 0)


@ours("wicked")
@refuted()
def even_symbol_is_any_integer():
    """Even numbers are not 1: refuted by 1."""
    m = sympy.Symbol("m", even=True)
    return entails([m > 0], m >= 2)


@ours("wicked")
@refuted()
def prime_symbol_is_any_integer():
    """Primes above 2 are above 4: refuted by 4."""
    p = sympy.Symbol("p", prime=True)
    return entails([p > 3], p > 4)


@ours("wicked")
@proved()
def function_is_not_translated():
    """sin a ≤ 1."""
    return entails([a > 0], sympy.sin(a) < 2)


@ours("wicked")
@proved()
def power_with_a_symbol():
    """2^n ≥ n."""
    return entails([n >= 0], sympy.Integer(2) ** n >= n)


@ours("wicked")
@proved()
def root_is_not_translated():
    """√a ≥ 0."""
    return entails([a >= 0], sympy.sqrt(a) >= -1)


@ours("wicked")
@proved()
def floor_is_not_translated():
    """⌊a⌋ ≤ a."""
    return entails([a > 0], sympy.floor(a / 2) <= b)


@ours("wicked")
@proved()
def float_in_a_relation():
    """a < 0.3 entails a < 0.1 + 0.2."""
    return entails([a < 0.3], a < 0.1 + 0.2)


@ours("wicked")
@proved()
def number_is_a_conclusion():
    """1 follows."""
    return entails([a > 0], 1)


@ours("wicked")
@proved()
def symbol_is_a_conclusion():
    """a follows from a."""
    return entails([a > 0], a)


@ours("wicked")
@proved()
def finding_is_a_conclusion():
    """A finding follows."""
    return entails([a > 0], equal(1, 1))


@ours("wicked")
@proved()
def real_is_an_integer():
    """2a ≥ 1 entails a ≥ 1."""
    return entails([2 * a >= 1], a >= 1)


@ours("wicked")
@proved()
def boundary_is_left_out():
    """a ≥ 0 entails a > 0."""
    return entails([a >= 0], a > 0)


@ours("wicked")
@proved()
def solver_gives_up():
    """There is no cube of integers that is the sum of two."""
    x, y, z = sympy.symbols("x y z", integer=True)
    return entails([x > 0, y > 0, z > 0], sympy.Ne(x**3 + y**3, z**3), effort=1000)
