"""Answers that are mechanisms: tables of probabilities, row by row."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from provedp.course.answers import table
from provedp.course.exercise import UnreadableError, WrongError
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, rational
from provedp.theory.privacy import worst_event

MOST_COLUMNS = 40
THINK_PRIVATE = (
    "Think: take from that event in the first row, or give to it in the second, and look at the"
    " other neighbours again."
)


def mechanism(
    answer: Any, rows: int, columns: int | None = None, what: str = "the answer"
) -> Matrix:
    """Return a table of fractions whose rows are distributions.

    Raises
    ------
    WrongError
        If a row is none: which, and by how much.
    UnreadableError
        If it is no table of this shape.
    """
    read = table(answer, rows, columns, what)
    if read.shape[1] > MOST_COLUMNS:
        raise UnreadableError(f"The table has {read.shape[1]} columns: {MOST_COLUMNS} are enough.")
    for i, row in enumerate(read, start=1):
        require_distribution(row, f"row {i} of {what}")
    return read


def require_distribution(row: Sequence[Fraction] | Matrix, name: str) -> None:
    """Raise `WrongError` unless the numbers are not negative and sum to one."""
    name = name[:1].upper() + name[1:]
    for column, entry in enumerate(row, start=1):
        if entry < 0:
            raise WrongError(
                f"{name} has {entry} in place {column}.", "Think: it is a probability."
            )
    total = sum(row, Fraction(0))
    if total != 1:
        more = f"{total - 1} too much" if total > 1 else f"{1 - total} too little"
        raise WrongError(f"{name} sums to {total}: {more}.")


def neighbours(rows: int) -> list[tuple[int, int]]:
    """Return the ordered pairs of consecutive rows, counted from 1."""
    return [pair for a in range(1, rows) for pair in ((a, a + 1), (a + 1, a))]


def require_private(
    table_: Matrix,
    k: Fraction | int,
    delta: Fraction | int = 0,
    pairs: Iterable[tuple[int, int]] | None = None,
    *,
    name: str = "It",
    row: str = "row",
) -> None:
    """Raise `WrongError` unless the rows are (ln k, δ)-private: rows, event and excess are said.

    Parameters
    ----------
    pairs
        Ordered pairs of rows, counted from 1; consecutive ones in both orders by default.
    name, row
        What the table and its rows are called.
    """
    promised = Fraction(delta)
    for a, b in neighbours(len(table_)) if pairs is None else pairs:
        event = worst_event(table_[a - 1], table_[b - 1], Fraction(k))
        if rational(event.delta) > promised:
            raise WrongError(
                f"{name} is not (ln {k}, {promised})-private.",
                told_apart(table_, (a, b), event.outcomes, Fraction(k), promised, row),
                THINK_PRIVATE,
            )


def told_apart(
    table_: Matrix,
    rows: tuple[int, int],
    outcomes: Iterable[int],
    k: Fraction,
    delta: Fraction,
    row: str = "row",
) -> str:
    """Return the sentence on an event that tells two rows apart; outcomes counted from 0."""
    inside = sorted(outcomes)
    own, other = (sum((table_[i - 1][j] for j in inside), Fraction(0)) for i in rows)
    gap = own - k * other
    excess = f", more than {delta} by {gap - delta}" if delta else ", more than 0"
    where = f"in {row}" if row == "row" else f"for {row}"
    return (
        f"The event U = {event_text(j + 1 for j in inside)} has probability {own} {where} {rows[0]}"
        f" and {other} {where} {rows[1]}: {own} − {k} · {other} = {gap}{excess}."
    )


def event_text(members: Iterable[int]) -> str:
    """Return '{1, 3}'."""
    return "{" + ", ".join(map(str, sorted(members))) + "}"


def require_kept(table_: Matrix, kept: Number, name: str = "count", stated: bool = False) -> None:
    """Raise `WrongError` if a diagonal entry is below what can be `kept`.

    The reply says which, and by how much only if the question has `stated` what is to be reached.
    """
    least = rational(kept)
    for i, row in enumerate(table_, start=1):
        if row[i - 1] < least:
            short = f", {least - row[i - 1]} less than asked for" if stated else ""
            raise WrongError(
                f"It is private, but {name} {i} is kept with probability {row[i - 1]} only{short}:"
                f" it is lost with probability {1 - row[i - 1]}, and less is possible.",
                "Think: which constraint of this row is no equality yet?",
            )
