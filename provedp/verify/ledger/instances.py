"""The instances that a claim is checked on: none (a proof), a grid, listed cases, or generated."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hypothesis import strategies as st

Instance = dict[str, Any]

EXAMPLES = 100  # generated instances at the quick level; ten times as many at the full one


class InvalidMutantError(Exception):
    """A perturbed formula that cannot be evaluated, so that a check had nothing to notice."""


class Level(StrEnum):
    """How much of a claim's domain is run."""

    QUICK = "quick"
    FULL = "full"


@dataclass(frozen=True)
class Levels:
    """Values for the quick and for the full run of a claim."""

    quick: Any
    full: Any

    def at(self, level: Level) -> Any:
        """Return the values for `level`."""
        return self.full if level is Level.FULL else self.quick


def levels(quick: Any, full: Any) -> Levels:
    """Give a parameter fewer values in a quick run than in a full one."""
    return Levels(quick, full)


@dataclass(frozen=True)
class Instances:
    """A domain: parameters' values, listed cases, and how many examples to generate."""

    values: Mapping[str, Any]
    cases: Any = None
    examples: Any = None

    @property
    def are_enumerated(self) -> bool:
        """Whether anything short of all parameters is run (a proof has no instances)."""
        return bool(self.values) or self.cases is not None

    def strategy(self, level: Level) -> st.SearchStrategy[Instance] | None:
        """Return the generator of instances, if any value is one."""
        values = {name: _at(value, level) for name, value in self.values.items()}
        if not any(isinstance(value, st.SearchStrategy) for value in values.values()):
            return None
        return st.fixed_dictionaries(
            {
                name: value
                if isinstance(value, st.SearchStrategy)
                else st.sampled_from(list(value))
                for name, value in values.items()
            }
        )

    def count(self, level: Level) -> int:
        """Return how many instances a generator is asked for."""
        if self.examples is not None:
            return int(_at(self.examples, level))
        return EXAMPLES if level is Level.QUICK else 10 * EXAMPLES

    def listed(self, level: Level) -> Iterator[Instance]:
        """Yield the cases, then the grid; one empty instance for a proof."""
        if self.cases is not None:
            yield from _at(self.cases, level)
            return
        values = {name: list(_at(value, level)) for name, value in self.values.items()}
        for combination in itertools.product(*values.values()):
            yield dict(zip(values, combination, strict=True))


def instances_of(domain: Mapping[str, Any]) -> Instances:
    """Return the domain that a decorator's keywords describe.

    Each keyword is a parameter with its values (a list, a range, a hypothesis strategy, or
    `levels` of these); `cases` lists whole instances and `examples` says how many to generate.
    """
    values = {name: value for name, value in domain.items() if name not in ("cases", "examples")}
    if values and "cases" in domain:
        raise ValueError("A domain lists whole cases or the values of its parameters, not both.")
    return Instances(values, domain.get("cases"), domain.get("examples"))


def _at(value: Any, level: Level) -> Any:
    return value.at(level) if isinstance(value, Levels) else value
