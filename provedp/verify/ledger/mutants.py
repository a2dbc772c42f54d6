"""No check that cannot fail: put perturbed formulas in the place of the one under test."""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.theory.domain import Integers
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import InvalidMutantError, Level
from provedp.verify.ledger.run import gather, verdict_of

Formula = Callable[..., Any]


INTEGERS = Integers()  # what a parameter called m is taken for, unless its formula says otherwise


@dataclass(frozen=True)
class MutantReport:
    """Which perturbed formulas a claim's check noticed.

    Parameters
    ----------
    id
        The claim.
    killed, alive, invalid
        Names of the mutants that were noticed, that passed, and that could not be evaluated.
    """

    id: str
    killed: tuple[str, ...]
    alive: tuple[str, ...]
    invalid: tuple[str, ...]

    @property
    def is_blind(self) -> bool:
        """Whether the check noticed none of its mutants."""
        return not self.killed


def applies_to(claim: Claim) -> bool:
    """Whether a claim has mutants: it has a formula under test and is on record as holding.

    A refuted claim is a check that fails; that it can pass is shown by its repair instead.
    """
    return claim.formula is not None and claim.verdict > Verdict.REFUTED


def judge(claim: Claim, level: Level = Level.QUICK) -> MutantReport:
    """Run a claim against each mutant of its formula."""
    outcomes: dict[str, list[str]] = {"killed": [], "alive": [], "invalid": []}
    for name, mutant in mutants_of(claim):
        outcomes[_outcome(claim, mutant, level)].append(name)
    return MutantReport(
        claim.id,
        tuple(outcomes["killed"]),
        tuple(outcomes["alive"]),
        tuple(outcomes["invalid"]),
    )


def _outcome(claim: Claim, mutant: Formula, level: Level) -> str:
    try:
        evidence = gather(claim, mutant, level, shrink=False)
    except InvalidMutantError:
        return "invalid"
    return "alive" if verdict_of(claim, evidence) is claim.verdict else "killed"


def mutants_of(claim: Claim) -> Iterator[tuple[str, Formula]]:
    """Yield the name and the function of each mutant of a claim's formula."""
    formula = claim.formula
    if formula is None:
        return
    yield "times 1 + 1e-4", _scaled(formula, Fraction(10001, 10000))
    yield "times 1 − 1e-4", _scaled(formula, Fraction(9999, 10000))
    parameters = list(inspect.signature(formula).parameters)
    ranges: Mapping[str, Any] = getattr(formula, "ranges", {})
    if "m" in parameters and isinstance(ranges.get("m", INTEGERS), Integers):
        yield "size off by one", _with(formula, "m", lambda m: m + 1)
    if "k" in parameters:
        yield "ε for −ε", _with(formula, "k", lambda k: 1 / _exact(k))
    if "delta" in parameters:
        yield "δ for 2δ", _with(formula, "delta", lambda delta: 2 * delta)
    if "channel" in parameters:
        yield "channel transposed", _with(formula, "channel", np.transpose)
    for mutant in claim.mutants:
        yield mutant.__name__, _guarded(mutant)


def _exact(value: Any) -> Any:
    return Fraction(value) if isinstance(value, int) else value


def _scaled(formula: Formula, factor: Fraction) -> Formula:
    return _guarded(lambda *args, **kwargs: scale(formula(*args, **kwargs), factor))


def _with(formula: Formula, name: str, change: Callable[[Any], Any]) -> Formula:
    """Return the formula, without its domain check, with one argument changed."""
    signature = inspect.signature(formula)
    unchecked = getattr(formula, "unchecked", formula)

    def changed(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        bound.arguments[name] = change(bound.arguments[name])
        return unchecked(*bound.args, **bound.kwargs)

    return _guarded(changed)


def _guarded(mutant: Formula) -> Formula:
    @functools.wraps(mutant)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return mutant(*args, **kwargs)
        except (ArithmeticError, ValueError, TypeError, IndexError) as error:
            raise InvalidMutantError(str(error)) from error

    return guarded


def scale(value: Any, factor: Fraction) -> Any:
    """Return `value` with every number in it times `factor`; from a set, one element is dropped."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, Mapping):
        return {key: scale(part, factor) for key, part in value.items()}
    if isinstance(value, Set):
        return frozenset(sorted(value)[1:])
    if isinstance(value, (list, tuple)):
        return [scale(part, factor) for part in value]
    return _exact(value) * factor.numerator / factor.denominator
