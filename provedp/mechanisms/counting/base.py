"""What every mechanism for a count has: an exact law, an exact error, a guarantee, a release."""

import functools
from abc import ABC, abstractmethod
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, overload

import numpy as np

from provedp.mechanisms.exact.parameters import delta_below, ratio_below
from provedp.mechanisms.exact.sampling import ByteSource, ExactSampler
from provedp.theory.counting import worst_case_error
from provedp.theory.domain import OutsideError, argument_error, check_argument, integers
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational
from provedp.theory.privacy import Adjacency, Guarantee


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
        self._samplers: dict[int, ExactSampler] = {}

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
        """
        return self._law

    def _received(self) -> Matrix:
        """Return the law of what arrives."""
        return self.law()

    @functools.cached_property
    def worst_case_error(self) -> Fraction:
        """The exact largest probability, over all counts, that what arrives is not the count."""
        return rational(worst_case_error(self._received()))

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
            A `numpy.random.Generator`, to replay a study. Without it, the operating system's
            cryptographic generator is used; use that for real data.

        Returns
        -------
        An integer in the same set, or a list of them. The probability of each output is exactly
        the entry of `law()`, given uniform random bits.

        Raises
        ------
        ValueError
            If a count is not an integer or is outside its range; nothing is drawn then.
        """
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
        if row not in self._samplers:
            self._samplers[row] = ExactSampler(self.law()[row])
        return self.first + self._samplers[row].draw(rng)
