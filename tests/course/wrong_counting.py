"""Wrong answers to lesson 3, and what the reply must say."""

from fractions import Fraction as F
from typing import Any

LINE = 1 / sum(F(3) ** -d for d in range(6))
OPTIMUM = [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]
FAIR = [["1/5"] * 5 for _ in range(5)]


def uniform(m: int, _: F) -> list[list[F]]:
    return [[F(1, m)] * m for _ in range(m)]


def floating(m: int, k: F) -> Any:
    return [[1.0 / m] * m for _ in range(m)]


def along_the_line(m: int, k: F) -> list[list[F]]:
    rows = [[k ** -abs(i - j) for j in range(m)] for i in range(m)]
    return [[x / sum(row) for x in row] for row in rows]


WEIGHTS = [F(16, 31) / 2**n for n in range(5)]
ALONE = {(2, 1): [0, WEIGHTS[1], WEIGHTS[1], WEIGHTS[1], WEIGHTS[1]]}
FLIPPING = [["7/10", "1/5", "1/10"], ["1/5", "3/5", "1/5"], ["1/10", "1/5", "7/10"]]

WRONG = [
    ("counting-1", F(25, 52), ["δ = 0"]),
    ("counting-1", 1 - F(19, 20) * F(25, 52), ["probability to be right"]),
    ("counting-1", F(19, 20) * (1 - LINE), ["along the line"]),
    ("counting-1", F(5, 8), ["randomised response"]),
    ("counting-1", F(19, 20) * F(1, 2), ["many counts"]),
    ("counting-1", "1/3", ["too small"]),
    ("counting-2", OPTIMUM, ["P* itself"]),
    # 3/8 against 2 · 1/8
    ("counting-2", [["1/2", "1/8", "3/8"], ["3/8", "1/2", "1/8"], ["1/4", "1/4", "1/2"]],
     ["U = {3}", "count 1", "count 2", f"{F(3, 8) - 2 * F(1, 8)}"]),
    ("counting-2", [["2/5", "3/10", "3/10"], ["3/10", "2/5", "3/10"], ["3/10", "3/10", "2/5"]],
     ["count 1", f"{F(1, 10)} less than asked for"]),
    ("counting-2", [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], ["-1/4", "3/4", "1/2"]],
     ["Row 3", "-1/4", "place 1"]),
    # no multipliers: every row costs its weight
    ("counting-3", {"weights": ["1/5"] * 5, "multipliers": {}}, ["at least 0", "less than 15/31"]),
    # rows 1 to 5 leave 16/31, 0, 4/31, 2/31, 1/31
    ("counting-3", {"weights": WEIGHTS, "multipliers": ALONE},
     [f"at least {1 - F(16 + 4 + 2 + 1, 31)}", "row 1", "16/31"]),
    ("counting-3", {"weights": ["1/4"] * 5, "multipliers": {}}, ["not a distribution"]),
    ("counting-3", {"weights": ["1/5"] * 5, "multipliers": {(1, 3): [0] * 5}}, ["no neighbours"]),
    ("counting-3", {"weights": ["1/5"] * 5, "multipliers": {(1, 2): [-1, 0, 0, 0, 0]}},
     ["(1, 2)", "-1", "negative"]),
    # at k = 1 nothing but guessing is private
    ("counting-4", {"channel": FLIPPING, "k": 1}, ["above 1"]),
    ("counting-4", {"channel": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "k": 3},
     ["Row 1, column 2", "zeros are not allowed"]),
    ("counting-4", {"channel": [["1/3"] * 3] * 3, "k": 3}, ["inverted"]),
    ("counting-4", {"channel": FLIPPING, "k": "3/2"}, ["it holds"]),
    ("counting-5", F(9, 2), ["1/(k + 1)"]),
    ("counting-5", F(2, 7), ["upside down"]),
    ("counting-5", 2, ["beyond as well"]),
    # P T has 9/20 on the diagonal: 1/2 · 4/5 + 1/2 · 1/10
    ("counting-6", OPTIMUM, ["count 1", f"{F(1, 2) * F(4, 5) + F(1, 2) * F(1, 10)}", "less is"]),
    ("counting-6", [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
     ["What the reader sees", "{1}", f"{F(4, 5) - 2 * F(1, 10)}"]),
    ("counting-7", uniform, ["m = 2, k = 3/2", "count 1", "1/2"]),
    ("counting-7", along_the_line, ["m = 3, k = 3/2", "not (ln 3/2, 0)-private", "count 2"]),
    ("counting-8", [[F(1, 1) if j == 0 else 0 for j in range(4)]] * 4, ["around the circle too"]),
    ("counting-8", [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]],
     ["{1}", "count 1", "count 2", "more than 0"]),
]  # fmt: skip
