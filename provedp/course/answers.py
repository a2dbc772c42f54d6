"""What students write, read as exact numbers, tables and events.

A number is an integer, a `Fraction`, a `Decimal`, a rational of flint or sympy, or a text such as
'1/3' or '0.25'; a table is a list of rows, an array, or a matrix of sympy or flint. A float is
refused where an exact number is asked for: it is not the number that was meant. Where decimals are
asked for it counts as the decimal that Python prints.
"""

import math
import numbers
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from provedp.course.exercise import UnreadableError
from provedp.theory.matrices import Matrix, matrix
from provedp.theory.numbers import Field

LONGEST = 300  # characters of a number
LARGEST = 2000  # entries of a list
TEXT = re.compile(r"\s*([+-]?\d+\s*/\s*\d+|[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?)\s*")


def number(value: Any, what: str = "the answer") -> Fraction:
    """Return an exact number as a fraction; refuse floats.

    Raises
    ------
    UnreadableError
        If it is none.
    """
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise UnreadableError(f"{_capital(what)} is {value}, which is no number.")
        raise UnreadableError(
            f"{_capital(what)} is the float {value!r}, and a float is rarely the number that is"
            " meant: 1/3 cannot be one. Write an exact number, Fraction(1, 3) or '1/3'."
        )
    return _exact(value, what)


def decimal(value: Any, what: str = "the answer") -> Fraction:
    """Return a number as a fraction; a float counts as the decimal that Python prints."""
    if isinstance(value, (float, np.floating)):
        if not math.isfinite(value):
            raise UnreadableError(f"{_capital(what)} is {value}, which is no number.")
        return Fraction(repr(float(value)))
    return _exact(value, what)


def _exact(value: Any, what: str) -> Fraction:
    if isinstance(value, (str, Decimal)):
        return _from_text(str(value), what)
    if not isinstance(value, (bool, np.bool_)):
        for above, below in (("numerator", "denominator"), ("p", "q")):
            parts = getattr(value, above, None), getattr(value, below, None)
            if all(part is not None and not callable(part) for part in parts):
                return _bounded(Fraction(int(parts[0]), int(parts[1])), what)  # type: ignore[arg-type]
        if hasattr(value, "__index__") and not hasattr(value, "__len__"):  # flint's integers
            return _bounded(Fraction(value.__index__()), what)
    raise UnreadableError(
        f"{_capital(what)} should be an exact number, such as 2, Fraction(1, 3) or '1/3'."
        f" Got {described(value)}."
    )


def _from_text(text: str, what: str) -> Fraction:
    plain = text.replace("\N{MINUS SIGN}", "-")
    if len(text) <= LONGEST and TEXT.fullmatch(plain):
        try:
            return Fraction("".join(plain.split()))
        except ZeroDivisionError:
            raise UnreadableError(f"{_capital(what)} divides by zero.") from None
    raise UnreadableError(
        f"{_capital(what)} should be a number such as '1/3' or '0.25'. Got {described(text)}."
    )


def _bounded(value: Fraction, what: str) -> Fraction:
    if max(abs(value.numerator), value.denominator).bit_length() > 4 * LONGEST:
        raise UnreadableError(f"{_capital(what)} has more than {LONGEST} digits.")
    return value


def whole(value: Any, what: str = "the answer") -> int:
    """Return an integer."""
    exact = number(value, what)
    if exact.denominator != 1:
        raise UnreadableError(f"{_capital(what)} should be a whole number. Got {exact}.")
    return int(exact)


def listed(value: Any, what: str = "the answer") -> list[Any]:
    """Return the entries of a list, a tuple or an array, or the rows of a matrix."""
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(np.asarray(value))
    elif not isinstance(value, (Sequence, np.generic, np.ndarray, type)):
        rows = getattr(value, "tolist", None)  # of sympy's and flint's matrices
        value = rows() if callable(rows) else value
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise UnreadableError(f"{_capital(what)} should be a list. Got {described(value)}.")
    if not value:
        raise UnreadableError(f"{_capital(what)} is empty.")
    if len(value) > LARGEST:
        raise UnreadableError(f"{_capital(what)} has {len(value)} entries: too many to look at.")
    return list(value)


def vector(value: Any, length: int | None = None, what: str = "the answer") -> list[Fraction]:
    """Return exact numbers, as many as asked for."""
    entries = _flat(listed(value, what))
    if length is not None and len(entries) != length:
        raise UnreadableError(f"{_capital(what)} should have {length} entries, not {len(entries)}.")
    return [number(entry, f"entry {i} of {what}") for i, entry in enumerate(entries, start=1)]


def _flat(entries: list[Any]) -> list[Any]:
    """Return the entries of a row or a column, which may be written as a matrix."""
    inner = [listed(entry) if _is_listed(entry) else [] for entry in entries]
    if all(len(each) == 1 for each in inner):
        return [each[0] for each in inner]
    return inner[0] if len(inner) == 1 and inner[0] else entries


def _is_listed(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return bool(value.size)
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) > 0


def table(
    value: Any, rows: int | None = None, columns: int | None = None, what: str = "the answer"
) -> Matrix:
    """Return rows of exact numbers, all of one length, as a matrix of fractions."""
    listed_rows = listed(value, what)
    if rows is not None and len(listed_rows) != rows:
        raise UnreadableError(f"{_capital(what)} should have {rows} rows, not {len(listed_rows)}.")
    read: list[list[Fraction]] = []
    for i, row in enumerate(listed_rows, start=1):
        entries = listed(row, f"row {i} of {what}")
        wanted = columns if columns is not None else len(read[0]) if read else len(entries)
        if len(entries) != wanted:
            raise UnreadableError(
                f"Row {i} of {what} should have {wanted} entries, not {len(entries)}."
            )
        read.append(
            [number(x, f"row {i}, column {j} of {what}") for j, x in enumerate(entries, start=1)]
        )
    return matrix(read, Field.RATIONAL)


def subset(value: Any, size: int, what: str = "the event") -> frozenset[int]:
    """Return some of 1, …, size."""
    if isinstance(value, Set):
        value = list(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and not len(value):
        return frozenset()
    members = [whole(entry, f"a member of {what}") for entry in listed(value, what)]
    for member in members:
        if not 1 <= member <= size:
            raise UnreadableError(f"{_capital(what)} may hold 1 to {size}. Got {member}.")
    return frozenset(members)


def parts(value: Any, *keys: str) -> list[Any]:
    """Return the values of a dictionary with exactly these keys."""
    if not isinstance(value, Mapping):
        raise UnreadableError(
            f"The answer should be a dictionary with the keys {_quoted(keys)}."
            f" Got {described(value)}."
        )
    missing = [key for key in keys if key not in value]
    if missing:
        raise UnreadableError(f"The answer lacks the key {_quoted(missing)}.")
    return [value[key] for key in keys]


def described(value: Any) -> str:
    """Return a few words for anything: short, whatever it is."""
    if value is None:
        return "nothing"
    if isinstance(value, (bool, str, int, float, numbers.Rational)):
        try:
            text = repr(value)
        except ValueError:  # more digits than Python prints
            text = "a number that is too long"
        return text if len(text) <= 60 else f"{text[:57]}…"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _quoted(keys: Iterable[str]) -> str:
    return " and ".join(map(repr, keys))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
