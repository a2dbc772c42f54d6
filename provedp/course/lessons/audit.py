"""Lesson 6: events, runs, false alarms, and a repair."""

import math
from fractions import Fraction as F
from typing import Any

import numpy as np

from provedp.course.answers import decimal, parts, whole
from provedp.course.checks.functions import call, function
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.course.seeds import Seed
from provedp.verify.audit import ApproximateDP, Counts, TargetError, audit, lower_bound, target
from provedp.verify.exact.matrices import audit_matrix

PURE = ApproximateDP(1.0)
RUNS, QUERIES, SCALE = 100_000, 5, 2
TRUTH = 1.1
RARE, LEVEL = F(1, 1000), F(1, 20)
SUITE = 20
TABLE = (("5/8", "1/4", "1/8"), ("1/4", "1/2", "1/4"), ("1/10", "1/5", "7/10"))
AGES = ((), (100,)), ((100,), (100, 0)), ((0, 0), (0, 0, 1000)), ((1000,), (1000, 50))
MEAN_RUNS, SEED, CONFIDENCE = 5000, 1, 1 - 1e-6


def promised(cut: float) -> float:
    """Return the bound to be expected from the event {max ≤ cut} of five noisy values."""
    x, y = (_below((cut - value) / SCALE) ** QUERIES for value in (0, 1))
    counts = Counts(round(x * RUNS), RUNS, round(y * RUNS), RUNS)
    return float(lower_bound(counts, PURE))


def _below(x: float) -> float:
    return math.exp(x) / 2 if x < 0 else 1 - math.exp(-x) / 2


def _cuts(answer: Any) -> str:
    good, bad = (decimal(part, f"'{key}'") for key, part in
                 zip(("good", "bad"), parts(answer, "good", "bad"), strict=True))  # fmt: skip
    for name, cut in (("good", good), ("bad", bad)):
        if abs(cut) > 20:
            raise WrongError(f"The {name} cut should be between −20 and 20. Got {cut}.")
    if good >= bad:
        raise WrongError(f"The bad cut should be the larger one: {bad} is not above {good}.")
    level = promised(float(good))
    if level <= 2.35:
        raise WrongError(
            f"The good cut {good} promises a bound of {level:.3f}: not above 2.35.",
            "Think: is the ratio still at its largest there, and how often does the event occur?",
        )
    level = promised(float(bad))
    if level >= 1:
        raise WrongError(
            f"The bad cut {bad} promises a bound of {level:.3f}: that still refutes ε = 1.",
            "Think: where do both data sets make the event common?",
        )
    return "One event refutes the claim by far, the other not at all, from the same runs."


def refutes(runs: int) -> bool:
    """Return whether the folded event is expected to refute the claim from so many runs."""
    x, y = round(runs * 0.5), round(runs * 0.5 * math.exp(-TRUTH))
    counts = Counts(2 * x, 2 * runs, 2 * y, 2 * runs, folded=True)
    return float(lower_bound(counts, PURE)) > 1


def _runs(answer: Any) -> str:
    runs = whole(answer)
    if not 10 <= runs <= 10**7:
        raise WrongError(f"A number of runs from 10 to 10⁷ is wanted. Got {runs}.")
    if not refutes(round(1.1 * runs)):
        raise WrongError(
            f"{runs} runs are too few: even a tenth more would not be expected to refute it.",
            "Think: the gap of the bound shrinks like one over the root of the runs.",
        )
    if refutes(round(runs / 1.1)):
        raise WrongError(
            f"{runs} runs are expected to refute it, and a tenth less are as well.",
            "Think: bisect.",
        )
    return "To within a tenth: for a truth of 1.01 it takes a hundred times as many."


def _mean(answer: Any) -> str:
    mine = function(answer)
    for first, second in AGES:
        _require_unrefuted(mine, list(first), list(second))
    centres = [float(np.median(_released(mine, [age] * 40, Seed(SEED), 2000))) for age in (0, 100)]
    if not centres[1] - centres[0] >= 30:
        raise WrongError(
            f"It is not refuted, but of no use: for 40 people of age 0 its median is"
            f" {centres[0]:.4g}, and for 40 of age 100 it is {centres[1]:.4g}.",
            "Think: the ages may come through, with noise.",
        )
    return "Not refuted on four pairs of neighbours, and still a mean."


def _released(mine: Any, people: list[int], seed: Seed, count: int) -> np.ndarray[Any, Any]:
    words = f"for the people {people[:3]}{'…' if len(people) > 3 else ''}"
    found = call(mine, people, seed, count, with_words=words)
    try:
        read = np.asarray(found, dtype=float)
    except (TypeError, ValueError):
        raise UnreadableError(f"Your function should return numbers, {words}.") from None
    if read.shape != (count,):
        raise WrongError(
            f"Your function should return {count} numbers {words}, one a run. Their shape is"
            f" {read.shape}."
        )
    return read


def _require_unrefuted(mine: Any, first: list[int], second: list[int]) -> None:
    def release(people: list[int], rng: np.random.Generator, count: int) -> Any:
        return _released(mine, people, Seed(int(rng.integers(2**31))), count)

    try:
        result = audit(
            target(release, isolated=False, errors="fail"),
            (first, second),
            PURE,
            runs=MEAN_RUNS,
            seed=SEED,
            confidence=CONFIDENCE,
            processes=4,
        )
    except TargetError as error:
        if isinstance(error.__cause__, (WrongError, UnreadableError)):
            raise error.__cause__ from None
        raise WrongError(f"Your function cannot be audited: {error}.") from None
    if result.refuted:
        raise WrongError(
            f"On the neighbours {first} and {second} your mean has ε ≥ {result.epsilon_lower:.3f},"
            f" more than 1 (with confidence 1 − 10⁻⁶, from {MEAN_RUNS} runs).",
            f"The event that shows it: {result.event}.",
            "Think: what can one person change: the sum, the number of people, the scale?",
        )


def _least_runs() -> F:
    """Return the least n with (1 − RARE)ⁿ ≤ LEVEL, in integers."""
    missed, whole_, runs = 1, 1, 0
    while missed > LEVEL * whole_:
        missed, whole_ = missed * (RARE.denominator - RARE.numerator), whole_ * RARE.denominator
        runs += 1
    return F(runs)


def _least_ratio() -> F:
    rows = [[F(x) for x in row] for row in TABLE]
    pairs = [(rows[a], rows[b]) for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))]
    ratio = max(x / y for p, q in pairs for x, y in zip(p, q, strict=True))
    if audit_matrix(rows, ("ratio", ratio)).refuted:
        raise ArithmeticError("The largest ratio of neighbours is refuted.")
    return ratio


EXERCISES = (
    Exercise(
        "audit-1", 6, "A better cut",
        "Five values fall from 1 to 0; the mechanism adds Laplace noise of scale 2 to each and"
        " publishes the maximum, claimed to be (1, 0)-private. From 100 000 runs on each data set,"
        " the event {max ≤ c} is counted. Give a good cut c that promises a bound above 2.35, and a"
        " bad one, larger, with which ε = 1 is not even refuted.",
        "a dictionary with the keys 'good' and 'bad', each a decimal (floats count as printed)",
        '{"good": 1, "bad": 5}',
        ("the lesson's function `promised` gives the bound that is expected.",
         "below zero the ratio is e^(5/2) exactly; but the event gets rare.",
         "far to the right both data sets make the event certain."),
        _cuts,
    ),
    Exercise(
        "audit-2", 6, "How many runs?",
        "Laplace noise of scale 1/1.1 is claimed to be (1, 0)-private. From how many runs on each"
        " data set, to within a tenth, is the folded event {x < 0} of the lesson expected to refute"
        " the claim (confidence 95 %)?",
        "a whole number", "100",
        ("expected counts: half of the runs, and half times e^(−1.1).",
         "`lower_bound` of the folded counts must exceed 1.",
         "bisect; to within a tenth is enough."),
        _runs,
    ),
    Exercise(
        "audit-3", 6, "A repair",
        "Write a mean of ages in [0, 100] for which the number of people is private as well (a"
        " neighbour has one record more or less), (1, 0)-private. It is audited with a fixed seed.",
        "a function of people (a list of ages, perhaps wrong ones), rng (a numpy generator) and"
        " count, which returns so many independent releases",
        "lambda people, rng, count: [0.0] * count",
        ("clip the ages; an empty list must not fail.",
         "release a noisy sum and a noisy number of people, each with half of ε.",
         "scales 100/(1/2) and 1/(1/2); divide, with at least 1 below."),
        _mean,
    ),
    Exercise(
        "audit-4", 6, "Never seen",
        "An event did not occur in n independent runs. What is the least n with which its"
        " probability is below 1/1000 at confidence 95 %, that is (1 − 1/1000)^n ≤ 1/20?",
        "a whole number", "1000",
        ("take logarithms.", "ln 20 / −ln(1 − 1/1000).", "and round up."),
        exact_number(
            _least_runs,
            [Mistake(lambda: F(3000), "The rule of three is only near.\n"
                     "Think: −ln(1 − p) and ln 20 in the place of p and 3."),
             Mistake(lambda: _least_runs() - 1, "Just short.\nThink: in which direction do you"
                     " round?"),
             Mistake(lambda: F(20_000), "Unlikely events are not independent of how often you look:"
                     " the probability to miss it falls like a power.")],
            low="An event of probability 1/1000 would be missed more often than once in twenty.\n"
                "Think: (1 − 1/1000)^n for your n.",
            high="It is enough, but fewer are too.\nThink: (1 − 1/1000)^n for your n.",
            praise="One run fewer would not do."),
    ),
    Exercise(
        "audit-5", 6, "A suite of audits",
        "A suite has twenty audits of claims that are all true. By the union bound, at which level"
        " must each one test so that some false alarm has probability at most 1/20?",
        "an exact number", "Fraction(1, 20)",
        ("the union bound adds up probabilities.", "twenty equal ones make 1/20.",
         "divide."),
        exact_number(
            lambda: LEVEL / SUITE,
            [Mistake(lambda: LEVEL, "Then some alarm is more likely than not to be seen soon:"
                     " 1 − (19/20)²⁰ is 64 %.\nThink: probabilities of alarms add up."),
             Mistake(lambda: 1 - LEVEL / SUITE, "This is a confidence; the level is one less it.")],
            low="It is enough, but less strict would do.\nThink: the union bound.",
            high="It is too much: twenty of them may exceed 1/20.\nThink: the union bound.",
            praise="Twenty of them add up to 1/20.", allowed=(0, 1)),
    ),
    Exercise(
        "audit-6", 6, "A law that is known",
        "No runs are needed for a table: rows "
        + "; ".join(f"({', '.join(row)})" for row in TABLE)
        + ". For which least k is it (ln k, 0)-private for consecutive rows?",
        "an exact number", "Fraction(2, 1)",
        ("compare entries in the same column, of rows 1 and 2, and of rows 2 and 3.",
         "both directions count.", "the largest quotient of two such entries."),
        exact_number(
            _least_ratio,
            [Mistake(lambda: F(25, 4), "Rows 1 and 3 are no neighbours.\nThink: consecutive rows."),
             Mistake(lambda: F(28, 5), "Rows 1 and 3 are no neighbours.\nThink: consecutive rows."),
             Mistake(lambda: F(5, 2), "Rows 1 and 2 differ by this, in the first column.\n"
                     "Think: the other pair of neighbours, and all its columns.")],
            low="It is too small: in some column two neighbours differ by more.\n"
                "Think: all columns, both pairs, both directions.",
            high="It holds, but a smaller k does too.\n"
                 "Think: which quotient is the largest, among neighbours?",
            praise="And no event does better than the single outcome."),
    ),
)  # fmt: skip
