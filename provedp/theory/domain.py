"""Where a formula is defined: ranges as data, checked at the door.

`@domain(m=integers(2), k=reals(1))` checks the named arguments, lifts all numbers of one call to a
common field (see `numbers`) and raises one `ValueError` that names the argument, the range and the
value. The same ranges serve the command line and the tests of bad input.
"""

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ParamSpec, Protocol, TypeVar

import numpy as np
import sympy

from provedp.theory.docstrings import documented
from provedp.theory.matrices import (
    ROW_SUM_TOLERANCE,
    Matrix,
    entries,
    matrix,
    over_common_denominator,
)
from provedp.theory.numbers import (
    Field,
    Number,
    ball,
    certainly,
    common_field,
    field_of,
    is_finite,
    lift,
    rational,
    symbol,
)

P = ParamSpec("P")
R = TypeVar("R")

LONGEST = 200  # characters of a value that an error quotes


class Range(Protocol):
    """A set of allowed arguments."""

    def read(self, value: Any) -> Any:
        """Return the argument as a formula wants it; raise `ValueError` outside the set."""
        ...

    def __str__(self) -> str:
        """Complete the sentence 'must be …'."""
        ...


class OutsideError(ValueError):
    """An argument outside its range; the message may say where."""


def require(inside: bool, where: str = "") -> None:
    """Raise `OutsideError` unless `inside`; `where` says what was found (empty: the value)."""
    if not inside:
        raise OutsideError(where)


@dataclass(frozen=True)
class Integers:
    """Integers from `low` up to and including `high` (None: unbounded), or symbols for them."""

    low: int | None = None
    high: int | None = None
    symbolic: bool = False

    def read(self, value: Any) -> Any:
        """Return `value` as an `int`, or unchanged if it is an allowed sympy expression."""
        if isinstance(value, sympy.Expr) and not value.is_number:
            require(self.symbolic and bool(value.is_integer))
            return value
        require(field_of(value) <= Field.FLINT or isinstance(value, sympy.Integer))
        exact = rational(int(value)) if isinstance(value, sympy.Integer) else rational(value)
        require(exact.denominator == 1)
        require(self.low is None or exact >= self.low)
        require(self.high is None or exact <= self.high)
        return int(exact)

    def __str__(self) -> str:
        start = "(-inf" if self.low is None else f"[{self.low}"
        end = "inf)" if self.high is None else f"{self.high}]"
        return f"an integer in the range {start}, {end}"


@dataclass(frozen=True)
class Reals:
    """Real numbers between `low` and `high`, whose ends belong to it unless they are open.

    What is `apart` is lifted with what else is so, and not with the other numbers of a call.
    """

    low: Number | None = None
    high: Number | None = None
    open_low: bool = False
    open_high: bool = False
    apart: bool = False

    def read(self, value: Any) -> Any:
        """Return `value`, unless it is certainly outside (a ball may straddle an end)."""
        field = field_of(value)
        require(is_finite(value))
        if self.low is not None:
            low = lift(self.low, field)
            require(not certainly(value <= low if self.open_low else value < low))
        if self.high is not None:
            high = lift(self.high, field)
            require(not certainly(value >= high if self.open_high else value > high))
        return value

    def __str__(self) -> str:
        left = "(-inf" if self.low is None else f"{'(' if self.open_low else '['}{self.low}"
        right = "inf)" if self.high is None else f"{self.high}{')' if self.open_high else ']'}"
        return f"a number in the range {left}, {right}"


@dataclass(frozen=True)
class StochasticMatrix:
    """Matrices with non-negative entries and rows that sum to one."""

    square: bool = True

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix; exact rows must sum to one exactly."""
        result = read_matrix(value)
        rows, columns = result.shape
        require(not self.square or rows == columns, f"a matrix of shape {rows}×{columns}")
        require(rows >= 1 and columns >= 2, f"a matrix of shape {rows}×{columns}")
        for index, row in enumerate(result, start=1):
            _require_distribution(row, f"row {index}")
        return result

    def __str__(self) -> str:
        shape = "a square matrix" if self.square else "a matrix"
        return f"{shape} with at least two columns, entries ≥ 0 and rows that sum to 1"


@dataclass(frozen=True)
class Distribution:
    """Vectors with non-negative entries that sum to one."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a vector; an exact one must sum to one exactly."""
        vector: Matrix = read_matrix([list(value)])[0]
        _require_distribution(vector, "the vector")
        return vector

    def __str__(self) -> str:
        return "a vector with entries ≥ 0 that sum to 1"


@dataclass(frozen=True)
class RealVector:
    """Vectors of finite numbers."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a vector."""
        vector: Matrix = read_matrix([list(value)])[0]
        return vector

    def __str__(self) -> str:
        return "a vector of finite numbers"


@dataclass(frozen=True)
class SquareMatrix:
    """Square matrices of finite numbers."""

    def read(self, value: Any) -> Matrix:
        """Return `value` as a matrix."""
        result = read_matrix(value)
        require(result.shape[0] == result.shape[1], "a matrix of shape {}×{}".format(*result.shape))
        return result

    def __str__(self) -> str:
        return "a square matrix of finite numbers"


@dataclass(frozen=True)
class Objects:
    """Objects of some classes, or with all of some attributes; `what` is how messages name them."""

    what: str
    kinds: tuple[type, ...] = ()
    attributes: tuple[str, ...] = ()

    def read(self, value: Any) -> Any:
        """Return `value`."""
        has_all = bool(self.attributes) and all(hasattr(value, name) for name in self.attributes)
        kind = type(value).__name__
        require(isinstance(value, self.kinds) or has_all, f"one of type {kind}")
        return value

    def __str__(self) -> str:
        return self.what


@dataclass(frozen=True)
class Flag:
    """True and False."""

    def read(self, value: Any) -> bool:
        """Return `value` if it is a boolean."""
        require(isinstance(value, (bool, np.bool_)))
        return bool(value)

    def __str__(self) -> str:
        return "True or False"


@dataclass(frozen=True)
class Choice:
    """One of a few names."""

    names: tuple[str, ...]

    def read(self, value: Any) -> str:
        """Return `value` if it is one of the names."""
        require(value in self.names)
        return str(value)

    def __str__(self) -> str:
        return "one of " + ", ".join(repr(name) for name in self.names)


def read_matrix(value: Any) -> Matrix:
    """Return a list of equally long rows of finite numbers as a matrix; raise `OutsideError`."""
    try:
        result = matrix(value)
    except (TypeError, ValueError) as error:
        raise OutsideError(str(error)) from None
    require(result.ndim == 2, f"an array of {result.ndim} dimensions")
    if field_of(result[0, 0]) > Field.FLINT:
        for (i, j), entry in np.ndenumerate(result):
            require(is_finite(entry), f"{entry} in row {i + 1}, column {j + 1}")
    return result


def _require_distribution(row: Matrix, name: str) -> None:
    if field_of(row[0]) <= Field.FLINT:
        _require_exact_distribution(row, name)
        return
    for column, entry in enumerate(row, start=1):
        require(not certainly(entry < 0), f"{entry} in {name}, column {column}")
    total = sum(row[1:], row[0])
    require(_may_be_one(total), f"{name} that sums to {total}")


def _require_exact_distribution(row: Matrix, name: str) -> None:
    parts, whole = over_common_denominator(row)
    least = min(range(len(parts)), key=parts.__getitem__)
    require(parts[least] >= 0, f"{row[least]} in {name}, column {least + 1}")
    total = Fraction(sum(parts), whole)
    require(total == 1, f"{name} that sums to {total}")


def _may_be_one(total: Number) -> bool:
    field = field_of(total)
    if field is Field.FLOAT:
        return bool(abs(total - 1) <= ROW_SUM_TOLERANCE)
    if field is Field.BALL:
        return ball(total).contains(1)
    return sympy.simplify(symbol(total) - 1) == 0 or not symbol(total).is_number


def integers(
    low: int | None = None, high: int | None = None, *, symbolic: bool = False
) -> Integers:
    """Integers in [low, high], or sympy expressions for them if `symbolic`."""
    return Integers(low, high, symbolic)


def reals(
    low: Number | None = None,
    high: Number | None = None,
    *,
    open_low: bool = False,
    open_high: bool = False,
    apart: bool = False,
) -> Reals:
    """Real numbers between `low` and `high`; `apart` from the other numbers of a call or not."""
    return Reals(low, high, open_low, open_high, apart)


def name_of(function: Callable[..., Any]) -> str:
    """Return the public name of a formula or mechanism: subject and function."""
    parts = function.__module__.split(".")
    subject = parts[2] if len(parts) > 2 else parts[-1]
    return f"{subject}.{function.__qualname__}"


def argument_error(where: str, name: str, allowed: object, got: object) -> ValueError:
    """Return the one error sentence of the project: argument, range and value, not all digits."""
    text = str(got)
    found = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
    return ValueError(f"The '{name}' parameter of {where} must be {allowed}. Got {found} instead.")


def check_argument(where: str, name: str, allowed: Range, value: Any) -> Any:
    """Return `value` as `allowed` reads it; raise `argument_error` outside it."""
    try:
        return allowed.read(value)
    except (OutsideError, TypeError, OverflowError) as error:
        got = str(error) if isinstance(error, OutsideError) and str(error) else f"{value}"
        raise argument_error(where, name, allowed, got) from None


def check_float(where: str, name: str, allowed: Range, value: Any) -> float:
    """Return `value` as a float; raise `argument_error` outside what is allowed, or all floats."""
    try:
        return float(check_argument(where, name, allowed, value))
    except OverflowError:
        raise argument_error(where, name, allowed, "a number beyond all floats") from None


def domain(**ranges: Range) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check the named arguments of a formula and lift its numbers to a common field.

    Integers (`integers(…)`) stay integers; every other number and matrix entry of the call is
    lifted, those that are only compared with each other (`apart`) to a field of their own.
    The ranges are kept on the function as `ranges`, and `unchecked` is the same formula
    without them, for arguments outside its domain.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        optional = {
            name for name, parameter in signature.parameters.items() if parameter.default is None
        }

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = bound.arguments
            for name, allowed in ranges.items():
                if arguments[name] is None and name in optional:
                    continue
                arguments[name] = check_argument(name_of(function), name, allowed, arguments[name])
            try:
                _lift_all(arguments, ranges)
                return function(*bound.args, **bound.kwargs)
            except OverflowError as error:
                name = name_of(function)
                raise ValueError(f"{name} exceeds all floats at these arguments.") from error

        def unchecked(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, allowed in ranges.items():
                if isinstance(allowed, (StochasticMatrix, SquareMatrix)):
                    bound.arguments[name] = read_matrix(bound.arguments[name])
            _lift_all(bound.arguments, ranges)
            return function(*bound.args, **bound.kwargs)

        checked.__doc__ = documented(function.__doc__, signature, ranges)
        checked.ranges = ranges  # type: ignore[attr-defined]
        checked.unchecked = unchecked  # type: ignore[attr-defined]
        return checked

    return decorate


def _lift_all(arguments: dict[str, Any], ranges: Mapping[str, Range]) -> None:
    groups: dict[bool, list[str]] = {True: [], False: []}
    for name, allowed in ranges.items():
        if not isinstance(allowed, (Integers, Choice, Flag)) and arguments[name] is not None:
            groups[getattr(allowed, "apart", False)].append(name)
    for names in filter(None, groups.values()):
        _lift_together(arguments, names)


def _lift_together(arguments: dict[str, Any], names: Sequence[str]) -> None:
    field = common_field(itertools.chain.from_iterable(_numbers(arguments[name]) for name in names))
    for name in names:
        value = arguments[name]
        if isinstance(value, np.ndarray):
            arguments[name] = matrix(value, field)
        else:
            arguments[name] = lift(value, field)


def _numbers(value: Any) -> Iterable[Number]:
    return entries(value) if isinstance(value, np.ndarray) else (value,)
