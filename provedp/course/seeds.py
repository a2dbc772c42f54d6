"""Seeds among the arguments of a student's function, which arrive there as generators."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seed:
    """An argument that arrives as a numpy generator with this seed."""

    value: int


def with_generators(arguments: tuple[Any, ...]) -> list[Any]:
    """Return arguments, seeds as generators: those written as {'seed': …} too."""
    return [_generator(x) for x in arguments]


def _generator(argument: Any) -> Any:
    if isinstance(argument, dict) and set(argument) == {"seed"}:
        argument = Seed(argument["seed"])
    if not isinstance(argument, Seed):
        return argument
    import numpy as np  # few functions need it, and it takes a while

    return np.random.default_rng(argument.value)
