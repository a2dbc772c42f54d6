"""The lessons in order, and all exercises, by name."""

import difflib
import functools
import importlib
from dataclasses import dataclass

from provedp.course.answers import described
from provedp.course.exercise import Exercise


@dataclass(frozen=True)
class Lesson:
    """A lesson: its number, the word its exercises begin with, its title and its notebooks."""

    number: int
    subject: str
    title: str
    notebooks: tuple[str, ...]


LESSONS = (
    Lesson(0, "promise", "What differential privacy promises", ("0_promise",)),
    Lesson(1, "mechanisms", "Basic mechanisms", ("1_mechanisms",)),
    Lesson(2, "composition", "Composition and accounting", ("2_composition",)),
    Lesson(3, "counting", "The optimal release of a count", ("3_counting",)),
    Lesson(4, "mixture", "Releasing a mixture", ("4_mixture", "4_mixture_release")),
    Lesson(5, "modes", "Finding modes privately", ("5_modes",)),
    Lesson(6, "audit", "Auditing a mechanism", ("6_audit",)),
    Lesson(7, "optimal", "The best release depends on what you fear", ("7_optimal",)),
    Lesson(8, "training", "Auditing a training, and its accountant", ("8_training",)),
)
ROOMS = {
    **{lesson.number: (lesson.subject,) for lesson in LESSONS},
    1: ("mechanisms", "selection"),
    6: ("audit", "mechanisms_to_audit"),
}  # modules of each lesson


@functools.cache
def _by_name() -> dict[str, Exercise]:
    found: dict[str, Exercise] = {}
    for lesson in LESSONS:
        for room in ROOMS[lesson.number]:
            module = importlib.import_module(f"provedp.course.lessons.{room}")
            found |= {exercise.name: exercise for exercise in module.EXERCISES}
    return found


def exercises(lesson: int | None = None) -> tuple[Exercise, ...]:
    """Return the exercises in order, of one lesson or of all.

    Raises
    ------
    ValueError
        If there is no such lesson.
    """
    if lesson is None:
        return tuple(_by_name().values())
    number = find_lesson(lesson).number
    return tuple(each for each in _by_name().values() if each.lesson == number)


def find_lesson(lesson: int | str) -> Lesson:
    """Return a lesson by its number or its subject.

    Raises
    ------
    ValueError
        If there is none.
    """
    for each in LESSONS:
        if str(lesson).strip() in (str(each.number), each.subject):
            return each
    raise ValueError(f"There are lessons 0 to {LESSONS[-1].number}. Got {described(lesson)}.")


def find(name: str) -> Exercise:
    """Return the exercise of this name.

    Raises
    ------
    ValueError
        If there is none; near names are said.
    """
    known = _by_name()
    if not isinstance(name, str):
        raise ValueError("The name of an exercise is a text, such as 'counting-3'.")
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    if plain in known:
        return known[plain]
    near = difflib.get_close_matches(plain, known, n=2)
    more = f"Did you mean {' or '.join(map(repr, near))}?" if near else "See provedp course list."
    raise ValueError(f"There is no such exercise. {more}")
