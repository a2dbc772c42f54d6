"""What the clock tells of secret values: the auditor's time channel on every sampler.

First table: releases of two secret values with secret noise, the values as far apart as they can
be, where a running time would differ most if it did. Output is thrown away: only the time is
audited. A bound of 0 is what a time that does not depend on the value gives; what is above it has
been told, with the stated confidence. `old` is what `OptimalCount` did before: one random number
for each step of the distance.

Second table: the same for the noise alone, small against large (replayed from chosen words), since
who knows the noise of a released number knows the exact one.

`--quick` has fewer runs, and words choose rows; the page `docs/running-times.md` has the numbers of
the whole.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from provedp.mechanisms import counting
from provedp.mechanisms.exact.geometric import Geometric
from provedp.mechanisms.exact.inversion import ExactSampler
from provedp.mechanisms.exact.refinable_geometric import RefinableGeometric
from provedp.mechanisms.exact.rounded_gaussian import RoundedGaussian
from provedp.mechanisms.exact.sampling import uniform_below
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.verify.audit import ApproximateDP, audit

RUNS = 40_000
CONFIDENCE = 0.99
M = 1000
CHANNEL = [[Fraction(9, 10), Fraction(1, 10)], [Fraction(1, 10), Fraction(9, 10)]]
REFINABLE = RefinableGeometric(Fraction(21, 20), Fraction(11, 10))
FLIPS = CHANNEL  # as a matrix to release by
TIMES = 20  # draws in one timed run, so that one is longer than a tick of the clock


def releasing(mechanism: Any) -> Callable[[Any], int]:
    """Return a function that releases a count some times and tells nothing."""

    def run(count: int) -> int:
        for _ in range(TIMES):
            mechanism.release(count)
        return 0

    return run


def adding(noise: RoundedGaussian | TwoSidedGeometric | RefinableGeometric) -> Callable[[Any], int]:
    """Return a function that adds noise to numbers and tells nothing."""

    def run(value: int) -> int:
        noise.added_to([value] * TIMES)
        return 0

    return run


class Word:
    """A source with one word, again and again."""

    def __init__(self, share: Fraction):
        self._share = share

    def bytes(self, length: int, /) -> bytes:
        """Return the first bits of a number in [0, 1), the high ones last."""
        return int(self._share * (1 << (8 * length))).to_bytes(length, "little")


def replaying(draw: Callable[[Any], int]) -> Callable[[Any], int]:
    """Return a function that draws from the word that begins a number given in thousandths."""

    def run(thousandths: int) -> int:
        for _ in range(TIMES):
            draw(Word(Fraction(2 * thousandths + 1, 2000)))
        return 0

    return run


def step_by_step(rng: Any) -> int:
    """Return a geometric distance as it used to be drawn, k = 11/10."""
    distance, limit = 0, int(rng.bytes(1)[0] * 50 / 256)
    while distance < limit and uniform_below(11) < 11:
        distance += 1
    return distance


def values() -> dict[str, tuple[Callable[[Any], int], tuple[int, int]]]:
    """Return releases, and the two secret values of each."""
    ends, middle = (0, M - 1), (0, M // 2)
    gaussian = RoundedGaussian(Fraction(1000))
    return {
        "OptimalCount": (releasing(counting.OptimalCount(M, 0.1)), middle),
        "OptimalCount, δ = 1/10": (releasing(counting.OptimalCount(M, 0.1, "1/10")), middle),
        "TruncatedGeometric": (releasing(counting.TruncatedGeometric(M, 0.1)), middle),
        "RandomizedResponse": (releasing(counting.RandomizedResponse(M, 0.1)), ends),
        "RoundedLaplace": (releasing(counting.RoundedLaplace(M, 0.1)), middle),
        "ExponentialMechanism": (releasing(counting.ExponentialMechanism(M, 0.1)), middle),
        "BehindChannel": (releasing(counting.BehindChannel(CHANNEL, 1)), (0, 1)),
        "MatrixRelease": (releasing(counting.MatrixRelease(FLIPS, "ln(9)")), (0, 1)),
        "UniversalCount": (releasing(counting.UniversalCount(0.1)), middle),
        "UniversalCount, δ = 1/10": (releasing(counting.UniversalCount(0.1, "1/10")), middle),
        "TwoSidedGeometric": (adding(TwoSidedGeometric(Fraction(11, 10))), (0, 2**30 - 1)),
        "RefinableGeometric": (adding(REFINABLE), (0, 2**30 - 1)),
        "RoundedGaussian, one limb": (adding(gaussian), (0, 1)),
        "RoundedGaussian, 0 or 2^200": (adding(gaussian), (0, 2**200)),
    }


def noises() -> dict[str, tuple[Callable[[Any], int], tuple[int, int]]]:
    """Return samplers, and two places of the uniform number that they invert, in thousandths."""
    ratio = Fraction(11, 10)
    return {
        "old": (replaying(step_by_step), (10, 990)),
        "Geometric, 10 bits": (replaying(Geometric(ratio, 10).draw), (10, 990)),
        "ExactSampler": (replaying(ExactSampler([Fraction(1, 8)] * 8).draw), (10, 990)),
        "TwoSidedGeometric": (replaying(TwoSidedGeometric(ratio).draw), (10, 990)),
        "RoundedGaussian": (replaying(RoundedGaussian(Fraction(1000)).draw), (500, 999)),
    }


def main() -> None:
    """Print both tables."""
    words = [word for word in sys.argv[1:] if word != "--quick"]
    runs = RUNS if words == sys.argv[1:] else RUNS // 10
    for title, targets in (("secret value", values()), ("noise", noises())):
        print(f"{title:30s} ε ≥ (confidence {CONFIDENCE}, {runs} runs)")
        for name, (target, pair) in targets.items():
            if not any(word in name for word in words or [""]):
                continue
            found = audit(
                target,
                pair,
                ApproximateDP(0.0),
                runs=runs,
                seed=1,
                channel="time",
                confidence=CONFIDENCE,
            )
            told = f"{found.epsilon_lower:.3f}"
            print(f"{name:30s} {told:8s} {found.event if found.refuted else ''}", flush=True)


if __name__ == "__main__":
    main()
