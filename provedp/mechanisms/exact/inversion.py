"""Exact draws by inversion: where a uniform real number falls, from as many bits as that takes."""

import bisect
import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction

from flint import arb, ctx

from provedp.mechanisms.exact.sampling import ByteSource, random_bits

__all__ = ["GUARD", "WORD", "ExactSampler", "Inversion"]

WORD = 64  # bits of a uniform number at first, and drawn again while they do not decide
GUARD = 64  # bits of working precision beyond those that count


class Inversion(ABC):
    """Draws c ∈ {0, …, n} with P(c) = F(c + 1) − F(c), for 0 = F(0) ≤ F(1) ≤ … ≤ F(n + 1) = 1.

    A uniform real number in [0, 1) reaches c of the cuts F(1), …, F(n). Its bits are drawn until
    all numbers that begin with them reach the same ones, which exact or ball arithmetic decides:
    P(c) is exact, given uniform random bits. More than one word is drawn with probability below
    (n + 1) 2^(−62), whatever comes out; with one word, ⌈log₂(n + 1)⌉ comparisons find it.

    Source: ours.
    """

    def __init__(self) -> None:
        # Now, not at the first draw: what is drawn first would tell in how long it takes.
        self._first = _integers(self.cuts(WORD), WORD)

    @abstractmethod
    def cuts(self, bits: int) -> Sequence[Fraction | arb]:
        """Return F(1), …, F(n): exact, or balls whose radius is far below 2^(−bits)."""

    @abstractmethod
    def probabilities(self) -> list[Fraction]:
        """Return P(0), …, P(n) exactly, however large the fractions are."""

    def draw(self, rng: ByteSource | None = None) -> int:
        """Return one draw: secret without `rng`, else replayable."""
        bits, uniform = WORD, random_bits(WORD, rng)
        reached, missed = self._first
        while uniform >= missed[place := bisect.bisect_right(reached, uniform)]:
            bits, uniform = bits + WORD, (uniform << WORD) | random_bits(WORD, rng)
            reached, missed = _integers(self.cuts(bits), bits)
        return place


class ExactSampler(Inversion):
    """Draws an index with exactly the given rational probabilities.

    Its running time tells what that of every `Inversion` does.

    Parameters
    ----------
    probabilities
        Fractions ≥ 0 that sum to one.
    """

    def __init__(self, probabilities: Iterable[Fraction]):
        self._probabilities = list(probabilities)
        self._cuts = list(itertools.accumulate(self._probabilities))[:-1]
        super().__init__()

    def cuts(self, bits: int) -> Sequence[Fraction]:
        """Return the sums of the first probabilities."""
        return self._cuts

    def probabilities(self) -> list[Fraction]:
        """Return the probabilities."""
        return self._probabilities


def _integers(cuts: Sequence[Fraction | arb], bits: int) -> tuple[list[int], list[int]]:
    """Return, for each cut, the least integer of `bits` bits that reaches it and that may do so.

    Every number that begins with at least the one reaches the cut and all cuts before; every one
    that begins with less than the other misses the cut and all after; beyond the last, all miss.
    """
    with ctx.workprec(bits + GUARD):
        bounds = [_around(cut, bits) for cut in cuts]
    reached = list(itertools.accumulate((high for _, high in bounds), max))
    missed = list(itertools.accumulate((low for low, _ in reversed(bounds)), min))[::-1]
    return reached, [*missed, 1 << bits]


def _around(cut: Fraction | arb, bits: int) -> tuple[int, int]:
    """Return ⌊2^bits cut⌋ and ⌈2^bits cut⌉, or what they are at least and at most."""
    if isinstance(cut, Fraction):
        scaled = cut * (1 << bits)
        return scaled.__floor__(), scaled.__ceil__()
    ball = cut * arb(2) ** bits
    return _integer(ball.lower().floor()), _integer(ball.upper().ceil())


def _integer(exact: arb) -> int:
    found = exact.unique_fmpz()
    if found is None:
        raise ArithmeticError(f"A ball that should be an integer is {exact}.")
    return int(found)
