"""What `help` says of a formula: every parameter, its range as it is checked, and the error."""

import inspect
import math
import re

import pytest

from provedp.cli.formulas import formulas
from provedp.theory.domain import Integers, Reals, domain, integers, reals
from provedp.theory.numbers import Number

FORMULAS = list(formulas().values())
INTERVAL = re.compile(r"in the range ([\[(])(\S+), ([^])]+)([\])])")


def section(text: str, title: str) -> str:
    found = re.search(rf"^{title}\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", text, re.S | re.M)
    return found[1] if found else ""


def heads(text: str) -> dict[str, str]:
    """Return what stands behind the colon of each parameter."""
    lines = re.findall(r"^(\w+)(?: : (.*))?$", section(text, "Parameters"), re.M)
    return dict(lines)


def interval(text: str) -> tuple[float, bool, float, bool]:
    left, low, high, right = INTERVAL.search(text).groups()
    return float(low), left == "(", float(high), right == ")"


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_help_names_each_parameter_in_order_and_its_range(formula):
    shown = heads(inspect.getdoc(formula.function))
    assert list(shown) == list(formula.signature.parameters)
    for name, allowed in formula.ranges.items():
        assert str(allowed) in shown[name]


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_the_interval_in_the_help_is_the_one_that_is_checked(formula):
    shown = heads(inspect.getdoc(formula.function))
    for name, allowed in formula.ranges.items():
        if not isinstance(allowed, (Integers, Reals)):
            continue
        low, open_low, high, open_high = interval(shown[name])
        assert low == (-math.inf if allowed.low is None else allowed.low)
        assert high == (math.inf if allowed.high is None else allowed.high)
        if isinstance(allowed, Reals):
            assert open_low == (allowed.open_low or allowed.low is None)
            assert open_high == (allowed.open_high or allowed.high is None)


@pytest.mark.parametrize("formula", [f for f in FORMULAS if f.ranges], ids=lambda f: f.name)
def test_help_names_the_error(formula):
    raised = section(inspect.getdoc(formula.function), "Raises")
    assert raised.startswith("ValueError\n    If an argument is outside its range.")


@pytest.mark.parametrize("formula", [f for f in FORMULAS if f.ranges], ids=lambda f: f.name)
def test_source_says_nothing_twice_and_names_no_other_parameter(formula):
    written = inspect.cleandoc(formula.function.__wrapped__.__doc__)
    assert "outside its range" not in written
    names = re.findall(r"^(\w.*)$", section(written, "Parameters"), re.M)
    assert {name for head in names for name in head.split(", ")} <= set(
        formula.signature.parameters
    )


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: formula.name)
def test_help_has_a_source(formula):
    assert "Source: " in inspect.getdoc(formula.function)


@domain(m=integers(2, symbolic=True), k=reals(1), weight=reals(0, 1, open_low=True))
def documented_formula(m: int, k: Number, table: list[int], weight: Number = 1) -> Number:
    """Sum of nothing.

    s = 0

    Parameters
    ----------
    table, weight
        As for another
        formula.

    Returns
    -------
    0.

    Raises
    ------
    ValueError
        If the table is empty.
    ZeroDivisionError
        At k = 1.

    Source: here.

    >>> documented_formula(2, 1, [])
    0
    """
    return 0


def test_hand_written_words_and_ranges_stand_together():
    assert documented_formula.__doc__.splitlines() == [
        "Sum of nothing.",
        "",
        "s = 0",
        "",
        "Parameters",
        "----------",
        "m : an integer in the range [2, inf), or a symbol for one",
        "    Number of counts.",
        "k : a number in the range [1, inf)",
        "    e^ε (ε in nats).",
        "table",
        "    As for another",
        "    formula.",
        "weight : a number in the range (0, 1], optional",
        "    As for another",
        "    formula.",
        "",
        "Returns",
        "-------",
        "0.",
        "",
        "Raises",
        "------",
        "ValueError",
        "    If an argument is outside its range.",
        "    If the table is empty.",
        "ZeroDivisionError",
        "    At k = 1.",
        "",
        "Notes",
        "-----",
        "Source: here.",
        "",
        "Examples",
        "--------",
        ">>> documented_formula(2, 1, [])",
        "0",
    ]
