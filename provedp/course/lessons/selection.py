"""Lesson 1, continued: the exponential mechanism, sparse vector, and a mechanism of your own."""

from fractions import Fraction as F
from typing import Any

from provedp.course.answers import listed, number, parts, vector
from provedp.course.checks.functions import call
from provedp.course.checks.tables import (
    mechanism,
    require_distribution,
    require_kept,
    require_private,
)
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, WrongError
from provedp.theory.privacy import sparse_vector_epsilon

SCORES, ROOT = (3, 2, 0), F(2)
COUNTS, LEAST_KEPT = 5, F(1, 3)


def _exponential(answer: Any) -> str:
    law = vector(answer, len(SCORES))
    require_distribution(law, "the answer")
    for i in range(len(SCORES) - 1):
        found, wanted = law[i], law[i + 1] * ROOT ** (SCORES[i] - SCORES[i + 1])
        if found == law[i + 1] * ROOT ** (2 * (SCORES[i] - SCORES[i + 1])):
            raise WrongError(
                f"Candidates {i + 1} and {i + 2} have the ratio e^(ε · difference): a factor 1/2 is"
                " missing.",
                "Think: one record may raise one score and lower another.",
            )
        if found != wanted:
            raise WrongError(
                f"Candidates {i + 1} and {i + 2} have the probabilities {law[i]} and {law[i + 1]},"
                f" whose ratio does not fit scores that differ by {SCORES[i] - SCORES[i + 1]}.",
                "Think: weights e^(ε score/2), divided by their sum.",
            )
    return "The weights are 2 to the power of the scores, and the probabilities sum to 1."


def _without_half(answer: Any) -> str:
    first, second = (
        [number(x, "a score") for x in listed(part, f"the {key} list")]
        for key, part in zip(("first", "second"), parts(answer, "first", "second"), strict=True)
    )
    if not 2 <= len(first) == len(second) <= 12:
        raise WrongError(
            f"The lists have {len(first)} and {len(second)} scores: give both the same number,"
            " between 2 and 12."
        )
    for i, (x, y) in enumerate(zip(first, second, strict=True), start=1):
        if x.denominator * y.denominator != 1 or max(abs(x), abs(y)) > 100:
            raise WrongError(f"Score {i} should be a whole number between −100 and 100.")
        if abs(x - y) > 1:
            raise WrongError(
                f"Score {i} moves by {abs(x - y)}: between neighbours it moves by at most 1."
            )
    laws = [[F(2) ** int(x) for x in scores] for scores in (first, second)]
    laws = [[weight / sum(law) for weight in law] for law in laws]
    ratios = [max(p / q, q / p) for p, q in zip(*laws, strict=True)]
    worst = max(ratios)
    if worst <= 2:
        raise WrongError(
            f"Allowed, but the largest ratio is {worst}, for candidate {ratios.index(worst) + 1}:"
            " not above 2.",
            "Think: the sum of the weights moves too. Which way should it move?",
        )
    return f"Candidate {ratios.index(worst) + 1} has the ratio {worst}: more than 2."


def _own_mechanism(answer: Any) -> str:
    if callable(answer):
        rows = [call(answer, i, with_words=f"for the count {i}") for i in range(1, COUNTS + 1)]
    else:
        rows = answer
    read = mechanism(rows, COUNTS, COUNTS, "the table")
    require_private(read, 2, row="count")
    require_kept(read, LEAST_KEPT, stated=True)
    return "Private for all neighbours, and as accurate as asked for."


EXERCISES = (
    Exercise(
        "mechanisms-7", 1, "The exponential mechanism",
        f"Three candidates have the scores {', '.join(map(str, SCORES))}; one record moves each by"
        " at most 1. Give their probabilities under the exponential mechanism with e^(ε/2) = 2.",
        "a list of three exact numbers", '["1/3", "1/3", "1/3"]',
        ("a candidate has the weight e^(ε score/2).",
         "the weights are powers of 2.",
         "divide each by the sum of all three."),
        _exponential,
    ),
    Exercise(
        "mechanisms-8", 1, "Without the half",
        "Someone draws candidates with weights e^(ε score), without the factor 1/2, and says it is"
        " (ε, 0)-private, with e^ε = 2 (weights 2^score). Refute it: give the scores on two"
        " neighbouring data sets, whole numbers of which each moves by at most 1.",
        "a dictionary with the keys 'first' and 'second', each a list of scores",
        '{"first": [0, 0], "second": [1, 1]}',
        ("if only one score moves, the ratio stays within 2. Try it.",
         "numerator and sum should move in opposite directions.",
         "let one score rise and all others fall."),
        _without_half,
    ),
    Exercise(
        "mechanisms-9", 1, "Sparse vector",
        "The sparse vector technique adds Laplace noise of scale 4 to the threshold and of scale 16"
        " to each query (sensitivity 1), and stops after three answers above the threshold. What is"
        " its ε?",
        "an exact number", "Fraction(1, 4)",
        ("the threshold is noised once; only answers above cost for their queries.",
         "a query's noise must cover both the query and the threshold: 2/scale.",
         "1/b + 2 c/b′."),
        exact_number(
            lambda: sparse_vector_epsilon(F(4), F(16), 3),
            [Mistake(lambda: F(3, 8),
                     "This is right if it stops after the first answer above.\n"
                     "Think: how many answers above are paid for?"),
             Mistake(lambda: F(7, 16),
                     "Each answer above is charged 1/16.\n"
                     "Think: threshold and query may move in opposite directions."),
             Mistake(lambda: F(9, 8),
                     "The threshold is charged three times, and it is noised once.\n"
                     "Think: what is drawn again after an answer above, and what is not?")],
            low="It is less than what is spent.\nThink: what does the threshold cost, and what"
                " each answer above?",
            high="It is a bound, but more than what is spent.\nThink: answers below are free.",
            praise="The threshold once, and three answers above."),
    ),
    Exercise(
        "mechanisms-10", 1, "Your own mechanism",
        "Write a mechanism for a count from 1 to 5: a function of the count that returns the list"
        " of the probabilities of publishing 1, …, 5, as exact numbers. It must be (ln 2,"
        " 0)-private for counts that differ by one, and keep every count with probability at least"
        " 1/3.",
        "a function, or the table of its values (five rows)",
        "lambda count: [Fraction(1, 5)] * 5",
        ("geometric noise on a count, and then the nearest number from 1 to 5.",
         "the ends collect the tails.",
         "with q = 1/2 an inner number at distance d has the probability q^d/3, an end 2 q^d/3."),
        _own_mechanism,
    ),
)  # fmt: skip
