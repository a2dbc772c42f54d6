"""What overlapping balls leave open is taken for a decision."""

import operator

import numpy as np

from provedp.verify.claims.prelude import *

WIDE, OTHER = arb(0, 1), arb("0.5", 1)

EXPECTED = {
    "overlapping_balls_are_not_ordered": "undecided",
    "overlapping_balls_are_not_equal": "undecided",
    "negation_of_undecided": "undecided",
    "undecided_hypothesis_is_skipped": "undecided",
    "negated_comparison_is_a_hypothesis": "undecided",
    "hypothesis_in_a_variable": "undecided",
    "hypothesis_in_a_helper": "undecided",
    "hypothesis_on_an_array": "undecided",
    "chain_of_comparisons": "undecided",
    "branch_on_an_undecided_comparison": "undecided",
    "branch_in_an_expression": "undecided",
    "maximum_of_overlapping_balls": "undecided",
    "sorted_overlapping_balls": "undecided",
    "member_of_a_list_of_balls": "undecided",
    "all_of_undecided_comparisons": "undecided",
    "decision_from_balls_holds": "undecided",
    "exception_is_swallowed": "undecided",
    "equality_of_lists_of_balls": "undecided",
    "comparison_by_operator": "undecided",
    "comparison_by_method": "undecided",
    "comparison_in_numpy": "fault: one by one",
    "largest_of_an_array": "fault: one by one",
    "place_in_a_list": "fault: one by one",
    "relation_is_compared_with_true": "fault: form of relations",
    "truth_of_a_ball": "fault: no truth value",
    "balls_do_not_overlap": "fault: tells of a ball",
    "ball_contains_zero": "fault: tells of a ball",
    "not_a_number_is_a_ball": "undecided",
    "infinite_ball_is_above": "undecided",
    "all_numbers_are_close": "fault",
    "undecided_finding_is_a_hypothesis": "undecided",
    "ball_and_symbol": "fault: A ball cannot be compared",
}


@ours("wicked")
@certified()
def overlapping_balls_are_not_ordered():
    """0 ± 1 < 1/2 ± 1."""
    return less(WIDE, OTHER)


@ours("wicked")
@certified()
def overlapping_balls_are_not_equal():
    """0 ± 1 = 0 ± 1."""
    return equal(WIDE, arb(0, 1))


@ours("wicked")
@certified()
def negation_of_undecided():
    """0 ± 1 is not 1/2 ± 1."""
    return negation(equal(WIDE, OTHER))


@ours("wicked")
@certified(bound=(arb(-5), WIDE))
def undecided_hypothesis_is_skipped(bound):
    """If b ≥ 1/2 ± 1 then 1 = 2; otherwise 1 = 1."""
    assume(not bound >= 100)
    assume(bound <= OTHER)
    return equal(1, 1)


@ours("wicked")
@certified()
def negated_comparison_is_a_hypothesis():
    """0 ± 1 is not below 1/2 ± 1."""
    assume(not WIDE < OTHER)
    return equal(1, 1)


@ours("wicked")
@certified()
def hypothesis_in_a_variable():
    """If 0 ± 1 > 1/2 ± 1 fails, then 1 = 1."""
    above = WIDE > OTHER
    assume(above is False)
    return equal(1, 1)


def is_above(first, second):
    return first > second


@ours("wicked")
@certified(bound=(WIDE, arb(5)))
def hypothesis_in_a_helper(bound):
    """All that exceed 1/2 ± 1 are positive."""
    assume(is_above(bound, OTHER))
    return less(0, bound)


@ours("wicked")
@certified()
def hypothesis_on_an_array():
    """No entry is above the bound."""
    table = np.array([WIDE, WIDE], dtype=object)
    assume(not bool((table > OTHER).any()))
    return equal(1, 1)


@ours("wicked")
@certified()
def chain_of_comparisons():
    """0 ± 1 is not between −1/2 and 1/2."""
    assume(not (-Q(1, 2) <= 0 < WIDE <= Q(1, 2)))
    return equal(1, 1)


@ours("wicked")
@certified()
def branch_on_an_undecided_comparison():
    """0 ± 1 is at most 1/2 ± 1, for lack of a decision."""
    if WIDE > OTHER:
        return equal(1, 2)
    return equal(1, 1)


@ours("wicked")
@certified()
def branch_in_an_expression():
    """0 ± 1 is at most 1/2 ± 1, in an expression."""
    return equal(2 if WIDE > OTHER else 1, 1)


@ours("wicked")
@certified()
def maximum_of_overlapping_balls():
    """The maximum of 1/2 ± 1 and 2 ± 3/2 is the first."""
    return equal(max([arb(1), WIDE + 1]), 1)


@ours("wicked")
@certified()
def sorted_overlapping_balls():
    """1 comes before 1 ± 1."""
    return equal(sorted([arb(1), WIDE + 1])[0], 1)


@ours("wicked")
@certified()
def member_of_a_list_of_balls():
    """0 is not among 0 ± 1."""
    return holds(0 not in [WIDE], "0 is not in the list")


@ours("wicked")
@certified()
def all_of_undecided_comparisons():
    """No ball is above 0."""
    return holds(not any(ball > 0 for ball in (WIDE, OTHER)), "none is above 0")


@ours("wicked")
@certified()
def decision_from_balls_holds():
    """0 ± 1 is not less than 1/2 ± 1, as a decided Boolean."""
    return holds(bool(WIDE < OTHER) is False, "it is not less")


@ours("wicked")
@certified()
def exception_is_swallowed():
    """What is undecided holds, since nobody hears of it."""
    try:
        assume(WIDE < OTHER)
    except BaseException:
        return equal(1, 1)
    return equal(1, 1)


@ours("wicked")
@certified()
def equality_of_lists_of_balls():
    """[0 ± 1] is not [1/2 ± 1]."""
    return holds([WIDE] != [OTHER], "the lists differ")


@ours("wicked")
@certified()
def truth_of_a_ball():
    """0 ± 1 is true."""
    return equal(1 if WIDE else 2, 1)


@ours("wicked")
@certified()
def balls_do_not_overlap():
    """Overlapping says something of the numbers."""
    return holds(WIDE.overlaps(OTHER), "the numbers are the same")


@ours("wicked")
@certified()
def ball_contains_zero():
    """A number whose ball holds zero is zero."""
    return holds(WIDE.contains(0), "it is zero")


@ours("wicked")
@certified()
def not_a_number_is_a_ball():
    """0/0 ≤ 1."""
    return at_most(arb(0) / arb(0), 1)


@ours("wicked")
@certified()
def infinite_ball_is_above():
    """The divergence is at most e^(10^30), which overflows to ∞."""
    return at_most(7, arb("inf"))


@ours("wicked")
@certified()
def all_numbers_are_close():
    """An infinite ball is close to 1."""
    return close(arb(1, float("inf")), 1, tolerance=1e-9)


@ours("wicked")
@certified(bound=(WIDE, arb(-3)))
def undecided_finding_is_a_hypothesis(bound):
    """All that is below 0 is below 1."""
    assume(less(bound, 0))
    return less(bound, 1)


@ours("wicked")
@proved()
def ball_and_symbol():
    """x + 1/3 = x + 0.333…"""
    x = sympy.Symbol("x")
    return equal(x + sympy.Rational(1, 3), arb(1) / 3)


@ours("wicked")
@certified()
def comparison_by_operator():
    """0 ± 1 is not less than 1/2 ± 1, says the operator module."""
    assume(not operator.lt(WIDE, OTHER))
    return equal(1, 1)


@ours("wicked")
@certified()
def comparison_by_method():
    """0 ± 1 is not less than 1/2 ± 1, says its method."""
    assume(not WIDE.__lt__(OTHER))
    return equal(1, 1)


@ours("wicked")
@certified()
def comparison_in_numpy():
    """0 ± 1 is not less than 1/2 ± 1, says numpy."""
    found = np.less(np.array([WIDE], dtype=object), np.array([OTHER], dtype=object))
    return holds(not bool(found[0]), "it is not less")


@ours("wicked")
@certified()
def largest_of_an_array():
    """The largest of 1 and 1 ± 1 is 1."""
    return equal(np.array([arb(1), WIDE + 1], dtype=object).max(), 1)


@ours("wicked")
@certified()
def place_in_a_list():
    """0 ± 1 is nowhere in a list that holds it."""
    return equal([WIDE].count(0), 0)


@ours("wicked")
@certified()
def relation_is_compared_with_true():
    """x > 0 is not true for all x, hence 1 = 1."""
    relation = sympy.Symbol("x", real=True) > 0
    assume(not (relation == True))  # noqa: E712
    return equal(1, 1)
