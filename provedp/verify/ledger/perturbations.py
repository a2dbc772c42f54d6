"""Wrong formulas: each is the one under test but for a factor, a summand, a sign or an argument."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Set
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.theory.domain import Integers
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.instances import InvalidMutantError

Formula = Callable[..., Any]

INTEGERS = Integers()  # what a parameter called m is taken for, unless its formula says otherwise
PARTS = 10_000  # a mutant is off by one of them


def mutants_of(claim: Claim) -> Iterator[tuple[str, Formula]]:
    """Yield the name and the function of each mutant of a claim's formula."""
    formula = claim.formula
    if formula is None:
        return
    yield "times 1 + 1e-4", _changed(formula, lambda number: number * (PARTS + 1) / PARTS)
    yield "times 1 − 1e-4", _changed(formula, lambda number: number * (PARTS - 1) / PARTS)
    yield "plus 1e-4", _changed(formula, lambda number: (number * PARTS + 1) / PARTS)
    yield "minus 1e-4", _changed(formula, lambda number: (number * PARTS - 1) / PARTS)
    yield "doubled", _changed(formula, lambda number: number * 2)
    yield "halved", _changed(formula, lambda number: number / 2)
    yield "of the other sign", _changed(formula, lambda number: -number)
    parameters = list(inspect.signature(formula).parameters)
    ranges: Mapping[str, Any] = getattr(formula, "ranges", {})
    if "m" in parameters and isinstance(ranges.get("m", INTEGERS), Integers):
        yield "size off by one", _with(formula, "m", lambda m: m + 1)
    if "k" in parameters:
        yield "ε for −ε", _with(formula, "k", lambda k: 1 / _exact(k))
        yield "ε for 2ε", _with(formula, "k", lambda k: k * k)
    if "delta" in parameters:
        yield "δ for 2δ", _with(formula, "delta", lambda delta: 2 * delta)
    if "channel" in parameters:
        yield "channel transposed", _with(formula, "channel", np.transpose)
    for mutant in claim.mutants:
        yield mutant.__name__, _guarded(mutant)


def _exact(value: Any) -> Any:
    return Fraction(value) if isinstance(value, int) else value


def _changed(formula: Formula, change: Callable[[Any], Any]) -> Formula:
    return _guarded(lambda *args, **kwargs: changed(formula(*args, **kwargs), change))


def _with(formula: Formula, name: str, change: Callable[[Any], Any]) -> Formula:
    """Return the formula, without its domain check, with one argument changed."""
    signature = inspect.signature(formula)
    unchecked = getattr(formula, "unchecked", formula)

    def perturbed(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        bound.arguments[name] = change(bound.arguments[name])
        return unchecked(*bound.args, **bound.kwargs)

    return _guarded(perturbed)


def _guarded(mutant: Formula) -> Formula:
    @functools.wraps(mutant)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return mutant(*args, **kwargs)
        except (ArithmeticError, ValueError, TypeError, IndexError, KeyError) as error:
            raise InvalidMutantError(str(error)) from error

    return guarded


def changed(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return `value` with every number in it changed; from a set, one element is dropped."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, Mapping):
        return {key: changed(part, change) for key, part in value.items()}
    if isinstance(value, Set):
        return frozenset(sorted(value)[1:])
    if isinstance(value, (list, tuple)):
        return [changed(part, change) for part in value]
    if isinstance(value, np.ndarray):
        return np.frompyfunc(lambda entry: change(_exact(entry)), 1, 1)(value)
    return change(_exact(value))
