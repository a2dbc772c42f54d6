"""Lesson 0: events, adjacency, attacks, composition and groups, by small exact examples."""

import itertools
from collections.abc import Mapping
from fractions import Fraction as F
from typing import Any

from provedp.course.answers import listed, number, parts, subset, vector
from provedp.course.checks.tables import event_text, mechanism, require_kept, require_private
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.theory import counting
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.privacy import hockey_stick

P, Q = matrix([[F(9, 20), F(7, 20), F(1, 5)], [F(1, 5), F(3, 20), F(13, 20)]])
FIVE_P, FIVE_Q = matrix(
    [
        [F(1, 4), F(1, 5), F(1, 5), F(1, 5), F(3, 20)],
        [F(1, 10), F(1, 10), F(1, 20), F(3, 10), F(9, 20)],
    ]
)
PEOPLE, LEAST_GROUP, TARGET = 6, 3, 4
QUERIES = (
    ((1, 2, 3), F(5, 2)),
    ((1, 2, 4), F(3, 2)),
    ((3, 4, 5), F(3, 2)),
    ((2, 5, 6), F(1, 2)),
    ((1, 3, 6), F(5, 2)),
    ((2, 3, 4, 5), F(3, 2)),
    ((1, 4, 5, 6), F(5, 2)),
    ((1, 2, 3, 4, 5, 6), F(7, 2)),
)  # groups and published counts, each wrong by at most one half
LOW, HIGH = F(-13, 2), F(9, 2)


def gap(p: Matrix, q: Matrix, k: int, members: Any) -> F:
    """Return p(U) − k q(U) for outcomes counted from 1."""
    return sum((p[j - 1] - k * q[j - 1] for j in members), F(0))


def _worst_event(answer: Any) -> str:
    event = subset(answer, 5)
    found, best = gap(FIVE_P, FIVE_Q, 2, event), hockey_stick(FIVE_P, FIVE_Q, 2)
    if found == best:
        return "No event collects more. (Outcomes with p = 2 q may be in it or not.)"
    lines = [f"U = {event_text(event)} has p(U) − 2 q(U) = {found}, and another event has more."]
    for j in sorted(event):
        if gap(FIVE_P, FIVE_Q, 2, [j]) < 0:
            lines.append(f"Outcome {j} costs it {-gap(FIVE_P, FIVE_Q, 2, [j])}.")
            break
    else:
        lines.append("What is in it does no harm, but something that would add is left out.")
    raise WrongError(*lines, "Think: every outcome adds p − 2 q to the sum, whatever the others.")


def _response(answer: Any) -> str:
    read = mechanism(answer, 2, 2)
    require_private(read, 3, F(1, 10))
    require_kept(read, 1 - counting.error(2, F(3), F(1, 10)), "value")
    return "Private, and no table for two values errs less."


def _differencing(answer: Any) -> str:
    total = [F(0)] * PEOPLE
    for place, entry in enumerate(listed(answer), start=1):
        pair = listed(entry, f"part {place} of the answer")
        if len(pair) != 2:
            raise UnreadableError(f"Part {place} of the answer should be a weight and a group.")
        weight, group = number(pair[0], "a weight"), subset(pair[1], PEOPLE, "a group")
        if len(group) < LEAST_GROUP:
            raise WrongError(
                f"Group {event_text(group)} has {len(group)} people: the door lets no group below"
                f" {LEAST_GROUP} pass."
            )
        for person in group:
            total[person - 1] += weight
    for person, weight in enumerate(total, start=1):
        wanted = int(person == TARGET)
        if weight != wanted:
            raise WrongError(
                f"Your sum counts person {person} with weight {weight}, not {wanted}.",
                "Think: two groups that differ in one person; then subtract.",
            )
    return "The sum is the secret of person 4 alone, and every group was allowed."


def _reconstruction(answer: Any) -> str:
    bits = vector(answer, PEOPLE)
    for person, bit in enumerate(bits, start=1):
        if bit not in (0, 1):
            raise WrongError(f"Person {person} has the bit {bit}: it is 0 or 1.")
    for group, published in QUERIES:
        count = sum((bits[person - 1] for person in group), F(0))
        if abs(count - published) > F(1, 2):
            raise WrongError(
                f"Your data have the count {count} in the group {event_text(group)}, published as"
                f" {published}: off by {abs(count - published)}, and 1/2 is allowed.",
                "Think: a group that is published near its size, or near zero, says most.",
            )
    return "It agrees with all eight answers, and so few data sets do that most bits are known."


def ratio_of_two(first: Matrix, second: Matrix) -> tuple[F, tuple[int, int]]:
    """Return the largest ratio of row 1 against row 2 of two releases together, and where."""
    found = []
    for i, j in itertools.product(range(first.shape[1]), range(second.shape[1])):
        own, other = first[0][i] * second[0][j], first[1][i] * second[1][j]
        if own or other:  # at δ = 0 both are positive then
            found.append((max(own / other, other / own), (i + 1, j + 1)))
    return max(found)


def _composition(answer: Any) -> str:
    tables = [
        mechanism(part, 2, None, f"the {key} mechanism")
        for key, part in zip(("first", "second"), parts(answer, "first", "second"), strict=True)
    ]
    for name, each in zip(("The first mechanism", "The second mechanism"), tables, strict=True):
        require_private(each, 2, name=name)
    ratio, outcome = ratio_of_two(*tables)
    if ratio <= 3:
        raise WrongError(
            f"Both are (ln 2, 0)-private. Together their largest likelihood ratio is {ratio}, at"
            f" the outcomes {outcome}: not above 3.",
            "Think: ratios of independent releases multiply. Which outcomes use up a factor of 2?",
        )
    return f"The outcomes {outcome} together are {ratio} times as likely in one row: more than 3."


def _group(answer: Any) -> str:
    read = mechanism(answer, 4)
    require_private(read, 2)
    pairs = [
        (read[a][j] / read[b][j], (a + 1, b + 1), j + 1)
        for a, b in ((0, 3), (3, 0))
        for j in range(read.shape[1])
        if read[b][j]
    ]
    ratio, rows, outcome = max(pairs)
    if ratio < 8:
        raise WrongError(
            f"It is (ln 2, 0)-private. Rows {rows[0]} and {rows[1]} differ most at outcome"
            f" {outcome}, by the factor {ratio}: less than 8.",
            "Think: the factor between rows 1 and 4 is the product of three. Are all three 2?",
        )
    return f"Outcome {outcome} reaches the factor 8 = 2³ that three steps allow."


def _sensitivity(answer: Any) -> str:
    if isinstance(answer, Mapping):
        answer = {str(key).replace("_", "-"): value for key, value in answer.items()}
    removed, replaced = parts(answer, "add-remove", "replace-one")
    ends = (LOW, HIGH)
    truths = {
        "add-remove": max(abs(x) for x in ends),
        "replace-one": max(abs(x - y) for x, y in itertools.product(ends, ends)),
    }
    told = {"add-remove": number(removed), "replace-one": number(replaced)}
    for name, value in told.items():
        if value < truths[name]:
            raise WrongError(
                f"For {name} adjacency {value} is too small: some neighbours move the sum further.",
                "Think: which record, at which end, comes, goes or is exchanged?",
            )
        if value > truths[name]:
            raise WrongError(
                f"For {name} adjacency {value} is a bound, but no pair of neighbours attains it.",
                "Think: records are clipped to the interval, and the sum moves by what one is.",
            )
    return "Each is attained: a record at the lower end comes, or goes from one end to the other."


EXERCISES = (
    Exercise(
        "promise-1", 0, "A divergence",
        "Two distributions over three outcomes: p = (9/20, 7/20, 1/5) and q = (1/5, 3/20, 13/20)."
        " What is the least δ with p(U) ≤ 2 q(U) + δ for every event U?",
        "an exact number", "Fraction(1, 20)",
        ("an event is a set of outcomes. Which outcomes make p(U) − 2 q(U) larger?",
         "take each outcome with p > 2 q, and no other: this is the best event.",
         "add p − 2 q over these outcomes; that is the hockey-stick divergence E₂(p ‖ q)."),
        exact_number(
            lambda: hockey_stick(P, Q, 2),
            [Mistake(lambda: hockey_stick(P, Q, 1),
                     "This is the total variation distance: the factor 2 is left out.\n"
                     "Think: which multiple of q(U) does the promise compare with?"),
             Mistake(lambda: hockey_stick(Q, P, 2),
                     "This is the divergence of q from p.\n"
                     "Think: which of the two stands on the left of the promise?"),
             Mistake(lambda: max(a - 2 * b for a, b in zip(P, Q, strict=True)),
                     "This is what the best single outcome needs.\n"
                     "Think: an event may hold several outcomes.")],
            low="It is too small: some event breaks the promise.\n"
                "Think: try all eight events, or only the outcomes with p > 2 q.",
            high="It is large enough, but not the least.\n"
                 "Think: for which event is the promise an equality?",
            praise="The event of all outcomes with p > 2 q attains it.", allowed=(0, 1)),
    ),
    Exercise(
        "promise-2", 0, "The best event",
        "Now p = (1/4, 1/5, 1/5, 1/5, 3/20) and q = (1/10, 1/10, 1/20, 3/10, 9/20). Give an event U"
        " with the largest p(U) − 2 q(U). Outcomes are counted from 1.",
        "a set or list of outcomes from 1 to 5", "{1, 2, 3, 4}",
        ("write p − 2 q below each outcome.",
         "outcomes with a positive difference belong to U, those with a negative one do not.",
         "and one with the difference 0 may be in it or not."),
        _worst_event,
    ),
    Exercise(
        "promise-3", 0, "Two values",
        "A mechanism reads one of two values and publishes one of the same two. Give its table (row"
        " i: the distribution when the value is i) so that it is (ln 3, 1/10)-private and the"
        " larger of its two error probabilities is as small as possible.",
        "a 2 × 2 table of exact numbers", '[["3/4", "1/4"], ["1/4", "3/4"]]',
        ("by symmetry both rows keep their value with one probability x.",
         "two events matter: U = {1} and U = {2}. Write both constraints with x.",
         "x − 3 (1 − x) ≤ 1/10 is an equality for the best x."),
        _response,
    ),
    Exercise(
        "promise-4", 0, "Differencing",
        "Six people each have a secret bit. A server answers exactly how many people of a group"
        " have the bit 1, for any group of at least three. Find groups and weights so that the"
        " weighted sum of the answers is the bit of person 4.",
        "a list of parts [weight, group]", "[[1, [1, 2, 3, 4]], [-1, [1, 2, 4]]]",
        ("one group with person 4, and one without.",
         "the difference of two counts is what the groups do not share.",
         "a group of three others, with person 4 and without."),
        _differencing,
    ),
    Exercise(
        "promise-5", 0, "Reconstruction",
        "The same six people, and this time every published count is wrong by at most 1/2: "
        + "; ".join(f"{event_text(group)}: {published}" for group, published in QUERIES)
        + ". Find six bits that agree with all of it.",
        "a list of six bits", "[0, 0, 0, 1, 1, 1]",
        ("there are 2⁶ data sets: try them all, by hand or with a loop.",
         "a count published as 5/2 is 2 or 3.",
         "group {2, 5, 6} holds at most one 1, and {1, 2, 3} at least two."),
        _reconstruction,
    ),
    Exercise(
        "promise-6", 0, "Two releases are not one",
        "Someone says: 'two (ln 2, 0)-private releases about the same data are together"
        " (ln 3, 0)-private'. Refute it with two mechanisms on two data sets, each a table of two"
        " rows, with independent randomness.",
        "a dictionary with the keys 'first' and 'second', each a table of two rows",
        '{"first": [["1/2", "1/2"], ["1/2", "1/2"]], "second": [["1/2", "1/2"], ["1/2", "1/2"]]}',
        ("the probability of two outcomes together is the product of theirs.",
         "what is the largest ratio that one of them may have at an outcome?",
         "use one and the same mechanism twice."),
        _composition,
    ),
    Exercise(
        "promise-7", 0, "Three steps",
        "Rows 1 to 4 of a table belong to four data sets, each a neighbour of the next. Give a"
        " table that is (ln 2, 0)-private for neighbours and in which some outcome is 8 times as"
        " likely in row 1 as in row 4, or the other way round.",
        "a table of four rows", "[[1, 0], [1, 0], [1, 0], [1, 0]]",
        ("two columns are enough.",
         "let the first column fall by the factor 2 from row to row.",
         "the second column must not rise by more than 2 either: start small enough."),
        _group,
    ),
    Exercise(
        "promise-8", 0, "Which neighbours?",
        f"Records are numbers, clipped to [{LOW}, {HIGH}], and the query is their sum. By how much"
        " can one record move it (a) for add-remove adjacency, (b) for replace-one adjacency?",
        "a dictionary with the keys 'add-remove' and 'replace-one', each an exact number",
        '{"add-remove": 1, "replace-one": 1}',
        ("(a): the sum moves by the record that comes or goes.",
         "the larger end counts by its absolute value.",
         "(b): one record leaves, another comes: the length of the interval."),
        _sensitivity,
    ),
)  # fmt: skip
