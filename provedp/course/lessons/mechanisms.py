"""Lesson 1: randomised response, geometric, Laplace and Gaussian noise."""

from fractions import Fraction as F

from flint import arb

from provedp.course.checks.values import Mistake, exact_number, least_decimal
from provedp.course.exercise import Exercise
from provedp.theory import counting
from provedp.theory.numbers import ball
from provedp.theory.privacy import (
    classical_sigma,
    gaussian_delta,
    geometric_delta,
    subsampled_ratio,
)

VISITS, EPSILON = 7, F(2, 5)
HALF, SMALL = F(1, 2), F(1, 10**5)


def _is_gaussian_enough(sigma: F) -> bool:
    return bool(gaussian_delta(1 / ball(sigma), ball(HALF)) <= ball(SMALL))


def _classical() -> F:
    constant = arb(F(5, 4).numerator) / F(5, 4).denominator
    exact = classical_sigma(ball(HALF), ball(SMALL), arb(1), constant)
    return F(round(100 * float(exact)), 100)


EXERCISES = (
    Exercise(
        "mechanisms-1", 1, "Five answers",
        "Randomised response with five possible answers gives the true one with probability p, and"
        " each of the four others with the same probability. Which is the largest p for which it is"
        " (ln 3, 0)-private?",
        "an exact number", "Fraction(1, 2)",
        ("compare what one answer's probability is when it is true, and when it is not.",
         "the ratio of the two may be 3, not more.",
         "p = 3 s and p + 4 s = 1, where s is the probability of one wrong answer."),
        exact_number(
            lambda: counting.response_entry(5, F(3), True),
            [Mistake(lambda: F(3, 4),
                     "This is p for two answers.\nThink: how many wrong answers share the rest?"),
             Mistake(lambda: F(3, 8),
                     "The probabilities 3 : 1 : 1 : 1 : 1 do not sum to 8.\n"
                     "Think: how many answers are wrong, and how many right?"),
             Mistake(lambda: F(1, 5),
                     "Then every answer is as likely as any other: private, and useless.")],
            low="It is private, but a larger p is as well.\n"
                "Think: what is the ratio p / s, with s = (1 − p)/4?",
            high="It is not private: p over (1 − p)/4 exceeds 3.\n"
                 "Think: what is left for one wrong answer?",
            praise="The ratio is 3 exactly.", allowed=(0, 1)),
    ),
    Exercise(
        "mechanisms-2", 1, "Geometric noise",
        "One person changes an integer sum by at most 3. Noise n has the distribution"
        " (1 − q)/(1 + q) · q^|n|. What is the least q for which the noisy sum is"
        " (ln 27/8, 0)-private?",
        "an exact number", "Fraction(1, 2)",
        ("by which factor does the probability of an output change if the sum moves by 1?",
         "by 1/q for each step, so by q⁻³ for three.",
         "q⁻³ = 27/8."),
        exact_number(
            lambda: F(2, 3),
            [Mistake(lambda: F(8, 27),
                     "This is right for a sum that moves by 1.\nThink: here it may move by 3."),
             Mistake(lambda: F(3, 2),
                     "That is more than 1, and the probabilities would not have a finite sum.\n"
                     "Think: is it q, or 1/q?"),
             Mistake(lambda: F(8, 9),
                     "The factor for three steps is a power, not a product with 3.")],
            low="It is too small: the noise falls off too steeply.\n"
                "Think: compare q⁻³ with 27/8.",
            high="It is private, but a smaller q, hence less noise, is enough.\n"
                 "Think: compare q⁻³ with 27/8.",
            praise="The factor over three steps is 27/8 exactly.", allowed=(0, None)),
    ),
    Exercise(
        "mechanisms-3", 1, "The scale of Laplace noise",
        f"A shop counts visits; one customer comes at most {VISITS} times. Which scale of Laplace"
        f" noise makes the count ({EPSILON}, 0)-private (the least one)?",
        "an exact number", "Fraction(1, 2)",
        ("two things matter: how far one customer moves the count, and ε.",
         "the scale is in units of visits.",
         "scale = sensitivity / ε."),
        exact_number(
            lambda: VISITS / EPSILON,
            [Mistake(lambda: 1 / EPSILON,
                     f"This protects one visit, not a customer with {VISITS}.\n"
                     "Think: what does one person change at most?"),
             Mistake(lambda: VISITS * EPSILON,
                     "With this scale a smaller ε would mean less noise.\n"
                     "Think: on which side of the fraction does ε stand?"),
             Mistake(lambda: EPSILON / VISITS, "It is upside down.\n"
                     "Think: should more visits mean more or less noise?")],
            low="It is too small: e^(sensitivity / scale) exceeds e^ε.\n"
                "Think: what are sensitivity and ε here?",
            high="It is private, but less noise is enough.\n"
                 "Think: for which scale is e^(sensitivity / scale) equal to e^ε?",
            praise="A customer changes the density by the factor e^ε at most, and attains it."),
    ),
    Exercise(
        "mechanisms-4", 1, "A profile",
        "Geometric noise with q = 1/2 on a count that moves by 1. What is the least δ at"
        " e^ε = 3/2?",
        "an exact number", "Fraction(1, 3)",
        ("the best event collects the outputs n with P(n) > 3/2 · P(n − 1).",
         "these are all outputs on one side: there the ratio is 2.",
         "δ = P(N ≤ 0) − 3/2 · P(N ≤ −1), with P(N ≤ 0) = 1/(1 + q)."),
        exact_number(
            lambda: geometric_delta(F(3, 2), F(1, 2), 1),
            [Mistake(lambda: geometric_delta(F(1), F(1, 2), 1),
                     "This is δ at ε = 0, the total variation distance.\n"
                     "Think: where does the factor 3/2 come in?"),
             Mistake(lambda: F(0),
                     "δ = 0 would need e^ε = 2.\nThink: what is the ratio of P(n) and P(n − 1)?")],
            low="It is too small: a half-line of outputs breaks the promise.\n"
                "Think: add P(n) − 3/2 · P(n − 1) over a half-line.",
            high="It is enough, but not the least.\n"
                 "Think: which outputs have P(n) > 3/2 · P(n − 1)? Add up these, and no others.",
            praise="One half-line collects all of it.", allowed=(0, 1)),
    ),
    Exercise(
        "mechanisms-5", 1, "Gaussian noise, and no more",
        "Gaussian noise on a number that moves by 1 is to be (1/2, 10⁻⁵)-private. Give the least"
        " standard deviation, to two places (rounded up).",
        "a decimal number; a float counts as the decimal that Python prints", "5.0",
        ("the classical formula √(2 ln(1.25/δ))/ε is enough, and too much.",
         "the exact profile is Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ) with μ = 1/σ.",
         "`provedp.theory.privacy.gaussian_sigma` solves it; or bisect the profile yourself."),
        least_decimal(
            _is_gaussian_enough,
            short=lambda sigma: "It is too small: at ε = 1/2 the least δ is"
            f" {float(gaussian_delta(1 / float(sigma), 0.5)):.3g}, more than 10⁻⁵.\n"
            "Think: more noise, or is the factor e^ε missing in your profile?",
            long="It is enough, but more noise than needed.\n"
                 "Think: a formula that is only sufficient is not the least.",
            praise="One hundredth less would not be enough.",
            mistakes=[Mistake(_classical,
                              "This is the classical formula: enough, but a bound only.\n"
                              "Think: which δ does it really have? Solve the exact profile.")]),
    ),
    Exercise(
        "mechanisms-6", 1, "A sample first",
        "Each record is kept with probability 1/8, and a mechanism that is (ln 3, 0)-private (for"
        " add-remove adjacency) sees only what is kept. For which least k is all of it"
        " (ln k, 0)-private, whatever the mechanism?",
        "an exact number", "Fraction(3, 1)",
        ("with probability 7/8 the record is not there at all.",
         "an output has the probability (1 − r) Q + r P, with P ≤ 3 Q.",
         "divide by Q: 1 − r + 3 r."),
        exact_number(
            lambda: subsampled_ratio(F(3), F(1, 8)),
            [Mistake(lambda: F(3, 8),
                     "e^ε below 1 is impossible: two equal probabilities have the ratio 1.\n"
                     "Think: what happens when the record is not in the sample?"),
             Mistake(lambda: F(11, 8),
                     "You added 3 r to 1.\nThink: with probability r the ratio 1 is replaced."),
             Mistake(lambda: F(3), "This is the ratio without the sample.\n"
                     "Think: how often does the mechanism see the record?")],
            low="It is too small: some (ln 3, 0)-private mechanism exceeds it.\n"
                "Think: mix P and Q with the weights 1/8 and 7/8.",
            high="It holds, but a smaller k does too.\n"
                 "Think: mix P and Q with the weights 1/8 and 7/8.",
            praise="(1 − r) + 3 r, and randomised response attains it."),
    ),
)  # fmt: skip
