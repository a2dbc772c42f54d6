"""Lesson 2: what several releases cost together."""

import math
from fractions import Fraction as F
from typing import Any

from provedp.course.answers import whole
from provedp.course.checks.tables import mechanism, require_private
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, WrongError
from provedp.theory.matrices import matrix
from provedp.theory.numbers import ball, rational
from provedp.theory.privacy import (
    advanced_composition_epsilon,
    exact_composition_delta,
    group_delta,
    hockey_stick,
    optimal_composition_delta,
    renyi_power_sum,
    subsampled_ratio,
)

P, Q = matrix([[F(3, 5), F(3, 10), F(1, 10)], [F(1, 5), F(2, 5), F(2, 5)]])
SHIFTS = (F(3, 5), F(4, 5), F(12, 5))
TENTH, SLACK = F(1, 10), F(1, 10**5)
MOST_ROUNDS = 10**6


def is_advanced_better(rounds: int) -> bool:
    """Return whether advanced composition promises a smaller ε than adding up."""
    advanced = advanced_composition_epsilon(rounds, ball(TENTH), ball(SLACK))
    return bool(advanced < rounds * ball(TENTH))


def _rounds(answer: Any) -> str:
    rounds = whole(answer)
    if not 1 <= rounds <= MOST_ROUNDS:
        raise WrongError(f"A number of releases from 1 to {MOST_ROUNDS} is wanted. Got {rounds}.")
    advanced = advanced_composition_epsilon(rounds, ball(TENTH), ball(SLACK))
    if not is_advanced_better(rounds):
        raise WrongError(
            f"At {rounds} releases advanced composition says ε = {float(advanced):.4f}, and adding"
            f" up says {float(rounds * TENTH):.4f}: no gain yet.",
            "Think: one term of advanced composition grows like the root of the number.",
        )
    if rounds > 1 and is_advanced_better(rounds - 1):
        raise WrongError(
            f"At {rounds} releases it is smaller indeed, but so it is at {rounds - 1}.",
            "Think: how far down can you go?",
        )
    return "And with one release fewer, adding up is still the better bound."


def _length(shifts: tuple[F, ...]) -> F:
    """Return the length of a vector whose squared length is the square of a fraction."""
    square = sum((x * x for x in shifts), F(0))
    return F(math.isqrt(square.numerator), math.isqrt(square.denominator))


def _twice(answer: Any) -> str:
    read = mechanism(answer, 2)
    require_private(read, 2, F(1, 10))
    single = max(hockey_stick(read[a], read[1 - a], F(2)) for a in (0, 1))
    orders = [[(read[a], read[1 - a])] * 2 for a in (0, 1)]
    twice = max(rational(exact_composition_delta(pairs, F(4))) for pairs in orders)
    most = optimal_composition_delta(2, F(2), F(1, 10), F(4))
    if twice < rational(most):
        raise WrongError(
            f"One run has δ = {single} at e^ε = 2, and two runs together have δ = {twice} at"
            " e^ε = 4. Some (ln 2, 1/10)-private mechanism reaches more.",
            "Think: with probability 1/10 give everything away, and otherwise use up the factor 2.",
        )
    return "Two runs reach the largest δ that is possible, and it is less than twice 1/10."


EXERCISES = (
    Exercise(
        "composition-1", 2, "Two bits, twice",
        "Randomised response keeps a bit with probability 2/3, so it is (ln 2, 0)-private. Run it"
        " twice on the same bit. What is the least δ of both answers together at e^ε = 3?",
        "an exact number", "Fraction(1, 3)",
        ("four outcomes: two right, one of each (twice), two wrong.",
         "which of them is more than three times as likely for one bit as for the other?",
         "only two right answers: (2/3)² against (1/3)²."),
        exact_number(
            lambda: optimal_composition_delta(2, F(2), F(0), F(3)),
            [Mistake(lambda: F(0), "δ = 0 needs e^ε = 4, the product of the ratios.\n"
                     "Think: how likely are two equal answers, for either bit?"),
             Mistake(lambda: F(1, 3), "This is the δ of one run at ε = 0.\n"
                     "Think: list the four outcomes of two runs with their probabilities."),
             Mistake(lambda: optimal_composition_delta(2, F(2), F(0), F(2)),
                     "This is δ at e^ε = 2.\nThink: the question is about e^ε = 3.")],
            low="It is too small: some outcome of two runs needs more.\n"
                "Think: which outcome has the largest ratio, and what does it leave?",
            high="It is enough, but not the least.\n"
                 "Think: an outcome counts only if its ratio exceeds 3.",
            praise="Only two equal answers have a ratio above 3.", allowed=(0, 1)),
    ),
    Exercise(
        "composition-2", 2, "When is it worth it?",
        "Advanced composition: T releases that are (1/10, 0)-private are (ε_T, 10⁻⁵)-private with"
        " ε_T = √(2 T ln 10⁵) ε + T ε (e^ε − 1), ε = 1/10. What is the least T at which ε_T is"
        " smaller than T ε?",
        "a whole number", "10",
        ("divide both sides by T ε.",
         "√(2 ln 10⁵ / T) + e^ε − 1 < 1.",
         "T > 2 ln 10⁵ / (2 − e^ε)²."),
        _rounds,
    ),
    Exercise(
        "composition-3", 2, "Gaussian releases",
        "Three Gaussian releases move by 3/5, 4/5 and 12/5 standard deviations. Together they are"
        " as private as one that moves by how many?",
        "an exact number", "Fraction(4, 1)",
        ("the three are one Gaussian vector with independent entries.",
         "only the length of the shift matters.",
         "add the squares, take the root."),
        exact_number(
            lambda: _length(SHIFTS),
            [Mistake(lambda: sum(SHIFTS, F(0)),
                     "That is the sum.\nThink: in which direction does a vector move whose entries"
                     " move by these?"),
             Mistake(lambda: sum((x * x for x in SHIFTS), F(0)),
                     "That is the squared length.\nThink: in which unit is the shift?"),
             Mistake(lambda: max(SHIFTS), "The other two releases tell something as well.")],
            low="It is too small: the three together tell more.\nThink of a right angle.",
            high="It is a bound, but more than is spent.\nThink of a right angle.",
            praise="The length of the vector (3/5, 4/5, 12/5)."),
    ),
    Exercise(
        "composition-4", 2, "Concentrated",
        "Sixteen Gaussian releases of a number that moves by 1, each with σ = 5. For which least ρ"
        " are all of them together ρ-zCDP?",
        "an exact number", "Fraction(1, 5)",
        ("one Gaussian release is μ²/2-zCDP, with μ = sensitivity/σ.",
         "ρ adds up.", "16 · (1/5)²/2."),
        exact_number(
            lambda: 16 * F(1, 5) ** 2 / 2,
            [Mistake(lambda: F(1, 50), "This is ρ of one release.\nThink: ρ adds up."),
             Mistake(lambda: F(16, 25), "The factor 1/2 of μ²/2 is missing."),
             Mistake(lambda: F(8, 5), "σ should be squared: ρ = μ²/2 with μ = 1/5.")],
            low="It is too small.\nThink: what is ρ of one release, and how many are there?",
            high="It is a bound, but not the least.\n"
                 "Think: what is ρ of one release, and how do they add up?",
            praise="Sixteen times μ²/2."),
    ),
    Exercise(
        "composition-5", 2, "A power sum",
        "p = (3/5, 3/10, 1/10) and q = (1/5, 2/5, 2/5). The Rényi divergence of order 2 of p from q"
        " is ln S. What is S?",
        "an exact number", "Fraction(1, 2)",
        ("S is the expectation of p/q under p.",
         "S = Σ p²/q.", "9/5 is the first of three terms."),
        exact_number(
            lambda: renyi_power_sum(P, Q, 2),
            [Mistake(lambda: renyi_power_sum(Q, P, 2),
                     "This is the divergence of q from p.\nThink: which one is squared?"),
             Mistake(lambda: renyi_power_sum(P, Q, 3), "This is the sum of order 3."),
             Mistake(lambda: sum((x * x for x in P), F(0)), "Where is q?\nThink: Σ p^α q^(1 − α)."),
             Mistake(lambda: F(1), "Order 1 gives 1 for all p and q.\nThink: α = 2.")],
            low="It is too small.\nThink: Σ p^α q^(1 − α) with α = 2, three terms.",
            high="It is too large.\nThink: Σ p^α q^(1 − α) with α = 2, three terms.",
            praise="Three terms p²/q."),
    ),
    Exercise(
        "composition-6", 2, "A family",
        "A mechanism is (ln 2, 1/100)-private for one person. Which δ does this guarantee for three"
        " people at once, at e^ε = 8?",
        "an exact number", "Fraction(1, 100)",
        ("go from one data set to the other in three steps.",
         "P(U) ≤ 2 (2 (2 P‴(U) + δ) + δ) + δ.", "δ (1 + 2 + 4)."),
        exact_number(
            lambda: group_delta(F(2), F(1, 100), 3),
            [Mistake(lambda: F(3, 100), "δ does not just add up.\n"
                     "Think: the δ of a later step is multiplied by the ratios of the earlier."),
             Mistake(lambda: F(8, 100), "δ is not multiplied by the whole ratio.\n"
                     "Think: write the three inequalities below each other."),
             Mistake(lambda: F(1, 10**6), "δ grows with a group, it does not shrink.")],
            low="It is too small for what follows from the three inequalities.\n"
                "Think: write them below each other.",
            high="It holds, but a smaller one follows.\nThink: put one inequality into the next.",
            praise="Three inequalities, one put into the next.", allowed=(0, 1)),
    ),
    Exercise(
        "composition-7", 2, "The worst mechanism",
        "Find a mechanism on two data sets (a table of two rows) that is (ln 2, 1/10)-private and"
        " whose two independent runs have the largest possible δ at e^ε = 4 among all such"
        " mechanisms.",
        "a table of two rows", '[["2/3", "1/3"], ["1/3", "2/3"]]',
        ("with two outcomes it does not work: try four.",
         "two outcomes give the data set away, each with probability 1/10 in its row.",
         "the other two share 9/10 as randomised response does."),
        _twice,
    ),
    Exercise(
        "composition-8", 2, "Sample and repeat",
        "A (ln 2, 0)-private mechanism runs five times, each time on a new sample that holds each"
        " record with probability 1/10 (add-remove adjacency). Basic composition: for which k are"
        " all five (ln k, 0)-private?",
        "an exact number", "Fraction(2, 1)",
        ("what does the sample make of one run?", "1 − r + 2 r with r = 1/10.",
         "five such ratios multiply."),
        exact_number(
            lambda: subsampled_ratio(F(2), F(1, 10)) ** 5,
            [Mistake(lambda: F(41, 10), "You composed first and sampled once.\n"
                     "Think: each run has a sample of its own."),
             Mistake(lambda: F(32), "This is without samples."),
             Mistake(lambda: F(11, 10), "This is one run."),
             Mistake(lambda: F(3, 2), "Ratios multiply, their excesses do not add up.")],
            low="It is too small.\nThink: the ratio of one run, and then five of them.",
            high="It is a bound, but basic composition gives less.\n"
                 "Think: the ratio of one run, and then five of them.",
            praise="A fifth power."),
    ),
)  # fmt: skip
