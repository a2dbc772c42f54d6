"""Checks that return nothing, break, exit, or are decorated wrongly; statistics without trials."""

import sys

from provedp.verify.claims.prelude import *

EXPECTED = {
    "returns_nothing": "fault: no finding",
    "returns_true": "fault: no finding",
    "returns_a_list_of_findings": "fault: no finding",
    "returns_for_some": "fault: no finding",
    "raises": "fault: ZeroDivisionError",
    "exits": "fault: SystemExit",
    "recurses": "fault: RecursionError",
    "yields": "fault: no finding",
    "record_without_its_call": "fault: lacks its call",
    "role_without_its_call": "fault: lacks its call",
    "role_without_a_record": "fault: no verdict",
    "record_without_a_role": "fault: no role",
    "record_on_top_of_the_role": "fault: on top of",
    "two_records": "fault: on top of",
    "says_nothing": "fault: no docstring",
    "stands_nowhere": "fault: no source",
    "open_without_a_reason": "open; needs a reason",
    "wide_tolerance": "fault: tolerance is inf",
    "no_tolerance": "fault: tolerance is 0",
    "negative_tolerance": "fault: tolerance is -1",
    "tolerance_is_no_number": "fault: tolerance is nan",
    "tolerance_is_true": "fault: tolerance is True",
    "negative_rounding": "fault: rounding is -1",
    "no_trials": "fault: hits must be",
    "more_hits_than_trials": "fault: hits must be",
    "trials_are_a_float": "fault: must be an int",
    "no_confidence": "fault: confidence is 1e-09",
    "whole_confidence": "fault: confidence is 1.0",
    "more_than_whole_confidence": "fault: confidence is 2",
    "bound_above_one": "fault: bound is 1.5",
    "upper_limit_refutes": "undecided",
    "floats_are_certified": "supported",
    "frequency_is_certified": "supported",
    "floats_refute": "undecided",
    "undefined_by_another_error": "fault: ValueError",
}


@ours("wicked")
@certified(m=range(3))
def returns_nothing(m):
    """m = m."""
    equal(m, m)


@ours("wicked")
@certified(m=range(3))
def returns_true(m):
    """m = m."""
    return m == m


@ours("wicked")
@certified(m=range(3))
def returns_a_list_of_findings(m):
    """m = m and m = m + 1."""
    return [equal(m, m), equal(m, m + 1)]


@ours("wicked")
@certified(m=range(3))
def returns_for_some(m):
    """m = 0."""
    if m == 0:
        return equal(m, 0)
    return None


@ours("wicked")
@certified(m=range(3))
def raises(m):
    """1/m = 1."""
    return equal(Q(1, m), 1)


@ours("wicked")
@certified(m=range(3))
def exits(m):
    """m = m, and nobody checks the rest."""
    sys.exit(m)


@ours("wicked")
@certified(m=range(3))
def recurses(m):
    """m = m, as m = m."""
    return recurses(m)


@ours("wicked")
@certified(m=range(3))
def yields(m):
    """m = m, later."""
    yield equal(m, m)


@ours("wicked")
@certified
def record_without_its_call():
    """1 = 1."""
    return equal(1, 1)


@ours
@certified()
def role_without_its_call():
    """1 = 1."""
    return equal(1, 1)


@ours("wicked")
def role_without_a_record():
    """1 = 1."""
    return equal(1, 1)


@certified()
def record_without_a_role():
    """1 = 1."""
    return equal(1, 1)


@certified()
@ours("wicked")
@certified()
def record_on_top_of_the_role():
    """1 = 1."""
    return equal(1, 1)


@ours("wicked")
@proved()
@certified(m=range(3))
def two_records(m):
    """m = m, on a grid and for all."""
    return equal(m, m)


@ours("wicked")
@certified()
def says_nothing():
    return equal(1, 1)


@ours(" ")
@certified()
def stands_nowhere():
    """1 = 1."""
    return equal(1, 1)


@ours("wicked")
@open_("")
def open_without_a_reason():
    """Nobody knows, nobody says why."""


@ours("wicked")
@certified()
def wide_tolerance():
    """1 is close to 2."""
    return close(Q(1), Q(2), tolerance=float("inf"))


@ours("wicked")
@certified()
def no_tolerance():
    """1 is close to 1."""
    return close(Q(1), Q(1), tolerance=0)


@ours("wicked")
@certified()
def negative_tolerance():
    """1 is not close to 1."""
    return negation(close(Q(1), Q(1), tolerance=-1))


@ours("wicked")
@certified()
def tolerance_is_no_number():
    """1 is not close to 1."""
    return negation(close(Q(1), Q(1), tolerance=float("nan")))


@ours("wicked")
@certified()
def tolerance_is_true():
    """1 is close to 2."""
    return close(Q(1), Q(2), tolerance=True)


@ours("wicked")
@supported()
def negative_rounding():
    """2 is not at most 2."""
    return negation(float_at_most(2.0, 2.0, rounding=-1))


@ours("wicked")
@supported()
def no_trials():
    """A probability is at most 1, by no trial."""
    return frequency_at_most(0, 0, 1.0, confidence=0.99)


@ours("wicked")
@supported()
def more_hits_than_trials():
    """A probability is at most 1/2, by 7 hits in 5 trials."""
    return frequency_at_most(7, 5, 0.5, confidence=0.99)


@ours("wicked")
@supported()
def trials_are_a_float():
    """A probability is at most 1/2, by half a trial."""
    return frequency_at_most(0, 100.5, 0.5, confidence=0.99)


@ours("wicked")
@supported()
def no_confidence():
    """A probability is at most 0.3, by 50 of 100."""
    return frequency_at_most(50, 100, 0.3, confidence=1e-9)


@ours("wicked")
@supported()
def whole_confidence():
    """A probability is at most 0.3, for sure."""
    return frequency_at_most(0, 100, 0.3, confidence=1.0)


@ours("wicked")
@supported()
def more_than_whole_confidence():
    """A probability is at most 0.3, more than for sure."""
    return frequency_at_most(0, 100, 0.3, confidence=2)


@ours("wicked")
@supported()
def bound_above_one():
    """A probability is at most 3/2."""
    return frequency_at_most(100, 100, 1.5, confidence=0.99)


@ours("wicked")
@supported()
def upper_limit_refutes():
    """A probability exceeds 1/100, as no hit in ten trials does not show the contrary."""
    return negation(frequency_at_most(0, 10, 0.01, confidence=0.99))


@ours("wicked")
@certified()
def floats_are_certified():
    """1/10 + 2/10 = 3/10 in floats."""
    return close(0.1 + 0.2, Q(3, 10), tolerance=1e-9)


@ours("wicked")
@certified()
def frequency_is_certified():
    """A probability is at most 1/2."""
    return frequency_at_most(0, 100, 0.5, confidence=0.99)


@ours("wicked")
@refuted()
def floats_refute():
    """1/10 + 2/10 = 3/10: refuted by rounding."""
    return close(0.1 + 0.2, 0.3, tolerance=1e-17)


@ours("wicked")
@refuted()
def undefined_by_another_error():
    """A formula has a value: refuted by a wrong argument."""
    return is_defined(lambda x: int(x), "seven")
