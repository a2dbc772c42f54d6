"""`provedp course list`, `show` and `open`."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import click

from provedp.course.catalogue import LESSONS, exercises, find, find_lesson
from provedp.course.classroom.handout import notebooks_folder
from provedp.course.grading import hint as hint_of

JUPYTERS = ("jupyterlab", "notebook")


@click.command("list")
@click.option("--lesson", metavar="N", help="Of one lesson only: its number or subject.")
def course_list(lesson: str | None) -> int:
    """List the lessons and their exercises."""
    for each in LESSONS if lesson is None else (find_lesson(lesson),):
        click.echo(f"{each.number}  {each.title}")
        for exercise in exercises(each.number):
            click.echo(f"   {exercise.name:<15} {exercise.title}")
    return 0


@click.command("show")
@click.argument("exercise")
@click.option("--hint", "step", type=int, metavar="STEP", help="Print this hint, from 1 on.")
def course_show(exercise: str, step: int | None) -> int:
    """Print one EXERCISE, such as counting-3: the question, and what an answer is."""
    found = find(exercise)
    if step is not None:
        click.echo(hint_of(found.name, step))
        return 0
    click.echo(f"{found.name}: {found.title} (lesson {found.lesson})\n\n{found.prompt}\n")
    click.echo(f"The answer is {found.kind}.")
    click.echo(f'To try one:  grade("{found.name}", {found.form})')
    click.echo(f"Hints:  provedp course show {found.name} --hint 1 (up to {len(found.hints)})")
    return 0


@click.command("open")
@click.argument("lesson")
@click.option("--path", "only_path", is_flag=True, help="Print where it is; start nothing.")
@click.option("--notebooks", type=click.Path(path_type=Path), help="The folder of the lessons.")
def course_open(lesson: str, only_path: bool, notebooks: Path | None) -> int:
    """Open a LESSON, by its number or subject, in Jupyter if it is installed."""
    found = find_lesson(lesson)
    folder = notebooks_folder(notebooks)
    paths = [folder / f"{name}.ipynb" for name in found.notebooks]
    click.echo("\n".join(map(str, paths)))
    if only_path:
        return 0
    for module in JUPYTERS:
        if importlib.util.find_spec(module) is not None:
            return subprocess.run([sys.executable, "-m", module, str(paths[0])]).returncode
    click.echo("Jupyter is not installed: pip install jupyterlab", err=True)
    return 0
