"""How private records are read: refusals tell neither values nor how many records there are."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from provedp.theory.arrays import Floats
from provedp.theory.domain import OutsideError, require

__all__ = ["Records", "Response", "floats"]


@dataclass(frozen=True)
class Records:
    """Arrays of finite numbers, a row for each record.

    Parameters
    ----------
    columns
        Their number, if it is public; a list of no rows has as many then.
    most
        Largest number of columns.
    hidden
        Whether it is private that there are records at all. A list of no rows does not tell its
        columns: without a public number of them, an array is asked for, records or not.
    """

    columns: int | None
    most: int
    hidden: bool = False

    def read(self, value: Any) -> Floats:
        """Return `value` as floats."""
        if self.hidden and self.columns is None:
            require(hasattr(value, "shape"), "rows in a list, not in an array")
        found = floats(value)
        if self.columns is not None and found.shape == (0,):
            found = found.reshape(0, self.columns)
        require(found.ndim == 2, "an array that is not two-dimensional")
        columns = found.shape[1]
        require(1 <= columns <= self.most and self.columns in (None, columns), f"{columns} columns")
        finite = np.isfinite(found)
        if not finite.all():
            column = int(np.argmin(finite.all(axis=0)))
            require(False, f"a number in column {column + 1} that is not finite")
        return found

    def __str__(self) -> str:
        columns = f"1 to {self.most}" if self.columns is None else self.columns
        return f"an array of finite numbers with {columns} columns and a row for each record"


@dataclass(frozen=True)
class Response:
    """Arrays of finite numbers, one for each record."""

    records: int

    def read(self, value: Any) -> Floats:
        """Return `value` as floats."""
        found = floats(value)
        require(found.ndim == 1, "an array that is not one-dimensional")
        require(len(found) == self.records, "another number of them")
        require(bool(np.isfinite(found).all()), "a number that is not finite")
        return found

    def __str__(self) -> str:
        return "an array of finite numbers, one for each row of 'X'"


def floats(value: Any) -> Floats:
    """Return an array of floats; a masked or complex one, or what is no array, is refused."""
    require(not np.ma.isMaskedArray(value), "a masked array")
    require(not np.iscomplexobj(value), "complex numbers")
    try:
        return np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # whose texts quote what they choke on
        raise OutsideError("something that is no array of numbers") from None
