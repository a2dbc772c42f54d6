"""Submissions that crash, hang, eat memory or lie; handouts without solutions; the commands."""

import csv
import json
import re
import runpy
import shutil
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
import sympy

from provedp.cli.main import main
from provedp.course import LESSONS, exercises
from provedp.course.classroom.grades import as_csv, as_json, grade_class
from provedp.course.classroom.handout import build, percent_cells
from provedp.course.classroom.submission import Limits
from provedp.course.classroom.wire import decode, encode

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = ROOT / "notebooks" / "solutions"
QUICK = Limits(seconds=120)


def run(line: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(line)
    shown = capsys.readouterr()
    return int(end.value.code or 0), shown.out, shown.err


FILES = {
    "a_right.json": '{"counting-1": "95/208", "promise-1": 0.1, "promise-2": [1, 3]}',
    "b_inner.json": '{"answers": {"counting-1": "1/3", "no-such-1": 2}}',
    "c_garbage.json": "{",
    "d_list.json": "[1, 2]",
    "e_late.py": "answers = {'counting-5': '7/2'}\nraise RuntimeError('late')",
    "f_none.py": "x = 1",
    "g_abort.py": "import os\nos.abort()",
    "h_exit.py": "answers = {'counting-5': 3}\nraise SystemExit(4)",
    "i_function.py": """
from fractions import Fraction
import sympy
print("noise")
def mechanism(count):
    q = [Fraction(1, 3) / 2 ** abs(n - count) for n in range(1, 6)]
    return [q[0] * 2, *q[1:4], q[4] * 2]
answers = {"mechanisms-10": mechanism, "mechanisms-1": sympy.Rational(3, 7),
           "counting-7": lambda m, k: 1 / 0}
""",
    "j_memory.py": "x = bytearray(10**10)\nanswers = {}",
    "k_forged.py": """
import provedp.course.grading
from provedp.course.exercise import Reply
provedp.course.grading.grade = lambda *_: Reply("counting-1", "right", "")
class Liar:
    def __eq__(self, other): return True
    def __hash__(self): return 0
answers = {"counting-1": Liar(), "counting-5": 3.5}
""",
    "l_notebook.ipynb": json.dumps({"cells": [
        {"cell_type": "markdown", "source": ["answers = None"]},
        {"cell_type": "code", "source": ["%matplotlib inline\\n", "answers = {}"]},
        {"cell_type": "code", "source": ["1 / 0"]},
        {"cell_type": "code", "source": ["answers['modes-5'] = [5]"]},
    ]}).replace("\\\\n", "\\n"),
    "=m.json": '{"modes-5": [1]}',
    "notes.txt": "not a submission",
}  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("submissions")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {each.submission: each for each in grade_class(folder, limits=QUICK)}


def verdicts(grades: Any) -> dict[str, str]:
    return {name: reply.verdict for name, reply in grades.replies.items()}


def test_every_submission_gets_its_line(graded: dict[str, Any]) -> None:
    assert set(graded) == set(FILES) - {"notes.txt"}
    assert all(each.of == len(exercises()) for each in graded.values())


def test_json_is_read_with_exact_decimals(graded: dict[str, Any]) -> None:
    assert graded["a_right.json"].points == 3
    assert verdicts(graded["b_inner.json"]) == {"counting-1": "wrong"}
    assert "no-such-1" in graded["b_inner.json"].problem


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("c_garbage.json", "no JSON"),
        ("d_list.json", "no object of answers"),
        ("e_late.py", "RuntimeError: late"),
        ("f_none.py", "no dictionary called 'answers'"),
        ("g_abort.py", "status -6"),
        ("h_exit.py", "SystemExit"),
        ("j_memory.py", "MemoryError"),
        ("l_notebook.ipynb", "ZeroDivisionError"),
    ],
)
def test_a_file_that_fails_says_so_and_harms_no_other(
    graded: dict[str, Any], name: str, problem: str
) -> None:
    assert problem in graded[name].problem


def test_what_was_answered_before_a_failure_counts(graded: dict[str, Any]) -> None:
    assert verdicts(graded["e_late.py"]) == {"counting-5": "right"}
    assert verdicts(graded["h_exit.py"]) == {"counting-5": "wrong"}
    assert verdicts(graded["l_notebook.ipynb"]) == {"modes-5": "right"}


def test_functions_stay_in_their_process_and_are_called_there(graded: dict[str, Any]) -> None:
    assert verdicts(graded["i_function.py"]) == {
        "mechanisms-10": "right",
        "mechanisms-1": "right",
        "counting-7": "wrong",
    }
    assert "ZeroDivisionError" in graded["i_function.py"].replies["counting-7"].text


def test_a_submission_cannot_touch_its_grade(graded: dict[str, Any]) -> None:
    assert verdicts(graded["k_forged.py"]) == {
        "counting-1": "unreadable",
        "counting-5": "unreadable",
    }
    assert graded["k_forged.py"].points == 0


def test_a_submission_that_hangs_is_ended(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text("while True: pass")
    (tmp_path / "sleep.py").write_text(
        "import time\nanswers = {'counting-7': lambda m, k: time.sleep(99)}"
    )
    loop, sleep = grade_class(tmp_path, limits=Limits(seconds=3))
    assert "more than 3 seconds" in loop.problem
    assert sleep.replies["counting-7"].verdict == "wrong"
    assert "more than 3 seconds" in sleep.replies["counting-7"].text


def test_the_table_and_the_replies(graded: dict[str, Any]) -> None:
    table = list(csv.DictReader(as_csv(list(graded.values())).splitlines()))
    rows = {row["submission"]: row for row in table}
    assert rows["a_right.json"]["counting-1"] == "1"
    assert rows["b_inner.json"]["counting-1"] == "0"
    assert rows["k_forged.py"]["counting-1"] == "unreadable"
    assert rows["f_none.py"]["counting-1"] == ""
    assert rows["'=m.json"]["points"] == "1"  # no spreadsheet takes it for a formula
    document = json.loads(as_json(list(graded.values())))
    assert document["format"] == "provedp grades 1"
    first = next(x for x in document["submissions"] if x["submission"] == "a_right.json")
    assert first["replies"]["promise-1"]["verdict"] == "right"


@pytest.mark.parametrize(
    "value",
    [3, F(3), F(1, 3), -0.5, "1/3", None, True, [1, [F(1, 2)]], {"a": {2: 3}}, {(1, 2): [0]}],
)
def test_answers_arrive_as_they_were(value: Any) -> None:
    sent = json.loads(json.dumps(encode(value, lambda _: 0)))
    found = decode(sent, lambda number: number)
    assert found == value
    assert type(found) is type(value)


def test_other_rationals_arrive_as_fractions() -> None:
    values = [np.int64(2), sympy.Rational(1, 3), np.array([[F(1, 2)]], dtype=object), {1, 2}]
    sent = json.loads(json.dumps(encode(values, lambda _: 0)))
    assert decode(sent, lambda _: None) == [2, F(1, 3), [[F(1, 2)]], {1, 2}]


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("editions")
    with pytest.raises(SystemExit) as end:
        main(["course", "build", "--handout", str(folder / "h"), "--teacher", str(folder / "t")])
    assert end.value.code == 0
    return folder / "h", folder / "t"


def texts(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_handout_holds_no_solution(editions: tuple[Path, Path]) -> None:
    handout = texts(editions[0])
    assert len([name for name in handout if name.startswith("exercises/")]) == 9
    assert len([name for name in handout if name.startswith("lessons/")]) == 10
    assert not any("solution" in name.lower() for name in handout)
    sources = [path.read_text(encoding="utf-8") for path in SOLUTIONS.glob("*.py")]
    assert len(sources) == 9
    for source in sources:
        for kind, cell in percent_cells(source):
            lines = [line.strip() for line in cell.splitlines()]
            if kind == "code":
                lines = [line for line in lines if line.startswith("answers[")]
            for line in (line for line in lines if len(line) > 30):
                escaped = json.dumps(line, ensure_ascii=False)[1:-1]
                assert not any(escaped in text for text in handout.values()), line
    for name, text in handout.items():
        assert "## Solution" not in text and "**Solution" not in text, name


def test_no_sheet_is_answered(editions: tuple[Path, Path], tmp_path: Path) -> None:
    sheets = sorted((editions[0] / "exercises").iterdir())
    for sheet in sheets:
        notebook = nbformat.read(sheet, as_version=4)
        nbformat.validate(notebook)
        given = re.findall(r'^answers\["[\w-]+"\] = (\w+)', sources(notebook), re.MULTILINE)
        assert given and set(given) == {"None"}
    shutil.copy(sheets[0], tmp_path)
    (grades,) = grade_class(tmp_path, limits=Limits(seconds=300))
    assert grades.points == 0
    assert grades.problem == ""


def sources(notebook: Any) -> str:
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")


def test_the_teachers_edition_is_solved(editions: tuple[Path, Path]) -> None:
    teacher = texts(editions[1])
    assert set(texts(editions[0])) < set(teacher)
    for lesson in LESSONS:
        stem = f"solutions/{lesson.number}_{lesson.subject}"
        notebook = nbformat.reads(teacher[f"{stem}.ipynb"], as_version=4)
        nbformat.validate(notebook)
        cells = [cell.source for cell in notebook.cells]
        for exercise in exercises(lesson.number):
            (asked,) = [i for i, x in enumerate(cells) if x.startswith(f"### {exercise.name}:")]
            assert cells[asked + 1].startswith("**Solution.** ")
            graded = f'grade("{exercise.name}", answers["{exercise.name}"])'
            assert graded in cells[asked:]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.subject)
def test_the_solutions_of_the_edition_run(
    editions: tuple[Path, Path], lesson: Any, tmp_path: Path
) -> None:
    name = f"{lesson.number}_{lesson.subject}.py"
    shutil.copy(editions[1] / "solutions" / name, tmp_path)
    names = runpy.run_path(str(tmp_path / name))
    assert len(names["answers"]) == len(exercises(lesson.number))


def test_a_full_folder_is_not_written_into(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="not an empty folder"):
        build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_missing_lessons_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="name it with --notebooks"):
        build(tmp_path / "out", tmp_path)
    notebooks = tmp_path / "notebooks"
    shutil.copytree(ROOT / "notebooks", notebooks, ignore=shutil.ignore_patterns("solutions"))
    with pytest.raises(ValueError, match="worked solutions are in the repository"):
        build(tmp_path / "out", notebooks, teacher=True)
    assert [path.name for path in tmp_path.iterdir()] == ["notebooks"]


def test_no_solution_is_in_the_package() -> None:
    package = ROOT / "provedp" / "course"
    for path in package.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert "answers[" not in source.replace('answers["{', "").replace(
            "answers[each", ""
        ).replace("answers\\[", ""), path


# The commands.


def test_list_show_and_hint(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(["course", "list"], capsys)
    assert status == 0
    assert all(exercise.name in out for exercise in exercises())
    status, out, _ = run(["course", "list", "--lesson", "modes"], capsys)
    assert "modes-1" in out and "counting-1" not in out
    status, out, _ = run(["course", "show", "counting-3"], capsys)
    assert status == 0 and "at least 15/31" in " ".join(out.split())
    status, out, _ = run(["course", "show", "counting-3", "--hint", "2"], capsys)
    assert out.startswith("Hint 2 of 3: ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("show conting-3", "counting-3"),
        ("show counting-3 --hint 9", "hints 1 to 3"),
        ("list --lesson 9", "lessons 0 to 8"),
        ("open 9", "lessons 0 to 8"),
        ("open 0 --notebooks nowhere", "holds no lessons"),
        ("build", "Say what to build"),
        ("build --handout x --teacher x", "the same file"),
        ("grade nowhere", "no folder of submissions"),
        ("grade . --csv x --json x", "the same file"),
        ("grade . --csv no/such/folder.csv", "cannot be written"),
        ("grade . --lesson x", "lessons 0 to 8"),
        ("grade . --seconds 0", "seconds"),
    ],
)
def test_a_wrong_request_is_one_line(
    line: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    status, out, error = run(["course", *line.split()], capsys)
    assert status == 2
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_open_prints_where_the_lesson_is(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(["course", "open", "4", "--path"], capsys)
    assert status == 0
    assert [Path(line).name for line in out.split()] == [
        "4_mixture.ipynb",
        "4_mixture_release.ipynb",
    ]
    assert all(Path(line).is_file() for line in out.split())


def test_grade_writes_both_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "ana.json").write_text('{"counting-5": "7/2", "modes-5": [9]}')
    files = [str(tmp_path / name) for name in ("g.csv", "g.json")]
    line = ["course", "grade", str(folder), "--csv", files[0], "--json", files[1], "--lesson", "3"]
    status, out, _ = run(line, capsys)
    assert status == 0
    assert out == "ana.json: 1 of 8\n"
    (row,) = csv.DictReader(Path(files[0]).read_text().splitlines())
    assert row["counting-5"] == "1" and "modes-5" not in row
    assert re.search(r'"points": 1', Path(files[1]).read_text())


@pytest.mark.parametrize("command", ["", "list", "show", "open", "build", "grade"])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(["course", *command.split(), "--help"], capsys)
    assert status == 0
    assert "Usage:" in out
