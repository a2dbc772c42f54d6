"""Laws of what is drawn, from every answer that a source of uniform integers can give."""

from collections.abc import Callable, Iterator
from fractions import Fraction as Q
from typing import Any
from unittest import mock

from flint import arb, ctx

from provedp.mechanisms.counting import BehindChannel, CountMechanism, OptimalCount
from provedp.mechanisms.exact import sampling
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.theory.matrices import Matrix, matrix, product
from provedp.theory.numbers import ball
from provedp.theory.privacy.functions import normal_cdf

__all__ = ["arriving_law", "drawn_law", "falls_as_it_says", "rounds_as_it_says"]


class _Branch(Exception):
    """The answers are used up, and one more below `total` is asked for."""

    def __init__(self, total: int):
        super().__init__(total)
        self.total = total


class _SecondTryError(Exception):
    """A draw starts again from where it was, after a first try that it refused."""


class _Answers:
    """A source of uniform integers with scripted answers; it takes the place of `secrets`."""

    def __init__(self, answers: tuple[int, ...]):
        self._answers = list(answers)

    def randbelow(self, total: int) -> int:
        """Return the next answer."""
        if total == 1:
            return 0
        if not self._answers:
            raise _Branch(total)
        return self._answers.pop(0)


def drawn_law(mechanism: CountMechanism) -> Matrix:
    """Return the law of `release`, a row for each count, by running it with all answers.

    Of a draw that tries until it accepts, the first try is enumerated: later ones are like it.
    """
    counts = range(mechanism.first, mechanism.first + mechanism.m)
    return matrix([_row(mechanism, count) for count in counts])


def arriving_law(mechanism: CountMechanism) -> Matrix:
    """Return the law of what the guarantee is about: behind a channel, what arrives."""
    drawn = drawn_law(mechanism)
    return product(drawn, mechanism.channel) if isinstance(mechanism, BehindChannel) else drawn


def _row(mechanism: CountMechanism, count: int) -> list[Q]:
    """Return the law for one count; what a refused try leaves is shared as the accepted ones."""
    found, before_tries = [Q(0)] * mechanism.m, [Q(0)] * mechanism.m
    refused = Q(0)
    for share, output, tried in _leaves(mechanism, count):
        if output is None:
            refused += share
        else:
            (found if tried else before_tries)[output - mechanism.first] += share
    accepted = sum(found, start=Q(0))
    again = 1 + refused / accepted if accepted else Q(1)
    return [again * a + b for a, b in zip(found, before_tries, strict=True)]


def _leaves(mechanism: CountMechanism, count: int) -> Iterator[tuple[Q, int | None, bool]]:
    """Yield probability, output (None: refused) and whether a try was made, for all answers."""
    waiting: list[tuple[tuple[int, ...], Q]] = [((), Q(1))]
    while waiting:
        answers, share = waiting.pop()
        tries: list[int] = []
        try:
            output = _run(mechanism, count, answers, tries)
        except _SecondTryError:
            yield share, None, True
        except _Branch as branch:
            part = share / branch.total
            waiting += [((*answers, value), part) for value in range(branch.total)]
        else:
            yield share, output, bool(tries)


def _run(mechanism: CountMechanism, count: int, answers: tuple[int, ...], tries: list[int]) -> int:
    """Release a count with scripted answers, up to a second try."""
    tried: Callable[[Any, Any], int | None] = OptimalCount.tried

    def once(self: OptimalCount, rng: Any) -> int | None:
        if tries:
            raise _SecondTryError
        tries.append(1)
        return tried(self, rng)

    with (
        mock.patch.object(sampling, "secrets", _Answers(answers)),
        mock.patch.object(OptimalCount, "tried", once),
    ):
        return mechanism.release(count)


BITS = 160


def rounds_as_it_says(noise: RoundedGaussian, uniform: int, bits: int) -> bool | None:
    """Return whether the draw from `uniform` random bits is ⌊σ Z + ½⌋ for their quantile Z.

    The inverse is not used: n is right if Φ((n − ½)/σ) ≤ u < Φ((n + ½)/σ) for all u that begin with
    these bits. None if the balls do not decide, or the draw wants more bits.
    """
    drawn = _first_draw(noise, uniform, bits)
    if drawn is None:
        return None
    with ctx.workprec(bits + BITS):
        low, high = (normal_cdf(ball((drawn + half) / noise.sigma)) for half in HALVES)
        first, last = (ball(Q(uniform + step, 1 << bits)) for step in (0, 1))
        above, below = arb(low) <= first, last <= arb(high)
        outside = first < arb(low) or last > arb(high)
    return True if above and below else False if outside else None


HALVES = (Q(-1, 2), Q(1, 2))


def falls_as_it_says(noise: TwoSidedGeometric, uniform: int, bits: int) -> bool | None:
    """Return whether the draw from `uniform` random bits is ±n with P(|N| > n) < V ≤ P(|N| ≥ n).

    The first bits, last one left out, are those of V, for all numbers that begin with them; the
    last one is the sign. Logarithms are not used: P(|N| ≥ n) = 2 k^(−n)/(1 + 1/k) for n ≥ 1, and 1
    for n = 0, are exact. None if the draw wants more bits.
    """
    drawn = _first_draw(noise, uniform, bits)
    if drawn is None:
        return None
    size, negative = abs(drawn), uniform & 1
    step = Q(1, 1 << (bits - 1))
    low, high = (uniform >> 1) * step, ((uniform >> 1) + 1) * step

    def tail(n: int) -> Q:
        return 2 * noise.ratio**-n / (1 + 1 / noise.ratio) if n else Q(1)

    signed = drawn == 0 or (drawn < 0) == bool(negative)
    return signed and tail(size + 1) <= low and high <= tail(size)


class _Bits:
    """A source with the bytes of one number; it takes the place of a generator."""

    def __init__(self, uniform: int, count: int):
        self._left = [uniform.to_bytes(count // 8, "little")]

    def bytes(self, length: int, /) -> bytes:
        """Return the number, once."""
        if not self._left:
            raise _Branch(length)
        return self._left.pop()


def _first_draw(noise: RoundedGaussian | TwoSidedGeometric, uniform: int, bits: int) -> int | None:
    try:
        return noise.draw(_Bits(uniform, bits))
    except _Branch:
        return None
