"""Checks that notice no wrong formula, whatever kills they show; runs that do not repeat."""

import time

from provedp.verify.claims.prelude import *

NOT_NOTICED = "notices no wrong formula"
EXPECTED = {
    "looks_away": NOT_NOTICED,
    "compares_it_with_itself": NOT_NOTICED,
    "counts_with_it": NOT_NOTICED,
    "skips_what_is_wrong": NOT_NOTICED,
    "is_undecided_by_what_is_wrong": NOT_NOTICED,
    "catches_what_is_wrong": NOT_NOTICED,
    "reads_a_generator_once": NOT_NOTICED,
    "allows_anything": NOT_NOTICED,
    "explains_the_dead": "explains mutants that do not live",
    "counts_its_runs": "second run differs",
    "tells_the_time": "second run differs",
    "learns_from_its_runs": "second run differs",
}
CALLS = []


def square(m):
    return Q(m * m)


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def looks_away(formula, m):
    """The sum of the first m odd numbers is m²."""
    return equal(m * m, sum(range(1, 2 * m, 2)))


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def compares_it_with_itself(formula, m):
    """m² = m²."""
    return equal(formula(m), formula(m))


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def counts_with_it(formula, m):
    """There are m² pairs: a wrong formula breaks `range`."""
    size = formula(m)
    return equal(len(range(size.numerator if size == m * m else None)), m * m)


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def skips_what_is_wrong(formula, m):
    """m² = m², where the formula is right."""
    assume(formula(m) == m * m)
    return equal(formula(m), m * m)


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def is_undecided_by_what_is_wrong(formula, m):
    """m² = m², where the formula is right."""
    assume(True if formula(m) == m * m else None)
    return equal(formula(m), m * m)


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def catches_what_is_wrong(formula, m):
    """m² = m², or something breaks."""
    try:
        return equal(Q(m * m, 1 if formula(m) == m * m else 0), m * m)
    except ZeroDivisionError:
        return equal(m, m)


@ours("wicked", formula=square)
@certified(m=(n for n in range(1, 5)))
def reads_a_generator_once(formula, m):
    """m = m, on a domain that is gone at the second run."""
    return equal(m, m)


@ours("wicked", formula=square)
@certified(m=range(1, 5))
def allows_anything(formula, m):
    """m² is close to m²."""
    return close(formula(m), m * m, tolerance=1000)


@ours("wicked", formula=square, survivors={"times 1 + 1e-4": "nobody knows"})
@certified(m=range(1, 5))
def explains_the_dead(formula, m):
    """The sum of the first m odd numbers is m²."""
    return equal(formula(m), sum(range(1, 2 * m, 2)))


@ours("wicked")
@certified(m=range(3))
def counts_its_runs(m):
    """m = m, more often each time."""
    CALLS.append(m)
    return all_of(*(equal(m, m) for _ in CALLS))


@ours("wicked")
@certified()
def tells_the_time():
    """It is an even number of nanoseconds, or an odd one."""
    return all_of(*(equal(1, 1) for _ in range(1 + time.perf_counter_ns() % 1009)))


LEARNT = []


@ours("wicked")
@certified(m=range(3))
def learns_from_its_runs(m):
    """m = m at first, and nothing later."""
    assume(LEARNT.count(m) == 0)
    LEARNT.append(m)
    return equal(m, m)
