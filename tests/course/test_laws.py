"""The exact probabilities of the mechanisms to audit are the frequencies of their runs."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from provedp.course import mechanism
from provedp.course.checks.laws import Event
from provedp.course.lessons.mechanisms_to_audit import EXERCISES, SUBJECTS
from provedp.verify.audit.zoo import by_name

RUNS = 40_000
DEVIATIONS = 5.5  # of a frequency: a false alarm in 10⁷ for each of about 100 events
HALF_LINES = [f"{sign} {cut}" for sign in ("<=", ">=") for cut in ("-2", "-1/2", "0", "1/2", "3")]


def events(place: int) -> list[Any]:
    subject = SUBJECTS[place]
    if "half" in subject.outputs or subject.form.count('"<=') + subject.form.count('">='):
        return HALF_LINES
    if "six answers" in subject.outputs:
        rows = [list(row) for row in itertools.product((0, 1), repeat=6)]
        stopped = [[0] * n + [1] + [-1] * (5 - n) for n in range(6)] + [[0] * 6]
        return [[row] for row in (rows[::9] if "0, 1 or" not in subject.outputs else stopped)]
    return [[0], [1], [0, 2]]


def occurs(event: Event, outputs: Any) -> float:
    read = np.asarray(outputs)
    if event.cut is not None:
        inside = read >= float(event.cut) if event.above else read <= float(event.cut)
        return float(inside.mean())
    if read.ndim == 1:
        return float(np.isin(read, event.members).mean())
    return float(np.mean([(read == row).all(axis=1) for row in event.members], axis=1).sum())


@pytest.mark.parametrize("place", range(len(SUBJECTS)))
def test_the_law_is_what_runs_show(place: int) -> None:
    subject = SUBJECTS[place]
    pair = by_name(subject.zoo).pair
    data = [subject.reader.read(list(x) if isinstance(x, list) else int(x), "it") for x in pair]
    if subject.law is None:
        assert subject.zoo == "noisy max, index"
        return
    for own, given in zip(pair, data, strict=True):
        outputs = mechanism(EXERCISES[place].name)(own, np.random.default_rng(5), RUNS)
        for text in events(place):
            event = subject.event(text)
            exact = float(subject.law(given, event).mid())
            bound = DEVIATIONS * math.sqrt(max(exact * (1 - exact), 1 / RUNS) / RUNS)
            assert abs(occurs(event, outputs) - exact) <= bound, (text, exact)


def test_five_are_broken_and_five_are_right() -> None:
    found = [subject.is_broken() for subject in SUBJECTS]
    assert sorted(found) == [False] * 5 + [True] * 5
    for subject, is_broken in zip(SUBJECTS, found, strict=True):
        assert is_broken == by_name(subject.zoo).wrong


def test_no_mechanism_is_named_after_its_fault() -> None:
    for exercise, subject in zip(EXERCISES, SUBJECTS, strict=True):
        assert subject.zoo not in exercise.prompt
        function = mechanism(exercise.name)
        assert function.__name__ == "release"
        assert function.__doc__ is None


def test_an_exercise_without_a_mechanism_is_refused() -> None:
    with pytest.raises(ValueError, match="audit-7 to audit-16"):
        mechanism("audit-1")
