"""Lesson 5: a false lemma, an error measure that forgives, and what noise does to peaks."""

import itertools
from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

from flint import arb

from provedp.course.answers import LARGEST, decimal, listed, vector
from provedp.course.checks.values import Mistake, exact_number, least_decimal
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.theory import modes
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field, ball
from provedp.theory.privacy import gaussian_delta
from provedp.verify.claims.modes.instances.pools import saturated

RECORDS = 1000
CORNERS = tuple(itertools.product((F(-3), F(3)), repeat=2))
BEST = F(15, 10**4)
DELTA, BANDWIDTH, STEP = F(1, 10**6), F(6, 5), F(1, 100)
REFERENCE, ESTIMATE = (F(0), F(3)), (F(1, 2), F(5, 2), F(4))
KERNEL_WIDTH = F(3, 4)
MOMENTS = {0: F(1), 2: F(1), 4: F(3)}  # of the Gaussian density


def column(values: Sequence[F]) -> Matrix:
    """Return points on the line, one a row."""
    return matrix([[value] for value in values])


def over_bound(gap: F) -> arb:
    """Return how far three starts move, over the bound of Lemma 3."""
    pool = saturated(RECORDS, gap=gap)
    bound = modes.joint_sensitivity(F(1), 1, pool.clip, pool.floor)
    return ball(pool.score_shift() * pool.m / bound)


def _close_starts(answer: Any) -> str:
    gap = decimal(answer)
    if not 0 < gap <= 1:
        raise WrongError(f"The distance should be above 0 and at most 1. Got {gap}.")
    moved = over_bound(gap)
    if not moved > 1:
        raise WrongError(
            f"At {gap} the starts move by {float(moved):.4f} times the bound: it holds there.",
            "Think: the nearer the starts, the more their noise is the same.",
        )
    beyond = over_bound(gap + STEP)
    if beyond > 1:
        raise WrongError(
            f"At {gap} the move is {float(moved):.4f} times the bound, and a hundredth further"
            f" still {float(beyond):.4f} times.",
            "Think: how far apart may they be before the bound holds?",
        )
    return f"The move is {float(moved):.4f} times the bound, and a hundredth further within it."


def _pleasing(answer: Any) -> str:
    points = []
    for place, entry in enumerate(listed(answer), start=1):
        pair = listed(entry, f"point {place}")
        if len(pair) != 2:
            raise UnreadableError(f"Point {place} should have two coordinates, not {len(pair)}.")
        points.append([decimal(x, f"a coordinate of point {place}") for x in pair])
    for place, (x, y) in enumerate(points, start=1):
        if max(abs(x), abs(y)) > 6:
            raise WrongError(f"Point {place}, ({x}, {y}), is outside the box [−6, 6]².")
        for a, b in CORNERS:
            if (x - a) ** 2 + (y - b) ** 2 <= F(1, 100) ** 2:
                raise WrongError(
                    f"Point {place}, ({x}, {y}), is within 0.01 of the corner ({a}, {b})."
                )
    found = modes.matching_error(matrix(CORNERS, Field.FLOAT), matrix(points, Field.FLOAT))
    if not found < BEST:
        raise WrongError(
            f"Your {len(points)} points have the error {float(found):.5f}: not below"
            f" {float(BEST)}.",
            "Think: by what is the sum divided? What do points cost that match nothing?",
        )
    return f"{len(points)} points that know nothing have the error {float(found):.5f}."


def _is_visible(epsilon: F) -> bool:
    """Return whether the peak is four deviations of the noise high at ε.

    Then √2 z/(2π h²) is at most a quarter of the height: z is so small, or smaller.
    """
    square = ball(BANDWIDTH) ** 2
    height = RECORDS / (8 * arb.pi() * (1 + square))
    most = height / 4 * 2 * arb.pi() * square / arb(2).sqrt()
    return bool(gaussian_delta(1 / most, ball(epsilon)) <= ball(DELTA))


def _forgiven(answer: Any) -> str:
    found = vector(answer)
    modes_ = [F(-2), F(1), F(5)]
    error = modes.matching_error(column(modes_), column(found))
    if error > 0:
        raise WrongError(
            f"It has the error {error}, not 0.", "Think: what must hold of a point that matches?"
        )
    if len(found) >= len(modes_):
        raise WrongError(
            f"It has the error 0, and {len(found)} points: no mode is missing.",
            "Think: the question asks for one that misses some.",
        )
    return f"{len(modes_) - len(found)} of three modes missing, and an error of 0."


def _kernel(answer: Any) -> str:
    a, b = vector(answer, 2)
    for power, wanted, name in ((0, 1, "integral"), (2, 0, "second moment")):
        moment = a * MOMENTS[power] + b * MOMENTS[power + 2]
        if moment != wanted:
            raise WrongError(
                f"Its {name} is {moment}, not {wanted}.",
                "Think: under φ the moments of u⁰, u², u⁴ are 1, 1, 3.",
            )
    return "Integral 1 and second moment 0: the bias of order h² is gone."


def _worst_order() -> F:
    pairs = zip(REFERENCE, reversed(ESTIMATE[:2]), strict=True)
    return sum(((x - y) ** 2 for x, y in pairs), F(0)) / 3


EXERCISES = (
    Exercise(
        "modes-1", 5, "How close?",
        f"Three starts stand at −s, 0 and s; {RECORDS} records, of which one moves, are those of"
        " `saturated(1000, gap=s)` in the lesson. Find the largest s, to two places (rounded"
        " down), at which the scores move by more than Lemma 3's bound.",
        "a decimal number; a float counts as the decimal that Python prints", "0.5",
        ("the lesson's function `over_bound` gives the move over the bound.",
         "it falls as s grows: bisect.",
         "for many records the move has the squared length 4 A² coth(s)/p_floor²."),
        _close_starts,
    ),
    Exercise(
        "modes-2", 5, "Pleasing a measure",
        "The four true modes are the corners (±3, ±3). Give points in the box [−6, 6]², made"
        " without data, none within 0.01 of a corner, whose matching error (14) is below 0.0015.",
        "a list of pairs of decimals; floats count as the decimals that Python prints",
        "[[2.9, 2.9], [-2.9, 2.9], [2.9, -2.9], [-2.9, -2.9]]",
        ("the sum of squared distances is divided by the larger number of modes.",
         "points without a partner add nothing to the sum.",
         f"a fine grid; at most {LARGEST} points are read."),
        _pleasing,
    ),
    Exercise(
        "modes-3", 5, "When do modes appear?",
        "A corner's peak is n/(8 π (1 + h²)) high, the noise of the released field has the"
        " deviation √2 z/(2 π h²), with z the least Gaussian noise for (ε, 10⁻⁶) and a number that"
        " moves by 1. For n = 1000 and h = 1.2, what is the least ε, to two places (rounded up), at"
        " which the peak is four deviations high?",
        "a decimal number; a float counts as the decimal that Python prints", "0.5",
        ("`gaussian_sigma(ε, 1e-6)` gives z.",
         "compute the height in deviations for a few ε.",
         "it grows with ε: bisect."),
        least_decimal(
            _is_visible,
            short=lambda epsilon: "At this ε the noise is still too high: the peak stands less than"
            " four deviations high.\nThink: is √2 in your noise, and the least z?",
            long="The peak is four deviations high, but it is so at a smaller ε already.\n"
                 "Think: bisect; and use the least z, not the classical formula.",
            praise="A hundredth less, and the peak would be lower."),
    ),
    Exercise(
        "modes-4", 5, "An error by hand",
        "True modes 0 and 3; found modes 1/2, 5/2 and 4. What is the matching error (14): squared"
        " distances under the best one-to-one matching, over the larger number of modes?",
        "an exact number", "Fraction(1, 1)",
        ("each true mode gets one found mode.",
         "0 with 1/2, and 3 with the nearest of the rest.",
         "the larger of the two numbers of modes is three."),
        exact_number(
            lambda: modes.matching_error(column(REFERENCE), column(ESTIMATE)),
            [Mistake(lambda: F(1, 4), "You divided by the number of true modes."),
             Mistake(lambda: F(1, 2), "This is a sum, or a mode without a partner is charged.\n"
                     "Think: what does (14) divide by, and what do leftovers cost?"),
             Mistake(_worst_order, "That matching is not the best."),
             Mistake(lambda: F(1, 3), "Distances are squared.")],
            low="It is too small.\nThink: two squared distances, and what they are divided by.",
            high="It is too large.\nThink: which matching, and what does (14) divide by?",
            praise="The mode at 4 matches nothing, and makes the error smaller."),
    ),
    Exercise(
        "modes-5", 5, "Forgiven",
        "True modes −2, 1 and 5. Find a list with the matching error (14) equal to 0 that misses at"
        " least one of them.",
        "a list of exact numbers", "[-2, 1, 5]",
        ("a mode without a partner costs nothing.", "one point can be enough.",
         "take one true mode."),
        _forgiven,
    ),
    Exercise(
        "modes-6", 5, "One peak or two",
        f"Two records, smoothed with a Gaussian kernel of bandwidth {KERNEL_WIDTH}. What is the"
        " largest distance of the two at which the density has one mode only?",
        "an exact number", "Fraction(1, 2)",
        ("look at the middle between the records: maximum or minimum?",
         "the second derivative there has the sign of a²/h² − 1, with records at ±a.",
         "it changes at a = h, and the distance is 2 a."),
        exact_number(
            lambda: 2 * KERNEL_WIDTH,
            [Mistake(lambda: KERNEL_WIDTH, "This is the distance from the middle to one record."),
             Mistake(lambda: 2 * KERNEL_WIDTH**2, "The units do not fit: a distance is a length.")],
            low="There is one mode there, and at a larger distance as well.\n"
                "Think: the second derivative in the middle.",
            high="There the middle is a minimum, between two modes.\n"
                 "Think: the second derivative in the middle.",
            praise="Beyond twice the bandwidth the middle is a minimum."),
    ),
    Exercise(
        "modes-7", 5, "A kernel of higher order",
        "Find a and b such that the kernel (a + b u²) φ(u), φ the standard normal density, has the"
        " integral 1 and the second moment 0.",
        "a list of two exact numbers", "[1, 0]",
        ("the moments of φ: 1, 1 and 3 for u⁰, u² and u⁴.",
         "two linear equations: a + b = 1 and a + 3 b = 0.",
         "subtract the first from the second."),
        _kernel,
    ),
)  # fmt: skip
