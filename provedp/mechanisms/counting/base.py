"""What every mechanism for a count has: an exact law, an exact error, a guarantee, a release."""

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, ClassVar, TypeVar, overload

import numpy as np
from flint import ctx

from provedp.mechanisms.exact.geometric import working_precision
from provedp.mechanisms.exact.inversion import WORD, ExactSampler
from provedp.mechanisms.exact.parameters import delta_below, ratio_below
from provedp.mechanisms.exact.sampling import ByteSource, warn_if_replayable
from provedp.theory.counting import worst_case_error
from provedp.theory.domain import OutsideError, argument_error, check_argument, integers
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import Number, ball, dyadic, rational
from provedp.theory.privacy import Adjacency, Guarantee

Drawn = TypeVar("Drawn")

MOST_BITS = 1 << 20  # of an exact worst-case error: seconds
MOST_ROWS = 5000  # of a law that is written down: gigabytes


class CountMechanism(ABC):
    """A mechanism for a count in {first, …, first + m − 1}, whose output is in the same set.

    Parameters
    ----------
    m
        Number of possible counts, at least 2. For n people, m = n + 1 and first = 0.
    epsilon
        ε in nats, at least 0: an integer, a fraction, a float, or a text such as '1/2' or
        'ln(3/2)'. It is rounded towards privacy (see `mechanisms.parameters`).
    delta
        δ in [0, 1), likewise.
    first
        The least count.

    Attributes
    ----------
    ratio
        The rational k with ln k ≤ ε for which the guarantee holds.
    delta
        δ as a fraction.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    claim: ClassVar[str]
    roots: ClassVar[int] = 1  # the law is a rational function of k^(1/roots)

    def __init__(self, m: int, epsilon: Any, delta: Any = 0, first: int = 0):
        name = type(self).__name__
        self.m: int = check_argument(name, "m", integers(2), m)
        self.first: int = check_argument(name, "first", integers(), first)
        self.epsilon = str(epsilon)
        self._root = ratio_below(epsilon, name, self.roots)
        self.ratio: Fraction = self._root**self.roots
        self.delta = delta_below(delta, name)

    @abstractmethod
    def _matrix(self) -> Matrix:
        """Return the law of what is released."""

    @functools.cached_property
    def _law(self) -> Matrix:
        matrix = self._matrix()
        matrix.setflags(write=False)
        return matrix

    def law(self) -> Matrix:
        """Return the m × m matrix of fractions whose row i is the law of release(first + i).

        Rows and columns are counted from 0; the array is read-only.

        Raises
        ------
        ValueError
            If m is above 5000; a release writes no such matrix, unless the mechanism is one.
        """
        if self.m > MOST_ROWS:
            raise ValueError(
                f"{type(self).__name__}.law: a matrix of {self.m} rows is not written down; "
                f"m must be at most {MOST_ROWS}."
            )
        return self._law

    def _received(self) -> Matrix:
        """Return the law of what arrives."""
        return self.law()

    def _error(self, root: Number) -> Number:
        """Return the worst-case error for k^(1/roots), exact or in a ball."""
        return worst_case_error(self._received())

    @functools.cached_property
    def worst_case_error(self) -> Fraction:
        """The exact largest probability, over all counts, that what arrives is not the count.

        Raises
        ------
        ValueError
            If the fraction has too many digits; `worst_case_error_upper` never has.
        """
        bits = self.m * self._root.numerator.bit_length()
        if bits > MOST_BITS and self.ratio > 1:
            raise ValueError(
                f"{type(self).__name__}.worst_case_error: the fraction for m = {self.m} may have "
                f"{bits} bits, more than {MOST_BITS}; worst_case_error_upper is as good as equal."
            )
        return rational(self._error(self._root))

    @functools.cached_property
    def worst_case_error_upper(self) -> Fraction:
        """An upper bound on `worst_case_error`, larger by less than 2^(−64), for every m."""
        if self.ratio == 1:
            return self.worst_case_error
        with ctx.workprec(working_precision(WORD, self._root, self.m)):
            return dyadic(ball(self._error(ball(self._root))).upper())

    @property
    def guarantee(self) -> Guarantee:
        """What is promised, and the claim that proves it."""
        return Guarantee(
            ratio=self.ratio,
            epsilon=self.epsilon,
            delta=self.delta,
            adjacency=Adjacency.NEIGHBOURING_COUNTS,
            claim=self.claim,
        )

    @property
    def claimed(self) -> Guarantee:
        """What its authors promise: the same."""
        return self.guarantee

    @overload
    def release(self, counts: int, rng: ByteSource | None = None) -> int: ...

    @overload
    def release(self, counts: Iterable[int], rng: ByteSource | None = None) -> list[int]: ...

    def release(
        self, counts: int | Iterable[int], rng: ByteSource | None = None
    ) -> int | list[int]:
        """Release one count, or several, each with fresh randomness.

        Each release spends the guarantee again for those whom its count includes.

        Parameters
        ----------
        counts
            An integer in {first, …, first + m − 1}, or an iterable of such integers.
        rng
            A `numpy.random.Generator`, to replay a study: no guarantee is about such a release, and
            `ReplayableNoiseWarning` says so. Without it, the operating system's cryptographic
            generator is used.

        Returns
        -------
        An integer in the same set, or a list of them. The probability of each output is exactly
        the entry of `law()`, given uniform random bits.

        Raises
        ------
        ValueError
            If a count is not an integer or is outside its range; nothing is drawn then.
        """
        warn_if_replayable(type(self).__name__, rng)
        listed = counts.tolist() if isinstance(counts, (np.ndarray, np.generic)) else counts
        if isinstance(listed, Iterable):
            rows = [self._row(count, index) for index, count in enumerate(listed)]
            return [self.noisy(row, rng) for row in rows]
        return self.noisy(self._row(listed, None), rng)

    def _row(self, count: Any, index: int | None) -> int:
        allowed = integers(self.first, self.first + self.m - 1)
        name = "counts" if index is None else f"counts[{index}]"
        try:
            checked = int(allowed.read(count))
        except (OutsideError, TypeError, OverflowError):
            where = f"{type(self).__name__}.release"
            raise argument_error(where, name, allowed, "something else") from None
        return checked - self.first

    def noisy(self, row: int, rng: ByteSource | None) -> int:
        """Return one draw from a row of the law: here, and only here, a count meets noise."""
        return self.first + self._drawn(row, rng)

    def _drawn(self, row: int, rng: ByteSource | None) -> int:
        """Return the column of one draw."""
        return self._rows[row].draw(rng)

    @functools.cached_property
    def _rows(self) -> list[ExactSampler]:
        """A sampler for each row: all are made for the first draw, whichever row it is from."""
        return [ExactSampler(row) for row in self.law()]

    @staticmethod
    def accepted(attempt: Callable[[], Drawn | None]) -> Drawn:
        """Return what the first attempt gives that is not refused: all are alike."""
        while (found := attempt()) is None:
            pass
        return found
