"""The instances that a claim is checked on: none (a proof), a grid, listed cases, or generated."""

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from flint import arb
from hypothesis import strategies as st

Instance = dict[str, Any]

MOST_LISTED = 100_000  # values of one parameter; a generator may be endless
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
        if level is Level.QUICK:
            return self.quick
        return self.full() if callable(self.full) else self.full


def levels(quick: Any, full: Any) -> Levels:
    """Give a parameter fewer values in a quick run than in a full one.

    Where those of the full run take long to list, `full` is a function that returns them.
    """
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

    def at(self, name: str, level: Level) -> Any:
        """Return the values of one parameter."""
        return _at(self.values[name], level)

    def varies(self, name: str) -> bool:
        """Return whether a parameter has more than one value, as far as that is known."""
        values = self.values.get(name)
        both = (values.quick, values.full) if isinstance(values, Levels) else (values,)
        return any(
            isinstance(part, st.SearchStrategy) or callable(part) or len(part or ()) > 1
            for part in both
        )

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
    """Return the domain that a decorator's keywords describe, with generators written out.

    Each keyword is a parameter with its values (a list, a range, a generator, a hypothesis
    strategy, or `levels` of these); `cases` lists whole instances and `examples` says how many to
    generate.

    Raises
    ------
    TypeError, ValueError
        If values are no collection, unordered, endless, or repeat one; if `examples` is no count.
    """
    values = {name: value for name, value in domain.items() if name not in ("cases", "examples")}
    if values and "cases" in domain:
        raise ValueError("A domain lists whole cases or the values of its parameters, not both.")
    listed = {name: _each(_written_out, name, value) for name, value in values.items()}
    cases = _each(_written_out, "cases", domain["cases"]) if "cases" in domain else None
    if "examples" in domain:
        _each(_count, "examples", domain["examples"])
    return Instances(listed, cases, domain.get("examples"))


def _each(change: Any, name: str, value: Any) -> Any:
    if not isinstance(value, Levels):
        return change(name, value)
    quick, full = change(name, value.quick), value.full
    if callable(full):
        return Levels(quick, functools.cache(lambda: change(name, full())))
    return Levels(quick, change(name, full))


def _written_out(name: str, value: Any) -> Any:
    if isinstance(value, (st.SearchStrategy, range)):
        return value
    if isinstance(value, (str, bytes, set, frozenset, Mapping)) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is {value!r}: it must be a list of values or a strategy.")
    listed = tuple(itertools.islice(value, MOST_LISTED + 1))
    if len(listed) > MOST_LISTED:
        raise ValueError(f"{name} has more than {MOST_LISTED} values, or no end.")
    _require_distinct(name, listed)
    return listed


def _require_distinct(name: str, listed: Sequence[Any]) -> None:
    seen: set[str] = set()
    for value in listed:
        text = f"{type(value).__name__} {value!r}"
        if text in seen and not isinstance(value, arb):
            raise ValueError(f"{name} lists {value!r} twice.")
        seen.add(text)


def _count(name: str, value: Any) -> None:
    if type(value) is not int or value < 1:
        raise ValueError(f"{name} is {value!r}: it must be an int of at least 1.")


def _at(value: Any, level: Level) -> Any:
    return value.at(level) if isinstance(value, Levels) else value
