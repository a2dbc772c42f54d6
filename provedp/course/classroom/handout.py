"""Handouts without solutions, and the teacher's edition with them: folders, written whole."""

import json
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from provedp.course.catalogue import LESSONS, Lesson, exercises
from provedp.course.exercise import Exercise

HEADING = re.compile(r"### ([a-z]+-\d+)")
SETUP = "from fractions import Fraction\n\nfrom provedp.course import grade, hint\n\nanswers = {}"
FIRST_LINES = """# {title}

Write your answers into the cells; numbers are exact (`Fraction(1, 3)` or `"1/3"`). `grade` replies
to each, as often as you like. Hand in this notebook, or a JSON file of your answers."""
README = """# The course

Lessons in order, each with its exercises:

{rows}

Open a notebook with Jupyter, in an environment with `pip install 'provedp[all]'`. The lessons are
in `lessons`, the exercises in `exercises`. `provedp course show NAME --hint 1` gives a hint.
Hand in the notebooks of `exercises`, or a JSON file `{{"counting-1": "1/2", …}}` of answers.
"""


def notebooks_folder(given: Path | None = None) -> Path:
    """Return the folder of the lessons: the one given, or that of the repository.

    Raises
    ------
    ValueError
        If it does not hold the lessons: they are no part of the installed package.
    """
    folder = given or Path(__file__).resolve().parents[3] / "notebooks"
    if not (folder / f"{LESSONS[0].notebooks[0]}.ipynb").is_file():
        raise ValueError(
            f"{folder} holds no lessons. They are in the folder 'notebooks' of the repository, not"
            " in the installed package: name it with --notebooks."
        )
    return folder


def build(destination: Path, notebooks: Path | None = None, *, teacher: bool = False) -> None:
    """Write a handout, or the teacher's edition, into a new or empty folder.

    Parameters
    ----------
    destination
        The folder; it is written beside its place, and moved there when it is whole.
    notebooks
        The folder of the lessons, of the repository by default.
    teacher
        Whether to add the worked solutions, from the folder 'solutions' beside the lessons.

    Raises
    ------
    ValueError
        If the destination is not empty, or the lessons or solutions are not there.
    """
    if destination.exists() and (not destination.is_dir() or any(destination.iterdir())):
        raise ValueError(f"{destination} is there already, and is not an empty folder.")
    source = notebooks_folder(notebooks)
    contents = _handout(source)
    if teacher:
        contents |= _solutions(source / "solutions")
    beside = destination.parent / f".provedp-{secrets.token_hex(8)}"
    try:
        for name, text in contents.items():
            path = beside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        beside.replace(destination)
    except OSError as error:
        raise ValueError(f"{destination} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _handout(source: Path) -> dict[str, str]:
    contents = {"README.md": README.format(rows=_rows())}
    for lesson in LESSONS:
        for name in lesson.notebooks:
            path = source / f"{name}.ipynb"
            if not path.is_file():
                raise ValueError(f"{path} is missing.")
            contents[f"lessons/{path.name}"] = path.read_text(encoding="utf-8")
        contents[f"exercises/{_stem(lesson)}.ipynb"] = _notebook(_asked(lesson))
    return contents


def _rows() -> str:
    return "\n".join(
        f"{each.number}. {each.title}: {', '.join(each.notebooks)};"
        f" {len(exercises(each.number))} exercises"
        for each in LESSONS
    )


def _stem(lesson: Lesson) -> str:
    return f"exercises_{lesson.number}_{lesson.subject}"


def _asked(lesson: Lesson) -> Iterator[tuple[str, str]]:
    """Yield the cells of a sheet: setup, then question, place for the answer, and the grader."""
    yield "markdown", FIRST_LINES.format(title=f"Exercises {lesson.number}: {lesson.title}")
    yield "code", SETUP
    for exercise in exercises(lesson.number):
        yield "markdown", question(exercise)
        yield "code", f'answers["{exercise.name}"] = None  # such as {exercise.form}'
        yield "code", f'grade("{exercise.name}", answers["{exercise.name}"])'


def question(exercise: Exercise) -> str:
    """Return the question in Markdown, with what an answer is."""
    return (
        f"### {exercise.name}: {exercise.title}\n\n{exercise.prompt}\n\nThe answer is"
        f" {exercise.kind}."
    )


def _solutions(folder: Path) -> dict[str, str]:
    contents = {}
    for lesson in LESSONS:
        path = folder / f"{lesson.number}_{lesson.subject}.py"
        if not path.is_file():
            raise ValueError(
                f"{path} is missing: worked solutions are in the repository, not in the installed"
                " package."
            )
        text = path.read_text(encoding="utf-8")
        contents[f"solutions/{path.name}"] = text
        contents[f"solutions/{path.stem}.ipynb"] = _notebook(_solved(lesson, percent_cells(text)))
    return contents


def percent_cells(text: str) -> list[tuple[str, str]]:
    r"""Return the cells of a script in percent format.

    >>> percent_cells("# %% [markdown]\n# Text\n\n# %%\nx = 1\n")
    [('markdown', 'Text'), ('code', 'x = 1')]
    """
    cells = []
    for block in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        if "[markdown]" in head:
            lines = [re.sub(r"^# ?", "", line) for line in body.strip().splitlines()]
            cells.append(("markdown", "\n".join(lines)))
        else:
            cells.append(("code", body.strip()))
    return cells


def _solved(lesson: Lesson, cells: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the cells of a solution, each exercise with its question first and the grader last."""
    questions = {exercise.name: question(exercise) for exercise in exercises(lesson.number)}
    for kind, text in cells:
        found = HEADING.match(text) if kind == "markdown" else None
        if found and found[1] in questions:
            yield "markdown", questions[found[1]]
            text = "**Solution.** " + text.partition("\n")[2].strip()
        yield kind, text
        for name in re.findall(r'^answers\["([a-z]+-\d+)"\]', text, re.MULTILINE):
            yield "code", f'grade("{name}", answers["{name}"])'


def _notebook(cells: Iterator[tuple[str, str]]) -> str:
    document = {
        "cells": [_cell(place, kind, text) for place, (kind, text) in enumerate(cells)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _cell(place: int, kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": f"cell-{place}",
        "metadata": {},
        "source": text.splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})
