"""Domains that are empty, inflated, endless, or not what the check reads."""

import itertools

from hypothesis import strategies as st

from provedp.verify.claims.prelude import *

EXPECTED = {
    "no_values": "vacuous",
    "no_quick_values": "vacuous",
    "no_cases": "vacuous",
    "nothing_is_generated": "vacuous",
    "generated_ones_are_all_skipped": "vacuous",
    "values_repeat": "fault: twice",
    "values_have_no_end": "fault: no end",
    "values_are_text": "fault: must be a list",
    "values_are_a_set": "fault: must be a list",
    "values_are_one_number": "fault: must be a list",
    "parameter_is_not_read": "fault: never reads",
    "generated_parameter_is_not_read": "fault: never reads",
    "parameter_is_misspelt": "fault: does not take",
    "parameter_is_missing": "fault: TypeError",
    "cases_lack_a_parameter": "fault: TypeError",
    "no_examples": "fault: at least 1",
    "half_an_example": "fault: at least 1",
    "proof_on_a_grid": "certified",
    "proof_on_cases": "certified",
    "strategy_breaks": "fault: raises",
    "cases_and_values": "fault: not both",
}


@ours("wicked")
@certified(m=[])
def no_values(m):
    """m = m + 1 for all m in ∅."""
    return equal(m, m + 1)


@ours("wicked")
@certified(m=levels([], range(3)))
def no_quick_values(m):
    """m = m + 1 for all m that the quick run sees."""
    return equal(m, m + 1)


@ours("wicked")
@certified(cases=[])
def no_cases(m):
    """m = m + 1 in no case."""
    return equal(m, m + 1)


@ours("wicked")
@certified(m=st.nothing())
def nothing_is_generated(m):
    """m = m + 1 for all that is generated."""
    return equal(m, m + 1)


@ours("wicked")
@certified(m=st.integers(0, 9))
def generated_ones_are_all_skipped(m):
    """m = m + 1 for all generated m above 10."""
    assume(m > 10)
    return equal(m, m + 1)


@ours("wicked")
@certified(m=[1, 1, 1, 1])
def values_repeat(m):
    """m = 1 for four values."""
    return equal(m, 1)


@ours("wicked")
@certified(m=itertools.count())
def values_have_no_end(m):
    """m = m for all m."""
    return equal(m, m)


@ours("wicked")
@certified(m="abc")
def values_are_text(m):
    """There are three of them."""
    return equal(len(m), 1)


@ours("wicked")
@certified(m={1, 2})
def values_are_a_set(m):
    """m = m in no order."""
    return equal(m, m)


@ours("wicked")
@certified(m=7)
def values_are_one_number(m):
    """7 = 7."""
    return equal(m, m)


@ours("wicked")
@certified(m=range(1000))
def parameter_is_not_read(m):
    """1 = 1, a thousand times."""
    return equal(1, 1)


@ours("wicked")
@certified(m=st.integers())
def generated_parameter_is_not_read(m):
    """1 = 1, for a hundred generated integers."""
    return equal(1, 1)


@ours("wicked")
@certified(size=range(3))
def parameter_is_misspelt(m=1):
    """m = m for sizes that the check does not take."""
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def parameter_is_missing(m, k):
    """m = m for some k."""
    return equal(m + k, m + k)


@ours("wicked")
@certified(cases=[{"m": 1}, {}])
def cases_lack_a_parameter(m):
    """m = m where there is one."""
    return equal(m, m)


@ours("wicked")
@certified(m=st.integers(), examples=0)
def no_examples(m):
    """m = m + 1 for no example."""
    return equal(m, m + 1)


@ours("wicked")
@certified(m=st.integers(), examples=0.5)
def half_an_example(m):
    """m = m for half an example."""
    return equal(m, m)


@ours("wicked")
@proved(n=range(1, 4))
def proof_on_a_grid(n):
    """x^n x = x^(n + 1) for every n, from three of them."""
    x = sympy.Symbol("x")
    return equal(x**n * x, x ** (n + 1))


@ours("wicked")
@proved(cases=[{"n": 2}])
def proof_on_cases(n):
    """x^n x = x^(n + 1) for every n, from n = 2."""
    x = sympy.Symbol("x")
    return equal(x**n * x, x ** (n + 1))


@ours("wicked")
@certified(m=st.integers().map(lambda m: 1 // 0))
def strategy_breaks(m):
    """m = m for what cannot be made."""
    return equal(m, m)


@ours("wicked")
@certified(m=range(3), cases=[{"m": 1}])
def cases_and_values(m):
    """m = m in two ways."""
    return equal(m, m)
