"""Lesson 6, continued: ten mechanisms of the auditor's zoo, to be called broken or right.

The student names a verdict, a pair of neighbouring data sets and an event. Where the law of the
mechanism is known the two probabilities are decided exactly; else so many runs are counted, with a
fixed seed. Replies speak of the event alone, so that a wrong guess does not tell the verdict.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as F
from typing import Any

import numpy as np
from flint import arb

from provedp.course.answers import described, parts
from provedp.course.checks import laws
from provedp.course.checks.laws import Event, Reader
from provedp.course.exercise import Check, Exercise, UnreadableError, WrongError
from provedp.theory.numbers import ball
from provedp.verify.audit import ApproximateDP, Counts, lower_bound
from provedp.verify.audit.zoo import Entry, by_name

BROKEN, SOUND = "broken", "right"
NEAR = F(9, 10)  # of the largest log-ratio that is known to occur, for a mechanism called right
RUNS, SEED, CONFIDENCE = 100_000, 1, 0.999
COUNTED = f" ({RUNS} runs are counted, with a fixed seed.)"
COUNTED_NEAR = F(3, 4)  # the same, where a bound from runs stands for the log-ratio

Mechanism = Callable[[Any, np.random.Generator, int], Any]


@dataclass(frozen=True)
class Subject:
    """A mechanism of the zoo as an exercise: how data and events are read, and its law if known."""

    zoo: str
    code: str
    claim: str
    ratio: F | None  # e^ε where it is rational
    data: str
    reader: Reader
    outputs: str
    event: Callable[[Any], Event]
    law: Callable[[Any, Event], arb] | None
    form: str

    @property
    def entry(self) -> Entry:
        """What the zoo knows of it."""
        return by_name(self.zoo)

    def bound(self) -> arb:
        """Return e^ε of the claim."""
        return ball(self.ratio) if self.ratio else ball(self.entry.epsilon).exp()

    def is_broken(self) -> bool:
        """Return whether the claim is false, decided by the zoo in exact or ball arithmetic."""
        decide = self.entry.exact
        found = None if decide is None else decide()
        if found is None:
            raise ArithmeticError(f"The law of {self.zoo} does not decide its claim.")
        return found


def _check(subject: Subject) -> Check:
    def check(answer: Any) -> str:
        verdict, pair, given = parts(answer, "verdict", "pair", "event")
        if verdict not in (BROKEN, SOUND):
            raise UnreadableError(
                f"The verdict should be '{BROKEN}' or '{SOUND}'. Got {described(verdict)}."
            )
        first, second = subject.reader.pair(pair)
        event = subject.event(given)
        if subject.law is None:
            return _by_runs(subject, verdict, (first, second), event)
        return _by_law(subject, verdict, [subject.law(x, event) for x in (first, second)])

    return check


def _by_law(subject: Subject, verdict: str, masses: list[arb]) -> str:
    low, high = sorted(masses, key=lambda mass: float(mass.mid()))
    told = f"Your event has the probabilities {_shown(masses[0])} and {_shown(masses[1])}"
    exceeds = bool(high > subject.bound() * low)
    if low == 0 and high == 0:
        raise WrongError(
            "Your event is impossible on both data sets.", "Think: which outputs occur at all?"
        )
    if exceeds:
        ratio = "infinity" if low == 0 else _shown(high / low)
        told += (
            f": the larger is {ratio} times the smaller, and {_shown(subject.bound())} is claimed"
        )
        if verdict == BROKEN:
            return f"{told}. One pair and one event are enough."
        raise WrongError(f"{told}.", "Think: what does your own event say of the claim?")
    ratio = _shown(high / low)
    told += (
        f": the larger is {ratio} times the smaller, within the {_shown(subject.bound())} claimed."
    )
    if verdict == BROKEN:
        raise WrongError(
            told, "Think: this event does not show it. Would another, or another pair?"
        )
    if subject.is_broken() or not high >= ball(NEAR * F(subject.entry.truth)).exp() * low:
        raise WrongError(told, "Think: some pair and event are told apart better than these.")
    return f"{told} Nothing that is known comes closer than this by more than a tenth."


def _by_runs(subject: Subject, verdict: str, pair: tuple[Any, Any], event: Event) -> str:
    rng = np.random.default_rng(SEED)
    shares = [event.count(subject.entry.release(data, rng, RUNS)) for data in pair]
    high, low = max(shares), min(shares)
    found = lower_bound(
        Counts(high, RUNS, low, RUNS), ApproximateDP(subject.entry.epsilon), CONFIDENCE
    )
    told = (
        f"Your event occurs {shares[0]} and {shares[1]} times in {RUNS} runs on each data set: by"
        f" this ε is at least {found:.3f} (confidence {CONFIDENCE})"
    )
    if found > subject.entry.epsilon:
        if verdict == BROKEN:
            return f"{told}, more than the {subject.claim} claimed."
        raise WrongError(f"{told}.", "Think: what does your own event say of the claim?")
    if verdict == BROKEN:
        raise WrongError(
            f"{told}, which does not show it.", "Think: would another event, or another pair?"
        )
    if subject.is_broken() or found < float(COUNTED_NEAR) * subject.entry.truth:
        raise WrongError(f"{told}.", "Think: some pair and event are told apart better than these.")
    return f"{told}: close to the most that is known to occur."


def _shown(mass: arb) -> str:
    return f"{float(mass.mid()):.6g}"


SUBJECTS = (
    Subject("10-ary response",
            "kept = rng.random() < e**2 / (e**2 + 9)\n"
            "return data if kept else another value, all nine alike",
            "(2, 0)-DP", None, "a value from 0 to 9; any two are neighbours",
            laws.whole_value(0, 9, 9), "a value from 0 to 9", laws.outcomes(0, 9),
            laws.ten_answers, '{"verdict": "broken", "pair": [0, 1], "event": [5]}'),
    Subject("Laplace, half scale", "return data + rng.laplace(scale=1/2)",
            "(1, 0)-DP", None, "a number; neighbours differ by at most 1", laws.real_value(),
            "a number", laws.half_line, laws.half_laplace,
            '{"verdict": "right", "pair": [0, "1/2"], "event": "<= 0"}'),
    Subject("exponential, no half",
            "weights = exp(data)\nreturn an index, with probabilities weights / sum(weights)",
            "(1, 0)-DP", None, "three whole scores; on neighbours each moves by at most 1",
            laws.scores(3, exact=True), "an index: 0, 1 or 2", laws.outcomes(0, 2),
            laws.exponential, '{"verdict": "right", "pair": [[0, 0, 0], [1, 1, 1]], "event": [0]}'),
    Subject("truncated geometric",
            "noise = rng.geometric(2/3) - rng.geometric(2/3)\n"
            "return min(max(data + noise, 0), 20)",
            "(ln 3, 0)-DP", F(3), "a count from 0 to 20; neighbours differ by at most 1",
            laws.whole_value(0, 20, 1), "a count from 0 to 20", laws.outcomes(0, 20),
            laws.truncated_geometric, '{"verdict": "broken", "pair": [5, 6], "event": [0, 20]}'),
    Subject("noisy max, value",
            "return max(x + rng.laplace(scale=2) for x in data)",
            "(1, 0)-DP", None, "five numbers; on neighbours each moves by at most 1",
            laws.scores(5), "a number", laws.half_line, laws.noisy_largest,
            '{"verdict": "right", "pair": [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]], "event": "<= 0"}'),
    Subject("must pass: rounded Laplace", "return round(data + rng.laplace())",
            "(1, 0)-DP", None, "a whole number; neighbours differ by at most 1",
            laws.whole_value(-1000, 1000, 1), "a whole number", laws.half_line,
            laws.rounded_laplace, '{"verdict": "broken", "pair": [0, 1], "event": "<= 3"}'),
    Subject("noisy max, index",
            "noisy = [x + rng.laplace(scale=2) for x in data]\nreturn noisy.index(max(noisy))",
            "(1, 0)-DP", None, "five numbers; on neighbours each moves by at most 1",
            laws.scores(5), "an index from 0 to 4", laws.outcomes(0, 4), None,
            '{"verdict": "broken", "pair": [[0, 0, 0, 0, 0], [1, 0, 0, 0, 0]], "event": [0]}'),
    Subject("opendp #2638: biased sampler",
            "noise = rng.geometric(3/4) - rng.geometric(3/4)  # e**-1, cut short, is 1/4\n"
            "return data + noise",
            "(1, 0)-DP", None, "a whole number; neighbours differ by at most 1",
            laws.whole_value(-1000, 1000, 1), "a whole number", laws.half_line,
            laws.biased_geometric, '{"verdict": "right", "pair": [0, 0], "event": ">= 0"}'),
    Subject("sparse vector, Alg. 5",
            "threshold = 1/2 + rng.laplace(scale=2)\nreturn [int(x >= threshold) for x in data]",
            "(1, 0)-DP", None, "six numbers; on neighbours each moves by at most 1",
            laws.scores(6), "a list of six answers 0 or 1", laws.answers(6),
            laws.threshold_alone,
            '{"verdict": "right", "pair": [[0] * 6, [1] * 6], "event": [[0] * 6]}'),
    Subject("sparse vector",
            "threshold = 1/2 + rng.laplace(scale=2)\n"
            "answer for each x in data: 1 if x + rng.laplace(scale=4) >= threshold, else 0;\n"
            "after the first 1 stop: all further answers are -1",
            "(1, 0)-DP", None, "six numbers; on neighbours each moves by at most 1",
            laws.scores(6), "a list of six answers 0, 1 or -1", laws.answers(6),
            laws.above_threshold,
            '{"verdict": "broken", "pair": [[0] * 6, [1] * 6],'
            ' "event": [[1, -1, -1, -1, -1, -1]]}'),
)  # fmt: skip


def _exercise(place: int, subject: Subject) -> Exercise:
    letter = "ABCDEFGHIJ"[place]
    name = f"audit-{place + 7}"
    return Exercise(
        name, 6, f"Mechanism {letter}",
        f"Is it what it claims to be? The claim: {subject.claim}.\n\n"
        f"```\n{subject.code}\n```\n\n"
        f"Data: {subject.data}. Output: {subject.outputs}. To run it:"
        f" `mechanism('{name}')(data, rng, count)`.\n\n"
        f"Answer 'broken' with a pair of neighbours and an event that breaks the claim, or"
        f" 'right' with a pair and an event whose ln of the likelihood ratio is"
        f" {'nine tenths' if subject.law else 'three quarters'} of the largest that is known to"
        f" occur, or more.{'' if subject.law else COUNTED}",
        "a dictionary with the keys 'verdict' ('broken' or 'right'), 'pair' and 'event'; "
        + laws.event_form(subject.event),
        subject.form,
        ("what can one record change, and how far?",
         "look for an output that is likely on one data set and unlikely on the other.",
         "move everything that may move, in the direction that tells most."),
        _check(subject),
    )  # fmt: skip


EXERCISES = tuple(_exercise(place, subject) for place, subject in enumerate(SUBJECTS))


def mechanism(exercise: str) -> Mechanism:
    """Return a mechanism to audit, as a function of data, a numpy generator and a number of runs.

    Parameters
    ----------
    exercise
        'audit-7' to 'audit-16'.

    Raises
    ------
    ValueError
        If the exercise has no mechanism.

    >>> import numpy as np
    >>> len(mechanism("audit-8")(0, np.random.default_rng(1), 5))
    5
    """
    names = [each.name for each in EXERCISES]
    if exercise not in names:
        raise ValueError(
            f"The exercises {names[0]} to {names[-1]} have a mechanism. Got {described(exercise)}."
        )
    subject = SUBJECTS[names.index(exercise)]

    def release(data: Any, rng: np.random.Generator, count: int) -> Any:
        return subject.entry.release(data, rng, count)

    return release
