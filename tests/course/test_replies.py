"""Wrong answers and what the grader says of each; right answers, usual and unusual."""

import re
import runpy
from decimal import Decimal
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
import sympy

from provedp.course import LESSONS, exercises, find, grade, hint

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUBJECTS = [lesson.subject for lesson in LESSONS]
WRONG = {name: runpy.run_path(str(HERE / f"wrong_{name}.py"))["WRONG"] for name in SUBJECTS}
SOLVED: dict[str, Any] = {}
for each in LESSONS:
    path = ROOT / "notebooks" / "solutions" / f"{each.number}_{each.subject}.py"
    SOLVED |= runpy.run_path(str(path))["answers"]
CASES = [case for name in SUBJECTS for case in WRONG[name]]


def test_there_are_enough_exercises_and_wrong_answers() -> None:
    assert len(exercises()) >= 40
    for lesson in LESSONS:
        assert len(exercises(lesson.number)) >= 6
        assert len(WRONG[lesson.subject]) >= 20
        wrong = {case[0] for case in WRONG[lesson.subject]}
        assert wrong == {exercise.name for exercise in exercises(lesson.number)}


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    CASES,
    ids=[f"{place}-{case[0]}" for place, case in enumerate(CASES)],
)
def test_a_wrong_answer_gets_its_reply(exercise: str, answer: Any, said: list[str]) -> None:
    reply = grade(exercise, answer)
    assert reply.verdict == "wrong", reply
    assert not reply
    for part in said:
        assert part in reply.text, reply.text
    assert len(reply.text) < 700
    for secret in secrets(SOLVED[exercise]):
        assert secret.search(reply.text) is None, reply.text


def secrets(solution: Any) -> list[re.Pattern[str]]:
    """Return what would give a solution away: its number, its rows, itself."""
    if isinstance(solution, (int, float, F)):
        exact = F(str(solution)) if isinstance(solution, float) else F(solution)
        written = {str(solution), str(exact), f"{float(exact):g}"}
        return [re.compile(rf"(?<![\d/.]){re.escape(text)}(?![\d/])") for text in written]
    if isinstance(solution, (list, set)):
        rows = [row for row in solution if isinstance(row, list)] if solution else []
        texts = [", ".join(map(str, row)) for row in (*rows, solution)]
        return [re.compile(re.escape(text)) for text in texts if len(text) > 4]
    return [re.compile(re.escape(str(solution)))]


@pytest.mark.parametrize("exercise", SOLVED)
def test_the_worked_solution_is_right(exercise: str) -> None:
    reply = grade(exercise, SOLVED[exercise])
    assert reply.verdict == "right", reply


def test_every_exercise_is_solved() -> None:
    assert set(SOLVED) == {exercise.name for exercise in exercises()}


def floats(values: Any) -> Any:
    return np.array(values, dtype=float)


UNUSUAL = [
    ("promise-1", "1/10"),
    ("promise-1", "0.10"),
    ("promise-1", sympy.Rational(1, 10)),
    ("promise-1", flint.fmpq(3, 30)),
    ("promise-1", np.array(F(1, 10), dtype=object).item()),
    ("promise-2", {1, 2, 3}),
    ("promise-2", np.array([3, 1])),
    ("promise-3", np.array([[F(31, 40), F(9, 40)], [F(9, 40), F(31, 40)]], dtype=object)),
    ("promise-3", sympy.Matrix([[31, 9], [9, 31]]).applyfunc(lambda x: x / 40).tolist()),
    ("promise-1", Decimal("0.1")),
    ("promise-3", sympy.Matrix([[31, 9], [9, 31]]) / 40),
    ("promise-3", sympy.ImmutableMatrix([[31, 9], [9, 31]]) / 40),
    ("promise-3", flint.fmpq_mat(2, 2, [31, 9, 9, 31]) / 40),
    ("promise-3", np.matrix([[F(31, 40), F(9, 40)], [F(9, 40), F(31, 40)]])),
    ("promise-3", (("31/40", " 9 / 40 "), (F(9, 40), Decimal("0.775")))),
    # person 4 from three groups: {3, 4, 5, 6} + {1, 2, 4} − everyone
    ("promise-4", [[1, {3, 4, 5, 6}], [1, {1, 2, 4}], [-1, {1, 2, 3, 4, 5, 6}]]),
    ("promise-6", {"first": [["2/3", "1/3"], ["1/3", "2/3"]],
                   "second": [["1/2", "1/2"], ["1/4", "3/4"]]}),
    ("promise-7", [["1/16", "15/16"], ["1/8", "7/8"], ["1/4", "3/4"], ["1/2", "1/2"]]),
    ("promise-8", {"add_remove": "6.5", "replace_one": sympy.Integer(11)}),
    ("mechanisms-5", "7.031827"),
    ("mechanisms-5", 7.04),
    ("mechanisms-7", (sympy.Rational(8, 13), F(4, 13), "1/13")),
    ("mechanisms-7", sympy.Matrix([8, 4, 1]) / 13),
    ("mechanisms-7", np.array([[F(8, 13)], [F(4, 13)], [F(1, 13)]])),
    ("mechanisms-7", [["8/13", "4/13", "1/13"]]),
    ("mechanisms-8", {"first": [5, 5, 5, 5], "second": [4, 6, 6, 6]}),
    # P* for five counts
    ("mechanisms-10", [[F(2, 5) / 2 ** min(abs(i - j), 5 - abs(i - j)) for j in range(5)]
                       for i in range(5)]),
    ("composition-2", "29"),
    ("composition-7", [["1/10", "1/5", "2/5", "3/10", "0"], ["0", "1/10", "1/5", "3/5", "1/10"]]),
    ("counting-2", [["1/2", "1/3", "1/6"], ["1/4", "1/2", "1/4"], ["1/6", "1/3", "1/2"]]),
    ("counting-2", np.array([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/8", "3/8", "1/2"]])),
    # the certificate around the middle row proves more: 3/5
    ("counting-3", {
        "weights": ["1/10", "1/5", "2/5", "1/5", "1/10"],
        "multipliers": {"1, 2": ["1/10", 0, 0, 0, 0], "2, 3": ["1/5", "1/5", 0, 0, 0],
                        "4, 3": [0, 0, 0, "1/5", "1/5"], "5, 4": [0, 0, 0, 0, "1/10"]},
    }),
    ("counting-4", {"k": "7/2", "channel": [
        ["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]]}),
    ("counting-8", [["2/3", "1/6", "1/12", "1/12"], ["1/3", "1/3", "1/6", "1/6"],
                    ["1/6", "1/6", "1/3", "1/3"], ["1/12", "1/12", "1/6", "2/3"]]),
    ("mixture-1", ["100", "100", "100", "-100", "0", "0", "0"]),
    ("mixture-6", "2.1699"),
    ("modes-1", "0.163"),
    ("modes-2", floats([[x / 7, y / 7] for x in range(-42, 43) for y in range(-42, 43, 4)
                        if x % 21 or y % 21][:1900])),
    ("modes-5", [1, -2]),
    ("modes-7", ("1.5", "-0.5")),
    ("modes-7", flint.fmpq_mat(1, 2, [flint.fmpq(3, 2), flint.fmpq(-1, 2)])),
    ("modes-7", ["3/2", "−1/2"]),
    ("audit-1", {"good": -0.25, "bad": "7/2"}),
    ("audit-2", 1200),
    ("audit-8", {"verdict": "broken", "pair": ["0.5", -0.5], "event": "x >= 1/2"}),
    ("audit-9", {"verdict": "broken", "pair": [[1, -1, -1], [0, 0, 0]], "event": {1, 2}}),
    ("audit-11", {"verdict": "broken", "pair": [[2] * 5, [1] * 5], "event": "<= 1"}),
    ("audit-14", {"verdict": "broken", "pair": [7, 8], "event": ">= 17/2"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("exercise", "answer"), UNUSUAL, ids=[f"{place}-{x[0]}" for place, x in enumerate(UNUSUAL)]
)
def test_an_unusual_answer_that_is_right_is_accepted(exercise: str, answer: Any) -> None:
    reply = grade(exercise, answer)
    assert reply.verdict == "right", reply


@pytest.mark.parametrize("exercise", [each.name for each in exercises()])
def test_the_form_that_is_shown_can_be_read_and_is_wrong(exercise: str) -> None:
    answer = eval(find(exercise).form, {"Fraction": F})
    reply = grade(exercise, answer)
    assert reply.verdict == "wrong", reply


class Odd:
    """Raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError("repr")


def endless() -> Any:
    inner: list[Any] = []
    inner.append(inner)
    return inner


BAD = [
    Decimal("NaN"), Decimal("Infinity"), Decimal("1e999999"), sympy.nan, sympy.oo, sympy.pi,
    sympy.Symbol("x"), sympy.Matrix(0, 0, []), sympy.Matrix([[sympy.Symbol("x")]]), sympy.Matrix,
    flint.arb("0.1"), flint.fmpq_mat(0, 3), np.matrix([[np.nan]]), np.array(0.1), [[[1]]],
    "½", "1 / 3 / 3",
    None, ..., "", "x", "1/0", "nan", float("nan"), float("inf"), True, [], {}, [[]], [[], []],
    b"1", 3 + 4j, object(), Odd(), Odd, endless(), "1" * 10_000, 10**5000, [None], [["a"]],
    {"verdict": "perhaps"}, {1: 2}, np.zeros((0, 3)), np.array([[np.nan]]),
    [[float("nan")] * 2] * 2,
    np.zeros((2, 2, 2)), [[1, 2], [3]], range(0), "DROP TABLE",
]  # fmt: skip


@pytest.mark.parametrize("exercise", [each.name for each in exercises()])
def test_bad_input_gets_one_reply_and_no_traceback(exercise: str) -> None:
    for answer in BAD:
        reply = grade(exercise, answer)
        assert reply.verdict != "right"
        assert 10 < len(reply.text) < 1000
        assert "Traceback" not in reply.text and "0x" not in reply.text


NUMBERS = [each.name for each in exercises() if each.kind == "an exact number"]


@pytest.mark.parametrize("exercise", NUMBERS)
def test_floats_are_refused_where_exact_numbers_are_asked_for(exercise: str) -> None:
    reply = grade(exercise, float(SOLVED[exercise]))
    assert reply.verdict == "unreadable"
    assert "float" in reply.text
    assert grade(exercise, SOLVED[exercise] + F(1, 10**9)).verdict == "wrong"
    assert grade(exercise, SOLVED[exercise] - F(1, 10**9)).verdict == "wrong"


def test_an_unknown_exercise_names_near_ones() -> None:
    assert "'counting-3'" in grade("conting-3", 1).text
    assert grade("nothing at all", 1).verdict == "unreadable"
    assert grade(7, 1).verdict == "unreadable"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="counting-3"):
        find("countng-3")


def test_hints_are_a_ladder_without_the_answer_at_its_foot() -> None:
    for exercise in exercises():
        assert len(exercise.hints) >= 3
        assert hint(exercise.name, 1).startswith(f"Hint 1 of {len(exercise.hints)}: ")
        for secret in secrets(SOLVED[exercise.name]):
            assert secret.search(exercise.hints[0]) is None
            assert secret.search(exercise.prompt) is None
        for step in (0, len(exercise.hints) + 1, "x"):
            with pytest.raises(ValueError, match="has hints 1 to"):
                hint(exercise.name, step)  # type: ignore[arg-type]


def test_a_wrong_guess_does_not_tell_the_verdict() -> None:
    """The same event, called right: the reply is of the same form for broken and right ones."""
    texts = []
    for exercise, pair, event in (
        ("audit-11", [[0] * 5, [1, 0, 0, 0, 0]], "<= 0"),
        ("audit-12", [0, 1], "<= 0"),
    ):
        reply = grade(exercise, {"verdict": "right", "pair": pair, "event": event})
        texts.append(re.sub(r"\d[\d.e-]*", "", reply.text))
    assert texts[0] == texts[1]
