"""The fields of a description, read exactly; what does not fit is refused by its name."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import ctx

from provedp.cli.expressions import parse
from provedp.cli.numbers import BITS, exact_or_ball
from provedp.theory.domain import Integers, Range, check_argument, reals
from provedp.theory.numbers import Number, rational

MOST = 10**12  # of a scale, sensitivity or number of rounds
POSITIVE = reals(0, MOST, open_low=True)
SHARE = reals(0, 1, open_low=True)
NON_NEGATIVE = reals(0, MOST)
COUNT = Integers(1, 10**9)


class Fields:
    """The fields of one release.

    Parameters
    ----------
    where
        How messages name the release.
    fields
        What was given, by name.
    """

    def __init__(self, where: str, fields: Mapping[str, Any]):
        self._where = where
        self._fields = fields

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """Raise `ValueError` if there is a field that the release does not have."""
        for name in self._fields:
            if name not in set(known):
                raise ValueError(f"{self._where} has a field {name!r} that is not known here.")

    def has(self, name: str) -> bool:
        """Return whether a field was given."""
        return name in self._fields

    def given(self, name: str) -> str:
        """Return a field as it was written."""
        if name not in self._fields:
            raise ValueError(f"{self._where} has no field {name!r}.")
        return str(self._fields[name])

    def positive(self, name: str) -> Number:
        """Return a positive number."""
        return self._read(name, POSITIVE)

    def non_negative(self, name: str) -> Number:
        """Return a number that is at least 0."""
        return self._read(name, NON_NEGATIVE)

    def share(self, name: str) -> Number:
        """Return a number in (0, 1]."""
        return self._read(name, SHARE)

    def within(self, name: str, allowed: Range) -> Number:
        """Return a number in a range."""
        return self._read(name, allowed)

    def count(self, name: str) -> int:
        """Return a whole number that is at least 1."""
        return int(rational(self._read(name, COUNT)))

    def ratio(self, name: str) -> Number:
        """Return e to a number that is at least 0: exact for ln of a fraction."""
        expression = self._expression(name)
        self._checked(name, NON_NEGATIVE, exact_or_ball(expression))
        with ctx.workprec(BITS):
            return exact_or_ball(sympy.exp(expression))

    def _read(self, name: str, allowed: Range) -> Number:
        return self._checked(name, allowed, exact_or_ball(self._expression(name)))

    def _expression(self, name: str) -> sympy.Expr:
        value = self._fields.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction)):
            self.given(name)
            raise ValueError(f"{self._where}: {name!r} must be a number. Got {value!r} instead.")
        try:
            expression = parse(str(value))
        except ValueError as error:
            raise ValueError(f"{self._where}: {name!r}: {error}") from None
        if not expression.is_real:
            raise ValueError(f"{self._where}: {name!r} must be a number. Got {value} instead.")
        return expression

    def _checked(self, name: str, allowed: Range, value: Number) -> Number:
        try:
            read: Number = check_argument("account", name, allowed, value)
        except ValueError:
            raise ValueError(
                f"{self._where}: {name!r} must be {allowed}. Got {self.given(name)} instead."
            ) from None
        return read
