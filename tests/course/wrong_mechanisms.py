"""Wrong answers to lesson 1, and what the reply must say."""

import math
from fractions import Fraction as F


def profile(sigma: float, epsilon: float) -> float:
    """Return Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ), with μ = 1/σ."""

    def below(x: float) -> float:
        return math.erfc(-x / math.sqrt(2)) / 2

    half, far = 1 / (2 * sigma), epsilon * sigma
    return below(half - far) - math.exp(epsilon) * below(-half - far)


def uniform(_: int) -> list[F]:
    return [F(1, 5)] * 5


def greedy(count: int) -> list[F]:
    return [F(3, 5) if n == count else F(1, 10) for n in range(1, 6)]


def crashing(count: int) -> list[F]:
    return [F(1, 3 - count)] * 5


def leaking(count: int) -> list[F]:
    return [F(1, 4)] * 5


WRONG = [
    ("mechanisms-1", F(3, 4), ["two answers"]),
    ("mechanisms-1", F(3, 8), ["do not sum to 8"]),
    ("mechanisms-1", "1/2", ["not private", "exceeds 3"]),
    ("mechanisms-1", "1/5", ["useless"]),
    ("mechanisms-2", F(8, 27), ["moves by 1"]),
    ("mechanisms-2", F(1, 2), ["too small", "q⁻³"]),
    ("mechanisms-2", "3/2", ["more than 1"]),
    ("mechanisms-3", F(5, 2), ["protects one visit"]),
    ("mechanisms-3", 7 * F(2, 5), ["smaller ε would mean less noise"]),
    ("mechanisms-3", 20, ["less noise is enough"]),
    ("mechanisms-4", F(1, 3), ["ε = 0"]),
    ("mechanisms-4", 0, ["e^ε = 2"]),
    ("mechanisms-5", 6.0, ["too small", f"{profile(6, 0.5):.3g}"]),
    ("mechanisms-5", 9.69, ["classical formula"]),
    ("mechanisms-6", F(11, 8), ["added 3 r to 1"]),
    ("mechanisms-6", 3, ["without the sample"]),
    # weights 64 : 16 : 1
    ("mechanisms-7", ["64/81", "16/81", "1/81"], ["Candidates 1 and 2", "factor 1/2"]),
    ("mechanisms-7", ["1/3", "1/3", "1/3"], ["Candidates 1 and 2", "1/3"]),
    # 2^(1, 0) against 2^(0, 0): 2/3 against 1/2, and 1/3 against 1/2
    (
        "mechanisms-8",
        {"first": [0, 0], "second": [1, 0]},
        [f"largest ratio is {F(1, 2) / F(1, 3)}"],
    ),
    ("mechanisms-8", {"first": [0, 0], "second": [2, 0]}, ["Score 1 moves by 2"]),
    # 1/3 against 2/(2 + 1/2 + 1/2): exactly 2, which is allowed
    (
        "mechanisms-8",
        {"first": [0, 0, 0], "second": [1, -1, -1]},
        ["largest ratio is 2", "not above"],
    ),
    ("mechanisms-9", F(1, 4) + 2 * F(1, 16), ["first answer above"]),
    ("mechanisms-9", F(1, 4) + 3 * F(1, 16), ["charged 1/16"]),
    ("mechanisms-10", uniform, ["count 1", "1/5", f"{F(1, 3) - F(1, 5)} less than asked for"]),
    ("mechanisms-10", greedy, ["{1}", "count 1", "count 2", f"{F(3, 5) - 2 * F(1, 10)}"]),
    ("mechanisms-10", crashing, ["count 3", "ZeroDivisionError"]),
    ("mechanisms-10", leaking, ["sums to 5/4", "1/4 too much"]),
]
