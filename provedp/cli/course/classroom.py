"""`provedp course build` and `grade`."""

from pathlib import Path

import click

from provedp.course.catalogue import find_lesson
from provedp.course.classroom.grades import Grades, as_csv, as_json, grade_class
from provedp.course.classroom.handout import build
from provedp.course.classroom.submission import Limits
from provedp.verify.files import require_apart, require_writable, write

FOLDER = click.Path(path_type=Path)


@click.command("build")
@click.option("--handout", type=FOLDER, metavar="DIR", help="Lessons and exercises for students.")
@click.option("--teacher", type=FOLDER, metavar="DIR", help="The same with worked solutions.")
@click.option("--notebooks", type=FOLDER, help="The folder of the lessons.")
def course_build(handout: Path | None, teacher: Path | None, notebooks: Path | None) -> int:
    """Write the handout, or the teacher's edition, into a new folder."""
    if handout is None and teacher is None:
        raise ValueError("Say what to build: --handout DIR, --teacher DIR, or both.")
    if handout is not None and teacher is not None:
        require_apart([handout, teacher])
    for folder, with_solutions in ((handout, False), (teacher, True)):
        if folder is not None:
            build(folder, notebooks, teacher=with_solutions)
            click.echo(f"{folder}: {'with' if with_solutions else 'without'} solutions")
    return 0


@click.command("grade")
@click.argument("folder", type=FOLDER)
@click.option("--csv", "csv_path", type=FOLDER, metavar="FILE", help="Write a table of points.")
@click.option("--json", "json_path", type=FOLDER, metavar="FILE", help="Write all replies.")
@click.option("--lesson", "lessons", multiple=True, metavar="N", help="Count these lessons only.")
@click.option("--seconds", default=60, type=click.IntRange(1, 3600), show_default=True,
              help="For one script or notebook.")  # fmt: skip
@click.option("--megabytes", default=2048, type=click.IntRange(256), show_default=True,
              help="Of memory for one script or notebook.")  # fmt: skip
def course_grade(
    folder: Path,
    csv_path: Path | None,
    json_path: Path | None,
    lessons: tuple[str, ...],
    seconds: int,
    megabytes: int,
) -> int:
    """Grade a FOLDER of submissions: JSON files, scripts and notebooks.

    A JSON file holds an object of answers by exercise. A script or notebook leaves a dictionary
    called 'answers'; it runs in a process of its own with limits of time and memory, but with your
    rights: take JSON from whom you do not trust.
    """
    chosen = [find_lesson(lesson).number for lesson in lessons]
    files = [path for path in (csv_path, json_path) if path is not None]
    require_apart(files)
    for path in files:
        require_writable(path)
    graded = grade_class(folder, chosen, Limits(seconds, megabytes), _print)
    if csv_path is not None:
        write(csv_path, as_csv(graded, chosen))
    if json_path is not None:
        write(json_path, as_json(graded))
    return 0


def _print(grades: Grades) -> None:
    problem = f"  {grades.problem}" if grades.problem else ""
    click.echo(f"{grades.submission}: {grades.points} of {grades.of}{problem}")
