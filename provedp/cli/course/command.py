"""`provedp course`: lessons, exercises, handouts and grades."""

import click

from provedp.cli.lazy_group import LazyGroup

HOMES = {
    "list": "provedp.cli.course.catalogue:course_list",
    "show": "provedp.cli.course.catalogue:course_show",
    "open": "provedp.cli.course.catalogue:course_open",
    "build": "provedp.cli.course.classroom:course_build",
    "grade": "provedp.cli.course.classroom:course_grade",
}


@click.group(cls=LazyGroup, homes=HOMES)
def course() -> None:
    """Learn and teach: lessons, exercises with a grader, handouts, grades of a class."""
