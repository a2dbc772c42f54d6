"""The grades of a class: every submission of a folder, and tables of what came out."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provedp.course.catalogue import exercises
from provedp.course.classroom.submission import SUFFIXES, Limits, opened
from provedp.course.exercise import RIGHT, UNREADABLE, WRONG, Exercise, Reply
from provedp.course.grading import grade

FORMAT = "provedp grades 1"
CELLS = {RIGHT: "1", WRONG: "0", UNREADABLE: "unreadable"}
FORMULA = ("=", "+", "-", "@", "\t")  # with which a spreadsheet would begin to compute


@dataclass(frozen=True)
class Grades:
    """What one submission got: replies by exercise, and what was wrong with the file."""

    submission: str
    replies: dict[str, Reply]
    of: int
    problem: str = ""

    @property
    def points(self) -> int:
        """How many answers are right."""
        return sum(map(bool, self.replies.values()))


def grade_class(
    folder: Path,
    lessons: Sequence[int] = (),
    limits: Limits | None = None,
    done: Callable[[Grades], None] = lambda grades: None,
) -> list[Grades]:
    """Grade every submission of a folder: JSON files, scripts and notebooks.

    A file that crashes, hangs or cannot be read gets a problem; the others are graded all the same.

    Parameters
    ----------
    lessons
        Whose exercises count; all by default.
    limits
        Of each script or notebook.
    done
        Called after each submission.

    Raises
    ------
    ValueError
        If the folder is none, or holds no submission.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder of submissions.")
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    if not paths:
        raise ValueError(f"{folder} holds no submission: none of {', '.join(SUFFIXES)}.")
    asked = [each for each in exercises() if not lessons or each.lesson in lessons]
    graded = []
    for path in paths:
        graded.append(_graded(path, asked, limits or Limits()))
        done(graded[-1])
    return graded


def _graded(path: Path, asked: Sequence[Exercise], limits: Limits) -> Grades:
    known = {exercise.name for exercise in exercises()}
    with opened(path, limits) as submission:
        replies = {
            each.name: grade(each.name, submission.answers[each.name])
            for each in asked
            if submission.answers.get(each.name) is not None
        }
        problems = [submission.problem] if submission.problem else []
        if strange := sorted(set(submission.answers) - known):
            problems.append(f"no exercise is called {', '.join(strange)[:200]}")
    return Grades(path.name, replies, len(asked), "; ".join(problems))


def as_csv(graded: Sequence[Grades], lessons: Sequence[int] = ()) -> str:
    """Return a table: a line for each submission, a column for each exercise (1, 0 or empty)."""
    names = [each.name for each in exercises() if not lessons or each.lesson in lessons]
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["submission", "points", "of", *names, "problem"])
    for each in graded:
        cells = [
            CELLS[each.replies[name].verdict] if name in each.replies else "" for name in names
        ]
        row = [_plain(each.submission), each.points, each.of, *cells, _plain(each.problem)]
        writer.writerow(row)
    return table.getvalue()


def _plain(text: str) -> str:
    one_line = " ".join(text.split())
    return f"'{one_line}" if one_line.startswith(FORMULA) else one_line


def as_json(graded: Sequence[Grades]) -> str:
    """Return all replies."""
    return json.dumps(
        {"format": FORMAT, "submissions": list(map(_entry, graded))}, indent=1, ensure_ascii=False
    )


def _entry(grades: Grades) -> dict[str, Any]:
    return {
        "submission": grades.submission,
        "points": grades.points,
        "of": grades.of,
        "problem": grades.problem,
        "replies": {
            name: {"verdict": reply.verdict, "text": reply.text}
            for name, reply in grades.replies.items()
        },
    }
