"""Verdicts that rest on nothing, on each other, or on what does not hold; repairs that do not."""

from provedp.verify.claims.prelude import *

x = sympy.Symbol("x")

EXPECTED = {
    "conjecture": "open",
    "rests_on_a_conjecture": "open",
    "rests_on_it_indirectly": "open",
    "rests_on_a_refuted_one": "open",
    "rests_on_itself": "fault: rests on itself",
    "rests_on_its_corollary": "fault: rests on itself",
    "corollary": "fault: rests on itself",
    "rests_on_nothing_known": "fault: which is unknown",
    "rests_on_a_word": "fault: must be a tuple",
    "argues_in_a_word": "fault: must be a tuple",
    "defect_of_what_holds": "fault: a defect is named",
    "defect_by_another_name": "fault: must be a Defect",
    "false_statement": "refuted",
    "repaired_by_a_conjecture": "refuted; is itself open",
    "repair_by_a_conjecture": "open",
    "repaired_by_nothing": "refuted; fails at the witness too",
    "repair_that_repeats_the_mistake": "refuted; more than the evidence",
    "repaired_by_a_vacuous_one": "refuted",
    "repair_without_an_instance": "vacuous",
    "refuted_on_a_float": "fault",
}


@ours("wicked")
@open_("nobody knows")
def conjecture():
    """Every even number is the sum of two primes."""


@ours("wicked", rests_on=(conjecture,))
@proved()
def rests_on_a_conjecture():
    """Every odd number is the sum of three primes."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=("foundations.rests_on_a_conjecture",))
@proved()
def rests_on_it_indirectly():
    """Every number is the sum of four primes."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=("foundations.false_statement",))
@proved()
def rests_on_a_refuted_one():
    """As 1 = 2, everything is so."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=("foundations.rests_on_itself",))
@proved()
def rests_on_itself():
    """It is so because it is so."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=("foundations.corollary",))
@proved()
def rests_on_its_corollary():
    """It is so because of what follows."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=(rests_on_its_corollary,))
@proved()
def corollary():
    """It follows."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on=("foundations.folklore",))
@proved()
def rests_on_nothing_known():
    """It is well known."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked", rests_on="foundations.conjecture")
@proved()
def rests_on_a_word():
    """It rests on letters."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@ours("wicked")
@proved(argued="clearly")
def argues_in_a_word():
    """It is clear."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@published("wicked", defect=Defect.FALSE)
@proved()
def defect_of_what_holds():
    """A true statement that is called false."""
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@published("wicked", defect="wrong")
@refuted()
def defect_by_another_name():
    """1 = 2."""
    return equal(1, 2)


@published("wicked")
@refuted()
def false_statement():
    """1 = 2."""
    return equal(1, 2)


@published("wicked")
@refuted(m=1)
def repaired_by_a_conjecture(m):
    """m = 2."""
    return equal(m, 2)


@repairs(repaired_by_a_conjecture)
@open_("nobody knows")
def repair_by_a_conjecture(m):
    """m is something."""


@published("wicked")
@refuted(m=1)
def repaired_by_nothing(m):
    """m = 2."""
    return equal(m, 2)


@repairs(repaired_by_nothing)
@certified(m=[1])
def repair_that_repeats_the_mistake(m):
    """m = 2 once more."""
    return repaired_by_nothing(m)


@published("wicked")
@refuted(m=1)
def repaired_by_a_vacuous_one(m):
    """m = 2."""
    return equal(m, 2)


@repairs(repaired_by_a_vacuous_one)
@certified(m=range(3))
def repair_without_an_instance(m):
    """m = 2 for m above 10 among those below 3."""
    assume(m > 10)
    return repaired_by_a_vacuous_one(m)


@ours("wicked")
@refuted()
def refuted_on_a_float():
    """√2 squared is 2: refuted by a float in a branch."""
    return equal(1 if 2**0.5 * 2**0.5 == 2 else 0, 1)
