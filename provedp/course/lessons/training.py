"""Lesson 8: what one training shows of its privacy, and what its accountant must not say."""

import functools
import math
from collections.abc import Callable
from fractions import Fraction as F
from math import comb
from typing import Any

from provedp.course.answers import decimal, listed, vector
from provedp.course.checks.tables import require_distribution
from provedp.course.checks.values import Mistake, exact_number, least_decimal
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.theory.privacy import gaussian_delta, group_delta, one_run_bound
from provedp.theory.privacy import one_run_published_bound as published_bound
from provedp.verify.accounting.composition import Accounted, compose
from provedp.verify.accounting.releases import PoissonSampledGaussian
from provedp.verify.audit.canaries.bounds import Guesses, p_value_of
from provedp.verify.notions.profile import ProfileDP
from provedp.verify.solvers.check import OneRun

LEVEL = F(1, 20)
LIKELY = F(9, 10)  # a right guess, at ε = ln 9
CASE = OneRun(canaries=5, guesses=5, right=4, k=F(2), delta=F(1, 50))
LAW = OneRun(canaries=4, guesses=4, right=3, k=F(1), delta=F(1, 10))
PAIRS, RIGHT_PAIRS = 20, 15
COINS, NAMED, SMALL = 1000, 8, F(1, 10**4)
COPIES, RECORD_RATIO, RECORD_DELTA = 3, F(3), F(1, 1000)
SIGMA, RATE, ROUNDS, DELTA = F(4, 5), F(1, 100), 500, F(1, 10**5)
BATCHES, BATCH_SIGMA = 10, F(5, 2)
MU, GUESSED, TOLD, MOST_POINTS = 0.8, 120, 107, 5
ROUNDING = 1e-9  # of a float that a student computed δ in


def _least_guesses() -> F:
    """Return the least r with LIKELY^r ≤ LEVEL."""
    guesses, chance = 0, F(1)
    while chance > LEVEL:
        guesses, chance = guesses + 1, chance * LIKELY
    return F(guesses)


def _of(bound: Callable[..., Any], delta: F = CASE.delta) -> F:
    return F(bound(CASE.canaries, CASE.guesses, CASE.right, CASE.k, delta))


def _law(answer: Any) -> str:
    law = vector(answer, LAW.guesses + 1)
    require_distribution(law, "the answer")
    allowed = LAW.canaries * LAW.delta
    for gain, words in zip(LAW.gains(law), ("first", "second"), strict=True):
        if gain > allowed:
            raise WrongError(
                f"It is not (0, 1/10)-private: the {words} sum is {gain}, more than {allowed}.",
                "Think: how far may it be from four fair coins?",
            )
    best, chance = one_run_bound(4, 4, 3, LAW.k, LAW.delta), sum(law[LAW.right :], F(0))
    if chance < best:
        raise WrongError(
            f"It is private, and 3 or more are right with probability {chance}: less than {best}.",
            "Think: which counts should become likelier, all by the same factor?",
        )
    return "No private mechanism has more, so the bound cannot be improved."


def _tail(count: int, least: int) -> F:
    """Return the chance of so many heads of fair coins."""
    return F(sum(comb(count, i) for i in range(least, count + 1)), 2**count)


@functools.cache
def _run() -> Accounted:
    return compose([(PoissonSampledGaussian(1 / SIGMA, RATE), ROUNDS)])


def _is_kept(epsilon: F) -> bool:
    return _run().delta(epsilon)[1] <= float(DELTA)


def _too_small(epsilon: F) -> str:
    low = _run().delta(epsilon)[0]
    return (
        f"At ε = {float(epsilon):g} the accountant has δ ≥ {low:.3g}, more than 10⁻⁵.\n"
        "Think: which end of a bracket is a promise?"
    )


@functools.cache
def _limit_epsilon() -> F:
    """Return the ε that the central limit theorem for Gaussian DP would have."""
    mu = float(RATE) * math.sqrt(ROUNDS * math.expm1(1 / float(SIGMA) ** 2))
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        above = float(gaussian_delta(mu, middle)) > float(DELTA)
        low, high = (middle, high) if above else (low, middle)
    return F(high)


def _together(answer: Any) -> str:
    points = [_point(each) for each in listed(answer)]
    if len(points) > MOST_POINTS:
        raise WrongError(f"At most {MOST_POINTS} points are wanted. Got {len(points)}.")
    for epsilon, delta in points:
        least = float(gaussian_delta(MU, float(epsilon)))
        if float(delta) < least * (1 - ROUNDING):
            raise WrongError(
                f"At ε = {float(epsilon):g} the curve has δ = {least:.6g}: a smaller one,"
                f" {float(delta):.6g}, is not what the trainer claims.",
                "Think: `gaussian_delta(0.8, ε)` is the least that may stand there.",
            )
    claim = ProfileDP(tuple((float(e), float(d)) for e, d in points))
    p = p_value_of(Guesses(GUESSED, GUESSED, 0, TOLD), claim)
    if p > float(LEVEL):
        raise WrongError(
            f"These points have a p-value of {p:.4f} together, above 1/20.",
            "Think: 107 of 120 is a share of 0.89. Where are lines near the curve, and which of"
            " its parts is steep?",
        )
    return f"p = {p:.4f}, though no point of this curve is refuted alone."


def _point(entry: Any) -> tuple[F, F]:
    pair = listed(entry, "a point")
    if len(pair) != 2:
        raise UnreadableError("A point should be a pair of ε and δ.")
    epsilon, delta = decimal(pair[0], "an ε"), decimal(pair[1], "a δ")
    if not 0 < epsilon <= 10 or not 0 <= delta < 1:
        raise WrongError(f"ε should be above 0 and at most 10, and δ in [0, 1). Got {pair}."[:200])
    return epsilon, delta


EXERCISES = (
    Exercise(
        "training-1", 8, "How many right guesses?",
        "A training is claimed to be (ln 9, 0)-private. At least how many guesses about the coins"
        " of its canaries must be made, so that the claim is refuted at 95 % if all are right?",
        "an exact number", "Fraction(3, 1)",
        ("under the claim a guess is right with probability k/(1 + k) at most.",
         "so all of r with probability (9/10)^r.", "ln 20 / −ln(9/10), rounded up."),
        exact_number(
            _least_guesses,
            [Mistake(lambda: F(27), "The rule of thumb, 3 k, is only near: it takes −ln(1 − x) for"
                     " x.\nThink: the power itself."),
             Mistake(lambda: _least_guesses() - 1, "Just short.\nThink: the power for your number"
                     " is still above 1/20."),
             Mistake(lambda: F(2), "This is for a chance of 1/10 to be right, which is that to be"
                     " wrong.\nThink: what is k/(1 + k)?")],
            low="So many right guesses happen under the claim more than once in twenty times.\n"
                "Think: (9/10)^r for your r.",
            high="It is enough, but fewer are too.\nThink: (9/10)^r for your r.",
            praise="With fewer, no verdict is possible, whatever the training does."),
    ),
    Exercise(
        "training-2", 8, "With a δ",
        "Five canaries, five guesses. What is the greatest probability that four or more are right,"
        " over all (ln 2, 1/50)-private trainings?",
        "an exact number", "Fraction(1, 2)",
        ("B and b are the tail and the mass of five guesses of chance 2/3, at 4.",
         "B = 112/243 and b = 80/243.", "B + m δ B (1 − B)/(v b) with m = 5, v = 4."),
        exact_number(
            lambda: _of(one_run_bound),
            [Mistake(lambda: _of(one_run_bound, F(0)), "This is the value for δ = 0.\n"
                     "Think: what may a training do with probability δ?"),
             Mistake(lambda: _of(published_bound), "This is the published bound, which"
                     " is more than any mechanism has here.\nThink: which one is attained?"),
             Mistake(lambda: _of(one_run_bound, F(0)) + CASE.canaries * CASE.delta / (1 + CASE.k),
                     "This holds of every increasing statistic, so it may be too much for one.\n"
                     "Think: the number of guesses is fixed here."),
             Mistake(lambda: _of(one_run_bound, F(0)) + CASE.delta,
                     "δ is not of the whole run: each of the coins has its own.\n"
                     "Think: what may a run do that is (0, δ)-private for each coin?")],
            low="Some training has more.\nThink: with probability δ a coin may be told.",
            high="No training has so much.\nThink: the exact bound of the lesson.",
            praise="And a mechanism has it.", allowed=(0, 1)),
    ),
    Exercise(
        "training-3", 8, "The worst mechanism",
        "Four canaries, all guessed, ε = 0 and δ = 1/10: at most with probability 41/96 are three"
        " or more right. Give a law of the number of right guesses, p_0, …, p_4, that has this and"
        " is private: Σ (i p_i − (5 − i) p_{i−1})⁺ ≤ 2/5 and Σ ((4 − i) p_i − (i + 1) p_{i+1})⁺ ≤"
        " 2/5.",
        "a list of five exact numbers", '["1/16", "1/4", "3/8", "1/4", "1/16"]',
        ("start from four fair coins: 1/16, 4/16, 6/16, 4/16, 1/16.",
         "multiply p_3 and p_4 by one factor, and the others by another.",
         "1 · (1 − w · 5/16) below and 1 + w (1 − 5/16) from 3 on, w = 2/5 divided by 3 · 4/16."),
        _law,
    ),
    Exercise(
        "training-4", 8, "Two canaries that are one",
        "Of each of 20 pairs of records one is put into the training data, by a fair coin. The"
        " training says nothing about them. Somebody takes the 40 records for 40 canaries, guesses"
        " one of each pair to be in and the other to be out, and calls 30 right guesses out of 40 a"
        " refutation. How likely is that, exactly: 30 or more right?",
        "an exact number", "Fraction(1, 2)",
        ("how many coins are there?", "both guesses about a pair are right, or both are wrong.",
         "15 or more heads of 20 fair coins."),
        exact_number(
            lambda: _tail(PAIRS, RIGHT_PAIRS),
            [Mistake(lambda: _tail(2 * PAIRS, 2 * RIGHT_PAIRS), "This is for 40 coins, which is"
                     " what the refutation rests on. There are fewer.\nThink: if one of a pair is"
                     " in, what of the other?"),
             Mistake(lambda: _tail(PAIRS, RIGHT_PAIRS + 1), "15 pairs make 30 right guesses, and"
                     " belong to it.\nThink: 30 or more."),
             Mistake(lambda: 2 * _tail(PAIRS, RIGHT_PAIRS), "Few right guesses refute nothing.\n"
                     "Think: one side only.")],
            low="It is more likely than that.\nThink: count coins, not rows.",
            high="It is less likely than that.\nThink: count coins, not rows.",
            praise="Nearly nineteen times as often as for 40 coins: a pair is one canary.",
            allowed=(0, 1)),
    ),
    Exercise(
        "training-5", 8, "Some coins outright",
        "1000 canaries, all with a coin. With probability x a training publishes 8 of the coins,"
        " of canaries that it draws uniformly; else it publishes nothing. For which largest x is it"
        " (0, 1/10000)-private, if neighbours differ in one coin?",
        "an exact number", "Fraction(1, 2)",
        ("where do the outputs on two neighbours differ at all?",
         "only if the coin is published in which they differ: with probability x · 8/1000.",
         "x · 8/1000 = 1/10000."),
        exact_number(
            lambda: COINS * SMALL / NAMED,
            [Mistake(lambda: SMALL, "So a training may be that publishes all of them together.\n"
                     "Think: how often is it the one coin that neighbours differ in?"),
             Mistake(lambda: COINS * SMALL, "This would be right for one coin.\n"
                     "Think: eight of them are published."),
             Mistake(lambda: 2 * COINS * SMALL / NAMED, "Half of the guesses would be right without"
                     " it, but privacy does not ask for guesses.\nThink: the event that a"
                     " coin is published as in.")],
            low="It holds, and a larger x keeps it.\nThink: how often is a coin published?",
            high="Then the event that a certain coin is published as in has more than δ.\n"
                 "Think: its probability on a neighbour is 0.",
            praise="Rare for each coin, and not rare for a run: so the number of guesses must not"
                   " depend on the run.", allowed=(0, 1)),
    ),
    Exercise(
        "training-6", 8, "Three copies",
        "A training is (ln 3, 1/1000)-private for one record. Each canary was put in as three"
        " copies, by one coin. Which δ follows for such a canary at ε = 3 ln 3, by going from copy"
        " to copy?",
        "an exact number", "Fraction(1, 1000)",
        ("a canary of three records is a group of three.",
         "the δ of a step is multiplied by the ratios of the steps after it.",
         "δ (1 + k + k²) with k = 3."),
        exact_number(
            lambda: group_delta(RECORD_RATIO, RECORD_DELTA, COPIES),
            [Mistake(lambda: RECORD_DELTA, "This is δ of one record.\nThink: a group of three."),
             Mistake(lambda: COPIES * RECORD_DELTA, "δ does not only add up: ε is at work in"
                     " between.\nThink: P ≤ k (k Q + δ) + δ."),
             Mistake(lambda: RECORD_RATIO**COPIES * RECORD_DELTA, "It is less than δ k³.\n"
                     "Think: add up a δ for each step.")],
            low="Two steps already cost more than one δ each.\nThink: P ≤ k (k Q + δ) + δ.",
            high="Less is enough.\nThink: P ≤ k (k Q + δ) + δ, and once more.",
            praise="So an ε above 3 ln 3 at this δ refutes ln 3 for a record, and one above ln 3"
                   " does not.", allowed=(0, 1)),
    ),
    Exercise(
        "training-7", 8, "What it costs",
        "500 steps of Gaussian noise with σ = 4/5, each on a Poisson sample at rate 1/100. Which is"
        " the least ε, to two decimals, that can be promised at δ = 10⁻⁵?",
        "a decimal, to within 0.01 (floats count as printed)", '"1.5"',
        ("the central limit theorem is no promise.",
         "`compose([(PoissonSampledGaussian(1 / sigma, rate), rounds)])` has both ends.",
         "of `.epsilon(1e-5)` the upper end, rounded up."),
        least_decimal(
            _is_kept,
            short=_too_small,
            long="It can be promised, and so can 0.01 less.\nThink: the upper end, rounded up.",
            praise="A limit theorem would have promised a good deal less than it costs.",
            below=100,
            mistakes=[Mistake(_limit_epsilon, "This is what the central limit theorem for Gaussian"
                              " DP says: 500 steps are not infinitely many.\nThink: an accountant"
                              " with two ends.")]),
    ),
    Exercise(
        "training-8", 8, "What a batch moves",
        "One epoch: the records, of length 1 at most after clipping, are in ten disjoint batches of"
        " fixed size and fixed order, and the sum of each batch is published with Gaussian noise of"
        " σ = 5/2 in each coordinate. For which least μ is that μ-Gaussian private for replacing"
        " one record?",
        "an exact number", "Fraction(1, 3)",
        ("in how many batches is a record?", "by how much can the sum of its batch move?",
         "from a vector of length 1 to its opposite: by 2."),
        exact_number(
            lambda: 2 / BATCH_SIGMA,
            [Mistake(lambda: 1 / BATCH_SIGMA, "This is for removing the record.\n"
                     "Think: the record that replaces it may point the other way."),
             Mistake(lambda: BATCHES * 2 / BATCH_SIGMA, "The record is in one batch only: the"
                     " others do not move.\nThink: what do the other nine show of it?"),
             Mistake(lambda: 2 * BATCH_SIGMA, "More noise should make it smaller.\n"
                     "Think: how many standard deviations is it?")],
            low="Two data sets are further apart than that.\nThink: how far can a sum move?",
            high="It holds, and so does less.\nThink: which batches move, and by how much?",
            praise="Twice what an accountant of removals has, and nothing is gained by sampling."),
    ),
    Exercise(
        "training-9", 8, "Together",
        "A trainer claims to be 4/5-Gaussian private. Of 120 canaries all are guessed, and 107 are"
        " right. No single point (ε, δ) of the claimed profile is refuted by that at 95 %. Give at"
        " most five points of it, or above it, that are refuted together.",
        "a list of pairs of ε and δ, decimals (floats count as printed)", '[[1, "1/5"]]',
        ("`gaussian_delta(0.8, epsilon)` has the profile.",
         "`p_value_of(Guesses(120, 120, 0, 107), ProfileDP(points))` is to be at most 1/20.",
         "some ε around 1/2 to 1, and some around 3/2 to 2."),
        _together,
    ),
)  # fmt: skip
