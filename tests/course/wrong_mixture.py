"""Wrong answers to lesson 4, and what the reply must say."""

import math
from fractions import Fraction as F


def delta(points: list[int]) -> str:
    """Return 1 − e^(−γ·Δ/2) for the move Δ of the variance of the first four, γ = 4/15."""

    def variance(values: list[int]) -> F:
        mean = F(sum(values), len(values))
        return sum(((x - mean) ** 2 for x in values), F(0)) / (len(values) - 1)

    moved = abs(variance(points[:4]) - variance(points[:3]))
    return f"{1 - math.exp(-float(moved) * 4 / 15 / 2):.4f}"


SEVENTH = [["1/7"] * 7 for _ in range(7)]
SHORT = [[F(2, 5) if i == j else F(1, 12) for j in range(7)] for i in range(7)]
LINE = [[F(1, 2 ** abs(i - j)) for j in range(7)] for i in range(7)]
LINE = [[x / sum(row) for x in row] for row in LINE]

WRONG = [
    ("mixture-1", [1, 1, 1, -1, 1, 1, 1], ["from 1 to 0", delta([1, 1, 1, -1]), "not yet"]),
    ("mixture-1", [5, 5, 5, -5, 0, 0, 0], ["from 25 to 0", delta([5, 5, 5, -5])]),
    ("mixture-1", [0] * 7, ["0 before the flip and after"]),
    ("mixture-1", [2, 2, 2, 0, 0, 0, 0], ["from 1 to 0", delta([2, 2, 2, 0])]),
    ("mixture-2", SEVENTH, ["histogram 1", "1/7", f"{F(4, 11) - F(1, 7)} less than asked for"]),
    ("mixture-2", SHORT, ["Row 1", f"{F(2, 5) + 6 * F(1, 12)}", "too little"]),
    ("mixture-2", [[F(1, 2) if i == j else F(1, 12) for j in range(7)] for i in range(7)],
     ["{1}", "histogram 1", "histogram 2", f"{F(1, 2) - 2 * F(1, 12)}"]),
    # rows 1/(63/32) and 1/(1 + 1/2 + 1/2 + …): P(1 | 2) is too small beside P(1 | 1)
    ("mixture-2", LINE, ["histogram", "not (ln 2, 0)-private", f"{LINE[0][0] - 2 * LINE[1][0]}"]),
    ("mixture-3", F(1, 9), ["mixed with 1"]),
    ("mixture-3", F(5, 17), ["belongs to the probability on D too"]),
    ("mixture-3", "1/10", ["too small"]),
    ("mixture-3", "1/2", ["not the least"]),
    ("mixture-3", 2, ["cannot be above 1"]),
    ("mixture-4", F(5, 3), ["γ/2, not γ"]),
    ("mixture-4", F(2, 3), ["falls by 1"]),
    ("mixture-4", F(5, 8), ["γ is missing"]),
    ("mixture-4", F(2, 5), ["This is ε'"]),
    ("mixture-4", 2, ["too large"]),
    ("mixture-5", F(7, 4), ["one class"]),
    ("mixture-5", 6, ["worst record"]),
    ("mixture-5", 7, ["right angles"]),
    ("mixture-6", 4, ["basic composition"]),
    ("mixture-6", 2.0, ["too small"]),
    ("mixture-6", "2.5", ["smaller ε does too"]),
    ("mixture-6", -1, ["between 0 and 1000"]),
    ("mixture-7", F(5, 3), ["divergence from the fit"]),
    ("mixture-7", 1, ["geometric mean"]),
    ("mixture-7", "1/2", ["derivative is negative"]),
]  # fmt: skip
