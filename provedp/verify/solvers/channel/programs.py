"""The linear programs of the counting paper, for the exact solver.

Columns: p_ij is column i M + j (from 0), then x if it is there, then the slacks of the events.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from provedp.theory.counting import diagonal
from provedp.theory.counting.release import COUNTS
from provedp.theory.domain import domain, integers
from provedp.theory.matrices import Matrix, identity
from provedp.theory.numbers import Field, Number
from provedp.verify.solvers.channel.bracket import Dual, RationalChannel, RationalReals
from provedp.verify.solvers.linear_programs.rational import LinearProgram, Optimum, solve

__all__ = [
    "count_event_constraints",
    "count_reduced_constraints",
    "least_error_of_literal_substitution",
    "solve_with_all_events",
]

Row = Mapping[int, Number]
Rows = list[tuple[Row, Number]]
ONE = Fraction(1)


def neighbours(size: int) -> list[tuple[int, int]]:
    """Return the ordered pairs of neighbouring counts, from 1."""
    return [pair for a in range(1, size) for pair in ((a, a + 1), (a + 1, a))]


def output(channel: Matrix, i: int, j: int) -> Row:
    """Return [PT]_ij (indices from 0) as a row over the entries of P."""
    size = len(channel)
    return {i * size + mid: channel[mid, j] for mid in range(size) if channel[mid, j] != 0}


def _plus(left: Row, right: Row, factor: Number) -> Row:
    total: dict[int, Number] = dict(left)
    for column, value in right.items():
        total[column] = total.get(column, 0) + factor * value
    return total


def _private(channel: Matrix, k: Number, delta: Number, first: int) -> tuple[Rows, Rows, int]:
    """Return the rows Q_aj − k Q_bj ≤ s_abj, the budgets Σ_j s_abj ≤ δ, and the next free column.

    The slacks start at column `first`; at δ = 0 they are left out with their budgets.
    """
    size = len(channel)
    gaps: Rows = []
    budgets: Rows = []
    for a, b in neighbours(size):
        for j in range(size):
            gap = _plus(output(channel, a - 1, j), output(channel, b - 1, j), -k)
            gaps.append(({**gap, first + j: -1} if delta else gap, Fraction(0)))
        if delta:
            budgets.append((dict.fromkeys(range(first, first + size), 1), delta))
            first += size
    return gaps, budgets, first


def _sums(size: int) -> Rows:
    return [(dict.fromkeys(range(i * size, (i + 1) * size), 1), ONE) for i in range(size)]


def _below_diagonal(channel: Matrix) -> Rows:
    """Return the rows x ≤ Q_ii."""
    size = len(channel)
    return [({**_plus({}, output(channel, i, i), -1), size**2: 1}, 0) for i in range(size)]


def program_behind(channel: Matrix, k: Number, delta: Number) -> LinearProgram:
    """Return the program max x subject to x ≤ Q_ii, Q = PT private, P stochastic."""
    size = len(channel)
    gaps, budgets, columns = _private(channel, k, delta, size**2 + 1)
    at_most = [*_below_diagonal(channel), *gaps, *budgets]
    return LinearProgram(columns, {size**2: 1}, at_most, _sums(size))


def dual_of(optimum: Optimum, size: int) -> Dual:
    """Return the multipliers of `program_behind` in the form that certificates have."""
    rows = {
        pair: optimum.dual[size * start : size * (start + 1)]
        for start, pair in enumerate(neighbours(size), start=1)
    }
    return Dual(optimum.dual[:size], {pair: row for pair, row in rows.items() if any(row)})


@domain(channel=RationalChannel(), k=RationalReals(1), delta=RationalReals(0, 1, open_high=True))
def least_error_of_literal_substitution(channel: Matrix, k: Number, delta: Number) -> Fraction:
    """Error that (6) gives when every p_ij in it, p_ij ≥ 0 included, is replaced by [PT]_ij.

    P may then have negative entries, so this may be smaller than the least error.

    Parameters
    ----------
    channel
        Row-stochastic rational M × M matrix T.

    Returns
    -------
    An exact rational.

    Source: counting paper, Section V, 'with p_ij replaced by [PT]_ij'.

    >>> from provedp.theory.matrices import circulant
    >>> T = circulant([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    >>> least_error_of_literal_substitution(T, 3, 0)
    Fraction(2, 5)
    """
    size = len(channel)
    gaps, budgets, columns = _private(channel, k, delta, size**2 + 1)
    signs: Rows = [
        (_plus({}, output(channel, i, j), -1), 0) for i in range(size) for j in range(size)
    ]
    at_most = [*_below_diagonal(channel), *gaps, *budgets, *signs]
    free = frozenset(range(size**2))
    return 1 - solve(LinearProgram(columns, {size**2: 1}, at_most, _sums(size), free)).value


def _event_rows(m: int, k: Number, delta: Number) -> Iterator[tuple[Row, Number]]:
    """Yield Σ_(j in U) (p_aj − k p_bj) ≤ δ for all events U and neighbours a, b."""
    sizes = range(m + 1)
    events = [event for size in sizes for event in itertools.combinations(range(m), size)]
    for a, b in neighbours(m):
        for event in events:
            gains = {(a - 1) * m + j: ONE for j in event}
            yield {**gains, **{(b - 1) * m + j: -k for j in event}}, delta


@domain(m=integers(2, 10), k=RationalReals(1), delta=RationalReals(0, 1, open_high=True))
def solve_with_all_events(m: int, k: Number, delta: Number) -> Optimum:
    """Exact optimum of (6) as it stands, with its 2(M − 1)2^M event constraints.

    Parameters
    ----------
    m
        Number of counts, in {2, …, 10}.

    Returns
    -------
    The optimum; its value is 1 − p_e*.

    Source: counting paper, eq. (6).

    >>> solve_with_all_events(2, 2, 0).value
    Fraction(2, 3)
    """
    unit = identity(m, Field.RATIONAL)
    at_most = [*_below_diagonal(unit), *_event_rows(m, k, delta)]
    return solve(LinearProgram(m**2 + 1, {m**2: 1}, at_most, _sums(m)))


@domain(m=integers(2, 16))
def count_event_constraints(m: int) -> int:
    """Return the number of event constraints in (6), counted one by one.

    >>> count_event_constraints(3)
    32
    """
    return sum(1 for _ in _event_rows(m, ONE, ONE))


@domain(m=COUNTS)
def count_reduced_constraints(m: int) -> int:
    """Return the number of constraints, s ≥ 0 included, that replace the events of (6).

    >>> count_reduced_constraints(3)
    28
    """
    gaps, budgets, columns = _private(identity(m, Field.RATIONAL), ONE, ONE, 0)
    return len(gaps) + len(budgets) + columns


def face_program(
    m: int,
    k: Number,
    delta: Number,
    objective: Row,
    extra: Iterable[tuple[Row, Number]] = (),
    more_columns: int = 0,
) -> LinearProgram:
    """Return max objective over the optimal releases of a count that meet the `extra` equations.

    Those may use `more_columns` of their own, the first of which is `face_columns(m, delta)`.
    """
    unit = identity(m, Field.RATIONAL)
    gaps, budgets, columns = _private(unit, k, delta, m**2)
    height = diagonal(m, k, delta)
    best: Rows = [({i * m + i: -1}, -height) for i in range(m)]
    at_most = [*best, *gaps, *budgets]
    return LinearProgram(columns + more_columns, objective, at_most, [*_sums(m), *extra])


def face_columns(m: int, delta: Number) -> int:
    """Return the number of columns of `face_program`."""
    return m**2 + (2 * (m - 1) * m if delta else 0)
