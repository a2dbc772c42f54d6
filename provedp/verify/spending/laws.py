"""Laws of what is drawn, from every answer that a source of uniform integers can give."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction as Q
from functools import cache
from itertools import accumulate
from unittest import mock

from flint import arb, ctx

from provedp.mechanisms.counting import BehindChannel, CountMechanism
from provedp.mechanisms.exact import geometric, sampling
from provedp.mechanisms.exact.inversion import WORD, Inversion
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.theory.matrices import Matrix, matrix, product
from provedp.theory.numbers import ball
from provedp.theory.privacy.functions import normal_cdf

__all__ = [
    "ScriptedAnswers",
    "UnscriptedError",
    "arriving_law",
    "decides_as_it_says",
    "digits_of",
    "drawn_law",
    "falls_as_it_says",
    "refused_share",
    "rounds_as_it_says",
]


class UnscriptedError(Exception):
    """The answers are used up, and one more with these probabilities is asked for."""

    def __init__(self, probabilities: Sequence[Q]):
        super().__init__(len(probabilities))
        self.probabilities = probabilities


class _SecondTryError(Exception):
    """A draw starts again from where it was, after a first try that it refused."""


class ScriptedAnswers:
    """A source of draws with scripted answers; it takes the place of `secrets` and inversions."""

    def __init__(self, answers: tuple[int, ...]):
        self._answers = list(answers)

    def randbelow(self, total: int) -> int:
        """Return the next answer, of a uniform integer."""
        return self.choose([Q(1, total)] * total)

    def place(self, inversion: Inversion) -> int:
        """Return the next answer, of an inversion; one that decides wrongly has no law."""
        exact = inversion.probabilities()
        return self.choose(exact if decides_as_it_says(inversion) else [Q(0)] * len(exact))

    def choose(self, probabilities: Sequence[Q]) -> int:
        """Return the next answer, of a draw with these probabilities."""
        if not self._answers:
            raise UnscriptedError(probabilities)
        return self._answers.pop(0)


def digits_of(bits: int) -> AbstractContextManager[int]:
    """Let geometric numbers that are set up inside be drawn in digits of so many bits."""
    return mock.patch.object(geometric, "DIGIT_BITS", bits)


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


def refused_share(mechanism: CountMechanism, count: int) -> Q:
    """Return the probability that a try for a count is refused and another one follows."""
    return sum((p for p, output, _ in _leaves(mechanism, count) if output is None), start=Q(0))


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
        except UnscriptedError as branch:
            waiting += [
                ((*answers, value), share * part)
                for value, part in enumerate(branch.probabilities)
                if part
            ]
        else:
            yield share, output, bool(tries)


def _run(mechanism: CountMechanism, count: int, answers: tuple[int, ...], tries: list[int]) -> int:
    """Release a count with scripted answers, up to a second try."""
    source = ScriptedAnswers(answers)

    def once(attempt: Callable[[], int | None]) -> int:
        tries.append(1)
        found = attempt()
        if found is None:
            raise _SecondTryError
        return found

    with (
        mock.patch.object(sampling, "secrets", source),
        mock.patch.object(Inversion, "draw", lambda self, rng=None: source.place(self)),
        mock.patch.object(CountMechanism, "accepted", staticmethod(once)),
    ):
        return mechanism.release(count)


_DRAW = Inversion.draw  # which `_run` patches
AROUND = range(-2, 3)  # integers beside a cut that are tried


@cache
def decides_as_it_says(inversion: Inversion) -> bool:
    """Return whether draws are those of `probabilities`, from the uniform numbers beside each cut.

    A draw may return c only if every number in [u, u + 1) 2^(−bits) reaches c cuts, which exact
    sums of the probabilities tell; and it may ask for another word only within a unit of a cut.
    Words are tried where the answer changes, and for those that do not decide, second words
    likewise; between them the answer is found in a table that is in order.
    """
    cuts = list(accumulate(inversion.probabilities()))[:-1]
    first, second = WORD, 2 * WORD
    for cut in {*cuts, Q(0), Q(1)}:
        word = int(cut * 2**first)
        for uniform in _within(first, (word + step for step in AROUND)):
            if not _decides_rightly(inversion, cuts, uniform, first):
                return False
        longer = int(cut * 2**second)
        for uniform in _within(second, (longer + step for step in AROUND)):
            if not _decides_rightly(inversion, cuts, uniform, second):
                return False
    return True


def _within(bits: int, numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if 0 <= number < 1 << bits]


def _decides_rightly(inversion: Inversion, cuts: Sequence[Q], uniform: int, bits: int) -> bool:
    low, high = Q(uniform, 1 << bits), Q(uniform + 1, 1 << bits)
    drawn = _first_draw(lambda source: _DRAW(inversion, source), uniform, bits)
    if drawn is None:
        return any(2 * low - high <= cut <= 2 * high - low for cut in cuts)
    return drawn == sum(cut <= low for cut in cuts) == sum(cut < high for cut in cuts)


BITS = 160


def rounds_as_it_says(noise: RoundedGaussian, uniform: int, bits: int) -> bool | None:
    """Return whether the draw from `uniform` random bits is ⌊σ Z + ½⌋ for their quantile Z.

    The inverse is not used: n is right if Φ((n − ½)/σ) ≤ u < Φ((n + ½)/σ) for all u that begin with
    these bits. None if the balls do not decide, or the draw wants more bits.
    """
    drawn = _first_draw(noise.draw, uniform, bits, bits)
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
    drawn = _first_draw(noise.draw, uniform, bits, bits)
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

    def __init__(self, uniform: int, bits: int, word: int):
        self._left = [
            (uniform >> place & ((1 << word) - 1)).to_bytes(word // 8, "little")
            for place in range(0, bits, word)
        ]

    def bytes(self, length: int, /) -> bytes:
        """Return the next word."""
        if not self._left:
            raise UnscriptedError([])
        return self._left.pop()


def _first_draw(
    draw: Callable[[_Bits], int], uniform: int, bits: int, word: int = WORD
) -> int | None:
    """Return what is drawn from these bits, the high ones first; None if it wants more."""
    try:
        return draw(_Bits(uniform, bits, word))
    except UnscriptedError:
        return None
