"""Lesson 4: what breaks in a published release of a mixture, and what holds."""

import functools
from fractions import Fraction as F
from typing import Any

from flint import arb

from provedp.course.answers import vector
from provedp.course.checks.tables import mechanism, require_kept, require_private
from provedp.course.checks.values import Mistake, exact_number, least_decimal
from provedp.course.exercise import Exercise, WrongError
from provedp.theory import counting, mixture
from provedp.theory.matrices import matrix
from provedp.theory.mixture import LabelledData
from provedp.theory.numbers import ball
from provedp.theory.privacy import gaussian_delta, gaussian_sigma

DELTA = F(2, 10**5)
LABELS, FLIPPED = (0, 0, 0, 0, 1, 1, 1), 3
WEEKS = 4
BEFORE = matrix([[F(1, 4), F(3, 4)], [F(0), F(1)]])  # one output, and all others, on D and on D'
SPREAD = (F(1, 3), F(3))


def _worse_points(answer: Any) -> str:
    points = vector(answer, 7)
    data = LabelledData(matrix([[x] for x in points]), LABELS, 2)
    before, after = (
        mixture.class_covariances(each)[0][0, 0] for each in (data, data.flipped(FLIPPED, 1))
    )
    if before == after:
        raise WrongError(
            f"The variance of class 0 is {before} before the flip and after it.",
            "Think: the fourth point should lie away from the first three.",
        )
    gamma = 2 * 4 * F(1, 10) / 3
    delta = mixture.covariance_increase_delta(abs(after - before), gamma, F(1000), "both")
    if not delta > ball(F(99, 100)):
        raise WrongError(
            f"The variance of class 0 goes from {before} to {after}, and that alone needs"
            f" δ = {float(delta):.4f} at every ε: not yet above 0.99.",
            "Think: there is no bound on the points in the lemma.",
        )
    return f"The variance goes from {before} to {after}: δ = {float(delta):.6f} at every ε."


def _weights(answer: Any) -> str:
    read = mechanism(answer, 7, 7)
    require_private(read, 2, row="histogram")
    require_kept(read, counting.diagonal(7, F(2), F(0)), "histogram", stated=True)
    return "One table for all data: private whatever they are, and no other one keeps more."


@functools.cache
def _squared_shift() -> arb:
    """Return μ² of a release that is (1, δ)-private."""
    sigma = gaussian_sigma(1, DELTA).value
    return 1 / ball(sigma) ** 2


def _is_enough_for_weeks(epsilon: F) -> bool:
    mu = (WEEKS * _squared_shift()).sqrt()
    return bool(gaussian_delta(mu, ball(epsilon)) <= ball(DELTA))


EXERCISES = (
    Exercise(
        "mixture-1", 4, "Worse than seven points",
        "Lemma 2 knows no bound on the records. Find seven numbers, the first four in class 0 and"
        " the others in class 1, so that flipping the label of the fourth gives the release of the"
        " variance of class 0, as the lemma sets it up for ε' = 1/10, a δ above 0.99 at every ε.",
        "a list of seven exact numbers", "[1, 1, 1, -1, 1, 1, 1]",
        ("the four points of the lesson have the variance 1, and 0 after the flip.",
         "multiply all points by B: the variance grows by B².",
         "δ = 1 − e^(−(4/3) B² ε'): choose B so that the exponent exceeds 4.7."),
        _worse_points,
    ),
    Exercise(
        "mixture-2", 4, "Weights that hold",
        "Eight records, two classes: the histograms are (1, 7), …, (7, 1), and a flip moves one"
        " record. Give one 7 × 7 table, its row the true histogram, that is (ln 2, 0)-private for"
        " neighbouring histograms and keeps each with probability at least 4/11.",
        "a 7 × 7 table of exact numbers", '[["1/7"] * 7 for _ in range(7)]',
        ("with two classes a histogram is a count.",
         "lesson 3 has the optimum for seven counts.",
         "weights 2^(−d) with distances around a circle."),
        _weights,
    ),
    Exercise(
        "mixture-3", 4, "Enough smoothing",
        "Before smoothing, one of five possible outputs has the probability 1/4 on D and 0 on D',"
        " and no other has a larger gap. Smoothed, p becomes (1 − λ) p + λ/5. Which is the least λ"
        " for which this output is at most 3 times as likely on D as on D'?",
        "an exact number", "Fraction(1, 10)",
        ("write both smoothed probabilities with λ.",
         "(1 − λ)/4 + λ/5 ≤ 3 λ/5.",
         "collect λ on one side."),
        exact_number(
            lambda: mixture.least_smoothing(BEFORE[0], BEFORE[1], 5, F(3)),
            [Mistake(lambda: F(1, 9), "You mixed with 1 in the place of 1/5.\n"
                     "Think: λ is shared by five outputs."),
             Mistake(lambda: F(5, 17), "λ/5 belongs to the probability on D too.\n"
                     "Think: what is the smoothed probability on D?")],
            low="It is too small: on D' the output is rarer than a third of what it is on D.\n"
                "Think: write both smoothed probabilities with your λ.",
            high="It is enough, but not the least.\nThink: for which λ is the ratio 3 exactly?",
            praise="The ratio is 3 exactly: most of what was optimised is thrown away.",
            allowed=(0, 1)),
    ),
    Exercise(
        "mixture-4", 4, "What Lemma 2 gives away",
        "On the line, class 0 has five records; a flip lowers its variance from 5/4 to 0. The noise"
        " is an exponential variable of rate γ/2, with the γ that Lemma 2 allows for ε' = 2/5:"
        " 3 γ = 2 · 5 · ε'. At every ε, δ is at least 1 − e^(−x). What is x?",
        "an exact number", "Fraction(1, 1)",
        ("the noise is never negative: what is released on D is at least 5/4.",
         "on D' it is below 5/4 with probability 1 − e^(−rate · 5/4).",
         "the rate is γ/2."),
        exact_number(
            lambda: F(5, 4) * (2 * 5 * F(2, 5) / 3) / 2,
            [Mistake(lambda: F(5, 3), "The rate is γ/2, not γ.\nThink: the noise is χ²₂/γ."),
             Mistake(lambda: F(2, 3), "This is the rate for a variance that falls by 1."),
             Mistake(lambda: F(5, 8), "γ is missing.\nThink: which γ does the lemma allow?"),
             Mistake(lambda: F(2, 5), "This is ε'.\nThink: what is impossible on D, and how likely"
                     " is it on D'?")],
            low="It is too small: more is impossible on D.\n"
                "Think: how likely is noise below 5/4?",
            high="It is too large.\nThink: how likely is noise below 5/4, at the rate γ/2?",
            praise="No ε helps: an event of probability zero on D has this one on D'."),
    ),
    Exercise(
        "mixture-5", 4, "How far moments move",
        "A record x with ‖x‖² = B²/2 adds (1, x/B, x xᵀ/B²) to the moments of its class. Its label"
        " flips. What is the squared length of the move of all moments of both classes?",
        "an exact number", "Fraction(1, 1)",
        ("the vector leaves one class and joins another.",
         "with r = ‖x‖²/B² its squared length is 1 + r + r².",
         "two classes change, at right angles: twice that."),
        exact_number(
            lambda: 2 * (1 + F(1, 2) + F(1, 4)),
            [Mistake(lambda: F(7, 4), "This is the move in one class.\n"
                     "Think: where does the record go?"),
             Mistake(lambda: F(6), "This is the worst record, on the border of the ball."),
             Mistake(lambda: F(7), "You added lengths; the two moves are at right angles.\n"
                     "Think: squares add up."),
             Mistake(lambda: F(4), "x xᵀ has the squared norm ‖x‖⁴, not ‖x‖².")],
            low="It is too small.\nThink: three parts, two classes.",
            high="It is too large.\nThink: three parts, two classes.",
            praise="Two vectors at right angles, each with the squared length 1 + r + r²."),
    ),
    Exercise(
        "mixture-6", 4, "Four weeks",
        "An owner releases Iris every week for four weeks with Gaussian noise, each release as"
        " much as (1, 2 · 10⁻⁵)-privacy allows. Give the least ε of all four together at"
        " δ = 2 · 10⁻⁵, to two places (rounded up).",
        "a decimal number; a float counts as the decimal that Python prints", "4.0",
        ("basic composition says 4, and its δ is four times as large.",
         "Gaussian releases with the shift μ are together one with the shift 2 μ.",
         "find μ of one release with `gaussian_sigma(1, 2e-5)`, double it, bisect the profile."),
        least_decimal(
            _is_enough_for_weeks,
            short=lambda epsilon: "It is too small: at this ε the four releases need a δ of more"
            " than 2 · 10⁻⁵.\nThink: what is the shift of the four together?",
            long="It holds, but a smaller ε does too.\n"
                 "Think: noise adds up like a square root.",
            praise="Much less than 4.",
            mistakes=[Mistake(lambda: F(4), "This is basic composition, and it needs four times the"
                              " δ.\nThink: four Gaussian releases are one Gaussian release.")]),
    ),
    Exercise(
        "mixture-7", 4, "The measure's choice",
        "On the line an eigenvalue σ² of the fit is 1/3 or 3, each with probability 1/2. Which"
        " released variance v makes the expected divergence KL(N(0, v) ‖ N(0, σ²)) least?",
        "an exact number", "Fraction(1, 1)",
        ("KL = (v/σ² − 1 − ln(v/σ²))/2.",
         "its derivative in v is (E[1/σ²] − 1/v)/2.",
         "1/v is the mean of 1/σ²."),
        exact_number(
            lambda: 2 / sum((1 / x for x in SPREAD), F(0)),
            [Mistake(lambda: sum(SPREAD, F(0)) / 2, "This is best for the divergence from the fit,"
                     " KL(N(0, σ²) ‖ N(0, v)).\nThink: which one is the release?"),
             Mistake(lambda: F(1), "This is the geometric mean.\n"
                     "Think: the derivative of v/σ² − ln v, averaged.")],
            low="There the derivative is negative: a larger v is better.\n"
                "Think: the derivative of v/σ² − ln v, averaged.",
            high="There the derivative is positive: a smaller v is better.\n"
                 "Think: the derivative of v/σ² − ln v, averaged.",
            praise="The harmonic mean: too narrow is cheap in this measure."),
    ),
)  # fmt: skip
