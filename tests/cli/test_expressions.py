"""Numbers as they are typed: what they mean, and what is refused before it is computed."""

import time
from fractions import Fraction

import pytest
import sympy

from provedp.cli.expressions import enclosure, parse
from provedp.cli.numbers import down, up

VALUES = {
    "1e-3": "1/1000",
    ".5": "1/2",
    "5.": "5",
    "2^10": "1024",
    "1.5E2": "150",
    "exp(ln(4)/2)": "2",
    "exp(3*ln(2)+ln(5))": "40",
    "sqrt(1e400)*1e-200": "1",
    "(2/3)^-2": "9/4",
    "1e4000*1e-4000": "1",
}
TOO_LARGE = [
    "1e999999999", "1e-999999999", "(10**9999)**9999", "2^2^2^2^2", "2^2^2^2^2^2", "9**9**9**9",
    "exp(10^9*ln(3))", "exp(ln(2)*1000000*ln(3))", "exp(exp(exp(exp(9))))", "2^exp(exp(9))",
    "e^e^e^e", "exp(1/0)", "exp(pi*10^5)", "1e4000*1e4000", "(2^1000)^1000", "2^(10^5)",
    "exp(1e400)", "1e10000",
]  # fmt: skip
SLOW_ROOTS = ["sqrt(10**4000+1)", "(10**4000+1)^(1/3)", "exp(ln(10^4000+1)/2)", "(7^1000+1)^0.5"]
NO_NUMBERS = [
    "0x10", "0b1", "0o7", "1_0", "0x1p3", "1j", "٣", "５", "1e", "1e+", "nan", "inf", "", " ", "()",
    "a", "1,2", "lambda: 1", "__import__('os')", "'1'", "True", "1 if 1 else 2", "exp(1, 2)",
    "exp(x=1)", "exp", "1//2", "1%2", "~1", "2<<3", "(" * 500, "-" * 1500 + "1", "\x00", "1\n2",
]  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_exact_values(text: str) -> None:
    assert parse(text) == sympy.Rational(VALUES[text])


@pytest.mark.parametrize("text", [*TOO_LARGE, *SLOW_ROOTS, *NO_NUMBERS, "1" * 2001])
def test_what_is_refused_is_refused_at_once(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match=r"\S") as refusal:
        parse(text)
    assert time.process_time() - start < 1
    assert len(str(refusal.value)) < 2500


@pytest.mark.parametrize("text", TOO_LARGE)
def test_what_is_too_large_is_said_to_be(text: str) -> None:
    with pytest.raises(ValueError, match="larger than|too large|bits"):
        parse(text)


def test_no_number_is_longer_than_python_writes() -> None:
    assert len(str(parse("1e4200"))) == 4201
    with pytest.raises(ValueError, match="bits"):
        parse("1e4290")


def test_irrational_exponents_stay() -> None:
    assert abs(float(enclosure(parse("2^sqrt(2)"), 200)) - 2.665144142690225) < 1e-15


def test_floats_around_a_number_beyond_them() -> None:
    largest = Fraction(1.7976931348623157e308)
    assert (down(largest), up(largest)) == (float(largest), float(largest))
    for huge in (largest + 1, Fraction(10**400)):
        assert (down(huge), up(huge)) == (float(largest), float("inf"))
        assert (down(-huge), up(-huge)) == (-float("inf"), -float(largest))
    tiny = Fraction(1, 10**400)
    assert (down(tiny), up(tiny)) == (0.0, 5e-324)
