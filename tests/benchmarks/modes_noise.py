"""σ of the modes paper's (6) and (9) against exact accounting and against one release.

First table: the noise multiplier z, the noise of one of T = ⌈ln n⌉ rounds over the distance that
one record moves it on a minibatch of m = ⌈n/ln n⌉. (6) and (9) have the same z and differ in that
distance. `accounted` is the bracket for the least z of T minibatches without replacement: less than
its lower end is not (ε, 10⁻⁶)-private for some sum over a minibatch, its upper end is for all; its
width is relative. `full` is what T rounds on all records need, `once` what one release does, both
times m/n so that all columns are in the unit S/m. The ratios are to the upper end, and to them.

Second table: the noise in one coordinate of the score on four corners at ε = 1 (all settings of the
oracle that Table 2 is made with), where p̂ = p_floor and ‖∇p̂‖ = A. (6) is for one start; the others
are for all starts, though (9) is refuted. `linear` releases p̂ and ∇p̂ with the accounted z, `field`
is the one release of PrivateModes. Its noise does not average out over T rounds: the last column
has the ratio of (9) to it with √T taken off.

`--quick` leaves out all but n = 1000 of the first table. All of it takes a minute of CPU time.
"""

import math
import sys
from dataclasses import dataclass
from fractions import Fraction

from scipy import optimize

from provedp.mechanisms.modes.published.ascent import rounds_of
from provedp.theory import modes
from provedp.verify.accounting.least_noise import Request, least_gaussian_noise
from provedp.verify.claims.modes.instances.samples import SIZES, four_corners
from provedp.verify.claims.modes.instances.settings import algorithm

EPSILONS = (0.1, 0.25, 0.5, 1.0, 5.0)
DELTA = 1e-6
BELOW = 0.5  # of ln σ under the upper end, where the lower end is looked for
PRECISION = 1e-6  # of ln σ


@dataclass(frozen=True)
class Multipliers:
    """Noise multipliers at one n and ε, all in the unit S/m."""

    printed: float
    least: tuple[float, float]
    full: float
    once: float


def multipliers(n: int, epsilon: float) -> Multipliers:
    """Return what is printed and what is needed."""
    rounds, m = rounds_of(n), math.ceil(n / math.log(n))
    printed = m * modes.noise_scale(1.0, epsilon, DELTA, n, m, rounds)
    sampled = sampled_rounds(n, epsilon)
    upper = least_gaussian_noise(sampled).sigma
    full, once = (
        least_gaussian_noise(Request(epsilon, DELTA, 1, each)).sigma * m / n for each in (rounds, 1)
    )
    return Multipliers(printed, (least_from_below(sampled, upper), upper), full, once)


def sampled_rounds(n: int, epsilon: float) -> Request:
    """Return the paper's schedule as a target for all rounds on minibatches."""
    return Request(epsilon, DELTA, 1, rounds_of(n), Fraction(math.ceil(n / math.log(n)), n))


def least_from_below(request: Request, upper: float) -> float:
    """Return σ at which the lower end of the bracket for δ is about, and not below, the target."""

    def excess(log_sigma: float) -> float:
        accounted = request.accounted(math.exp(log_sigma))
        return math.log(accounted.delta(request.epsilon)[0] / DELTA)

    high = math.log(upper)
    found = float(optimize.brentq(excess, high - BELOW, high, xtol=PRECISION / 2))
    while excess(found) < 0:
        found -= PRECISION / 2
    return math.exp(found)


def multiplier_table(sizes: tuple[int, ...]) -> None:
    """Print the first table."""
    heads = ("n", "ε", "(6), (9)", "accounted", "", "width", "full", "once")
    ratios = ("/accounted", "/full", "/once")
    print("".join(f"{head:>11}" for head in (*heads, *ratios)), flush=True)
    for n in sizes:
        for epsilon in EPSILONS:
            z = multipliers(n, epsilon)
            low, high = z.least
            numbers = (z.printed, low, high, high / low - 1, z.full, z.once)
            spare = (z.printed / each for each in (high, z.full, z.once))
            cells = "".join(f"{number:11.4g}" for number in (*numbers, *spare))
            print(f"{n:11}{epsilon:11g}" + cells, flush=True)


def score_noise(n: int, epsilon: float) -> dict[str, float]:
    """Return standard deviations of one coordinate of the score on four corners."""
    sample = four_corners(n)
    oracle = algorithm(sample, epsilon)
    h, clip, floor = (float(each) for each in (oracle.bandwidth, oracle.clip, oracle.floor))
    rounds, m = rounds_of(n), math.ceil(n / math.log(n))
    schedule = (epsilon, DELTA, n, m, rounds)
    balance = modes.linear_release_balance(h, 2, clip, floor)
    density, gradient = modes.linear_release_scales(h, 2, m, balance)
    linear = math.hypot(gradient / floor, clip * density / floor**2)
    once = least_gaussian_noise(Request(epsilon, DELTA, 1)).sigma
    # One record adds K(0)/(n h²) to p̂ at its own place; replaced, √2 of that as a length.
    unit = math.sqrt(2) * once / (2 * math.pi * h**2 * n)
    return {
        "(6)": modes.noise_scale(modes.score_sensitivity(h, 2, clip, floor), *schedule),
        "(9)": modes.noise_scale(modes.joint_sensitivity(h, 2, clip, floor), *schedule),
        "linear": least_gaussian_noise(sampled_rounds(n, epsilon)).sigma * linear,
        "linear, full": least_gaussian_noise(Request(epsilon, DELTA, 1, rounds)).sigma
        * linear
        * (m / n),
        "field": math.hypot(unit / (h * floor), clip * unit / floor**2),
    }


def score_table(epsilon: float) -> None:
    """Print the second table."""
    rows = {n: score_noise(n, epsilon) for n in SIZES}
    names = list(rows[SIZES[0]])
    heads = [*names, *(f"(9)/{name}" for name in names if name != "(9)"), "√T off"]
    print(f"\n{'n':>8}" + "".join(f"{head:>18}" for head in heads))
    for n, found in rows.items():
        ratios = [found["(9)"] / found[name] for name in names if name != "(9)"]
        cells = [*found.values(), *ratios, ratios[-1] / math.sqrt(rounds_of(n))]
        print(f"{n:8}" + "".join(f"{cell:18.4g}" for cell in cells), flush=True)


def main() -> None:
    """Print both tables."""
    multiplier_table((1000,) if "--quick" in sys.argv else SIZES)
    score_table(1.0)


if __name__ == "__main__":
    main()
