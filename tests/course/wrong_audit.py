"""Wrong answers to lesson 6, and what the reply must say."""

import math
from fractions import Fraction as F
from typing import Any

import numpy as np
from scipy import stats

ZERO, ONE = [0] * 5, [1] * 5


def unclipped(people: list[float], rng: np.random.Generator, count: int) -> Any:
    return (sum(people) + rng.laplace(scale=200, size=count)) / max(1, len(people))


def exact_number(people: list[float], rng: np.random.Generator, count: int) -> Any:
    total = np.clip(people, 0, 100).sum() + rng.laplace(scale=100, size=count)
    return total / max(len(people), 1)


def constant(people: list[float], rng: np.random.Generator, count: int) -> Any:
    return np.zeros(count)


def single(people: list[float], rng: np.random.Generator, count: int) -> Any:
    return 50.0


def dividing(people: list[float], rng: np.random.Generator, count: int) -> Any:
    return sum(people) / len(people) + rng.laplace(size=count)


def guess(verdict: str, pair: Any, event: Any) -> dict[str, Any]:
    return {"verdict": verdict, "pair": pair, "event": event}


def shown(value: float) -> str:
    return f"{value:.6g}"


LAPLACE, HALF = stats.laplace(), stats.laplace(scale=0.5)
LARGEST = stats.laplace(scale=2)
E2, SUM = math.e**2, math.e + 2

WRONG = [
    ("audit-1", {"good": 1, "bad": 5}, ["good cut 1", "not above 2.35"]),
    ("audit-1", {"good": 0, "bad": 1}, ["bad cut 1", "still refutes"]),
    ("audit-1", {"good": 2, "bad": 0}, ["should be the larger"]),
    ("audit-2", 100, ["too few"]),
    ("audit-2", 100_000, ["a tenth less are as well"]),
    ("audit-3", unclipped, ["[100] and [100, 0]", "ε ≥"]),
    ("audit-3", exact_number, ["neighbours", "ε ≥"]),
    ("audit-3", constant, ["of no use", "40 people"]),
    ("audit-3", single, ["numbers for the people", "one a run"]),
    ("audit-3", dividing, ["people []", "ZeroDivisionError"]),
    ("audit-4", 3000, ["rule of three"]),
    ("audit-4", math.ceil(math.log(20) / -math.log(0.999)) - 1, ["Just short"]),
    ("audit-4", 100, ["more often than once in twenty"]),
    ("audit-5", "1/20", ["some alarm", "64 %"]),
    ("audit-5", F(399, 400), ["confidence"]),
    ("audit-5", "1/1000", ["less strict"]),
    ("audit-6", F(25, 4), ["Rows 1 and 3 are no neighbours"]),
    ("audit-6", F(5, 2), ["Rows 1 and 2"]),
    ("audit-6", 2, ["too small"]),
    ("audit-7", guess("broken", [0, 1], [5]), [shown(1 / (E2 + 9)), "1 times"]),
    ("audit-7", guess("broken", [0, 1], [0]), [shown(E2 / (E2 + 9)), shown(E2), "does not show"]),
    ("audit-8", guess("right", [0, 1], "<= 0"),
     [shown(HALF.cdf(0)), shown(HALF.cdf(-1)), shown(E2), "your own event"]),
    ("audit-8", guess("broken", [0, 2], "<= 0"), ["moves by 2", "no neighbours"]),
    ("audit-8", guess("broken", [1, 1], "<= 0"), ["equal"]),
    ("audit-9", guess("right", [[0, 0, 0], [1, 0, 0]], [0]),
     [shown(1 / 3), shown(math.e / SUM), shown(3 * math.e / SUM)]),
    ("audit-9", guess("broken", [[0, 0, 0], [2, 0, 0]], [0]), ["number 1 moves by 2"]),
    ("audit-10", guess("broken", [10, 11], [0]), ["3 times", "within the 3 claimed"]),
    ("audit-11", guess("right", [ZERO, ONE], "<= 0"),
     [shown(LARGEST.cdf(0) ** 5), shown(LARGEST.cdf(-1) ** 5), "your own event"]),
    ("audit-11", guess("broken", [ZERO, [1, 0, 0, 0, 0]], "<= 0"),
     [shown(LARGEST.cdf(0) ** 5), shown(LARGEST.cdf(0) ** 4 * LARGEST.cdf(-1)), "does not show"]),
    # the value 1 is rounded from 1/2 on
    ("audit-12", guess("right", [0, 1], "<= 0"),
     [shown(LAPLACE.cdf(0.5)), shown(LAPLACE.cdf(-0.5)), "told apart better"]),
    ("audit-13", guess("broken", [ZERO, [1, 0, 0, 0, 0]], [0]), ["times in 100000", "not show"]),
    ("audit-13", guess("right", [ZERO, [1, 0, 0, 0, 0]], [1]), ["told apart better"]),
    ("audit-14", guess("right", [0, 1], ">= 1"), [shown(0.2), shown(0.8), "4 times"]),
    ("audit-14", guess("broken", [0, 2], ">= 1"), ["moves by 2"]),
    # the noise of scale 2 on the threshold: below 1/2 on both sides
    ("audit-15", guess("broken", [[0] * 6, [1] * 6], [[0] * 6]),
     [shown(1 - stats.laplace.cdf(-0.5 / 2)), shown(1 - stats.laplace.cdf(0.5 / 2))]),
    ("audit-15", guess("right", [[1, 0] * 3, [0, 1] * 3], [[1, 0] * 3]), ["infinity", "own event"]),
    ("audit-16", guess("broken", [[0] * 6, [1] * 6], [[1, -1, -1, -1, -1, -1]]), ["not show"]),
    ("audit-16", guess("right", [[0] * 6, [1] * 6], [[0, 1, 0, 0, 0, 0]]), ["impossible on both"]),
]  # fmt: skip
