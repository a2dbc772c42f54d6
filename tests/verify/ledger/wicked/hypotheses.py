"""Hypotheses that are none, and checks that lose what they were told."""

import numpy as np

from provedp.verify.claims.prelude import *

EXPECTED = {
    "nothing_is_assumed": "fault: states no hypothesis",
    "none_is_assumed": "undecided",
    "false_is_assumed": "vacuous",
    "relation_is_assumed": "fault: no decided hypothesis",
    "numpy_boolean_is_assumed": "fault: no decided hypothesis",
    "sympy_truth_is_assumed": "fault: no decided hypothesis",
    "number_is_assumed": "fault: no decided hypothesis",
    "text_is_assumed": "fault: no decided hypothesis",
    "float_decides_a_hypothesis": "fault",
    "float_decides_a_branch": "fault",
    "all_instances_are_skipped": "vacuous",
    "witness_is_outside": "vacuous",
    "witness_is_no_number": "fault: Floats are compared",
    "witness_is_a_float_that_rounds": "undecided",
    "exception_is_caught": "fault: Floats are compared",
    "unmet_hypothesis_is_caught": "vacuous",
    "finding_of_another_run": "fault: another run",
    "finding_of_the_module": "fault: another run",
    "cached_finding": "fault: another run",
    "conjunction_with_an_old_finding": "fault: another run",
    "boolean_of_a_finding": "fault: three truth values",
    "boolean_holds_by_a_number": "fault: no decided bool",
    "unnamed_decision": "fault: needs words",
    "float_comparison_holds": "fault",
}

BEFORE = equal(1, 1)
KEPT = []


@ours("wicked")
@certified(m=range(3))
def nothing_is_assumed(m):
    """Without a hypothesis m = m."""
    assume()
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def none_is_assumed(m):
    """With a hypothesis that nobody decided m = m."""
    assume(None)
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def false_is_assumed(m):
    """If 1 = 2, then m = m + 1."""
    assume(False)
    return equal(m, m + 1)


@ours("wicked")
@certified()
def relation_is_assumed():
    """If x > 0, then 1 = 1."""
    assume(sympy.Symbol("x", real=True) > 0)
    return equal(1, 1)


@ours("wicked")
@certified(m=range(3))
def numpy_boolean_is_assumed(m):
    """If m² ≥ 0 in int64, then m = m."""
    assume(np.int64(m) ** 2 >= np.int64(0))
    return equal(m, m)


@ours("wicked")
@certified()
def sympy_truth_is_assumed():
    """If true, then 1 = 1."""
    assume(sympy.true)
    return equal(1, 1)


@ours("wicked")
@certified(m=range(1, 3))
def number_is_assumed(m):
    """If m, then m = m."""
    assume(m)
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def text_is_assumed(m):
    """If 'm > 7', then m = m."""
    assume("m > 7")
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def float_decides_a_hypothesis(m):
    """If m/10 + 2/10 is not 3/10, then m is not 1."""
    assume(m / 10 + 0.2 != 0.3)
    return at_most(m, 2)


@ours("wicked")
@certified()
def float_decides_a_branch():
    """1/10 + 2/10 is not 3/10."""
    return equal(1 if 0.1 + 0.2 == 0.3 else 2, 2)


@ours("wicked")
@certified(m=range(3))
def all_instances_are_skipped(m):
    """Numbers below three that exceed ten are one."""
    assume(m > 10)
    return equal(m, 1)


@ours("wicked")
@refuted(m=2)
def witness_is_outside(m):
    """Odd numbers are not 2."""
    assume(m % 2 == 1)
    return negation(equal(m, 2))


@ours("wicked")
@refuted(x=float("nan"))
def witness_is_no_number(x):
    """Every number is equal to itself."""
    return equal(x, x)


@ours("wicked")
@refuted(x=0.1)
def witness_is_a_float_that_rounds(x):
    """x + 2/10 is 3/10 for x = 1/10."""
    return close(x + 0.2, 0.3, tolerance=1e-17)


@ours("wicked")
@certified()
def exception_is_caught():
    """1/10 + 2/10 = 3/10, or whatever."""
    try:
        return equal(0.1 + 0.2, 0.3)
    except TypeError:
        return equal(1, 1)


@ours("wicked")
@certified(m=range(3))
def unmet_hypothesis_is_caught(m):
    """Numbers below three that exceed ten are what they are."""
    try:
        assume(m > 10)
    except BaseException:
        return equal(m, m)
    return equal(m, m)


@ours("wicked")
@certified(m=range(3))
def finding_of_another_run(m):
    """m = 0 for all m, as it was for the first."""
    KEPT.append(equal(m, 0))
    return KEPT[0]


@ours("wicked")
@certified(m=range(3))
def finding_of_the_module(m):
    """m + 1 = m, as 1 = 1."""
    return BEFORE if m >= 0 else equal(m + 1, m)


def first_of(m, kept={}):
    """Return the finding of the first call, whatever m."""
    return kept.setdefault("finding", equal(m, 0))


@ours("wicked")
@certified(m=range(3))
def cached_finding(m):
    """m = 0, from a cache."""
    return first_of(m)


@ours("wicked")
@certified(m=range(3))
def conjunction_with_an_old_finding(m):
    """m = m and something older."""
    return all_of(equal(m, m), BEFORE)


@ours("wicked")
@certified()
def boolean_of_a_finding():
    """A finding is true."""
    return holds(bool(equal(1, 1)), "it is so")


@ours("wicked")
@certified()
def boolean_holds_by_a_number():
    """1 holds."""
    return holds(1, "it is so")


@ours("wicked")
@certified()
def unnamed_decision():
    """Something holds."""
    return holds(True, " ")


@ours("wicked")
@certified()
def float_comparison_holds():
    """3/10 < 1/10 + 2/10, as a decided Boolean."""
    return holds(0.3 < 0.1 + 0.2, "3/10 is less")
