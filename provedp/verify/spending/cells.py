"""Laws of the cells that `UniversalCount` releases, from every answer of its draws."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction as Q
from unittest import mock

from provedp.mechanisms.counting import CountMechanism, UniversalCount
from provedp.mechanisms.counting.universal import NoisyCount
from provedp.mechanisms.exact import sampling
from provedp.mechanisms.exact.inversion import Inversion
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.verify.spending.laws import (
    ScriptedAnswers,
    UnscriptedError,
    falls_as_it_says,
)

__all__ = ["drawn_cells", "joint_cells"]

WORDS = (0, 1, 3 << 100, (1 << 128) - 1, 0xB7E151628AED2A6ABF7158809CF4F3C7, 5 << 124)

Cells = Mapping[tuple[Q, Q], Q]


class _RefusedError(Exception):
    """A first try was refused; later ones are like it."""


def drawn_cells(mechanism: UniversalCount, count: int, farthest: int) -> Cells:
    """Return the law of the released cell of a count.

    Geometric noise beyond `farthest` steps counts as one step farther; what is refused at the
    first try is shared as the accepted ones.
    """
    found: dict[tuple[Q, Q], Q] = defaultdict(Q)
    waiting: list[tuple[tuple[int, ...], Q]] = [((), Q(1))]
    while waiting:
        answers, share = waiting.pop()
        try:
            released = _run(mechanism, count, answers, farthest)
        except _RefusedError:
            continue
        except UnscriptedError as branch:
            waiting += [
                ((*answers, value), share * part)
                for value, part in enumerate(branch.probabilities)
                if part
            ]
        else:
            found[released.low, released.high] += share
    accepted = sum(found.values(), start=Q(0))
    return {cell: share / accepted for cell, share in found.items()}


def joint_cells(first: Cells, second: Cells, low: Q, high: Q) -> list[tuple[Q, Q]]:
    """Return both probabilities of each cell, those beyond `low` or `high` taken together."""
    pairs: dict[tuple[Q, Q], list[Q]] = defaultdict(lambda: [Q(0), Q(0)])
    for place, law in enumerate((first, second)):
        for (start, end), share in law.items():
            inside = (start, end) if low <= start and end <= high else (Q(end <= low), Q(0))
            pairs[inside][place] += share
    return [(p, q) for p, q in pairs.values()]


def _run(
    mechanism: UniversalCount, count: int, answers: Sequence[int], farthest: int
) -> NoisyCount:
    source = ScriptedAnswers(tuple(answers))

    def steps(noise: TwoSidedGeometric, rng: object = None) -> int:
        return source.choose(_steps_law(noise, farthest)) - farthest - 1

    def once(attempt: Callable[[], object]) -> object:
        found = attempt()
        if found is None:
            raise _RefusedError
        return found

    with (
        mock.patch.object(sampling, "secrets", source),
        mock.patch.object(Inversion, "draw", lambda self, rng=None: source.place(self)),
        mock.patch.object(TwoSidedGeometric, "draw", steps),
        mock.patch.object(CountMechanism, "accepted", staticmethod(once)),
    ):
        fresh = UniversalCount(f"ln({mechanism.ratio})", mechanism.delta)
        return fresh.release(count)


def _steps_law(noise: TwoSidedGeometric, farthest: int) -> list[Q]:
    """Return the law of two-sided geometric noise, clamped; none if it draws otherwise."""
    k = noise.ratio
    inner = [(k - 1) / (k + 1) / Q(k ** abs(n)) for n in range(-farthest, farthest + 1)]
    tail = (1 - sum(inner, start=Q(0))) / 2
    law = [tail, *inner, tail]
    rightly = all(_falls(k, word) for word in WORDS)
    return law if rightly else [Q(0)] * len(law)


def _falls(ratio: Q, word: int) -> bool:
    key = ratio, word
    if key not in _KNOWN:
        with mock.patch.object(TwoSidedGeometric, "draw", _DRAW):
            _KNOWN[key] = falls_as_it_says(TwoSidedGeometric(ratio), word, 128) is not False
    return _KNOWN[key]


_DRAW = TwoSidedGeometric.draw  # which `_run` patches
_KNOWN: dict[tuple[Q, int], bool] = {}
