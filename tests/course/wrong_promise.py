"""Wrong answers to lesson 0, and what the reply must say: computed here, by hand or by loops."""

import itertools
from fractions import Fraction as F

P, Q = (F(9, 20), F(7, 20), F(1, 5)), (F(1, 5), F(3, 20), F(13, 20))
VARIATION = sum((abs(a - b) for a, b in zip(P, Q, strict=True)), F(0)) / 2
REVERSED = max(
    sum((Q[j] - 2 * P[j] for j in event), F(0))
    for size in range(4)
    for event in itertools.combinations(range(3), size)
)
HALF = [["1/2", "1/2"], ["1/2", "1/2"]]

# exercise, answer, what the reply says
WRONG = [
    ("promise-1", VARIATION, ["total variation", "factor 2"]),
    ("promise-1", REVERSED, ["divergence of q from p"]),
    ("promise-1", F(9, 20) - 2 * F(1, 5), ["best single outcome"]),
    ("promise-1", "1/3", ["not the least"]),
    ("promise-1", 0, ["too small"]),
    ("promise-1", -1, ["cannot be below 0"]),
    # 1/20 + 0 + 1/10 − 2/5
    ("promise-2", [1, 2, 3, 4], [f"{F(1, 20) + F(1, 10) - F(2, 5)}", "Outcome 4 costs it 2/5"]),
    ("promise-2", {3}, ["p(U) − 2 q(U) = 1/10", "left out"]),
    ("promise-2", [], ["= 0", "left out"]),
    # row 1 keeps 4/5: 4/5 − 3/5 = 1/5, 1/10 too much
    ("promise-3", [["4/5", "1/5"], ["1/5", "4/5"]],
     ["{1}", "row 1", "row 2", f"{F(4, 5) - 3 * F(1, 5)}", "by 1/10"]),
    ("promise-3", [["3/4", "1/4"], ["1/4", "3/4"]],
     ["private, but value 1", f"{F(1, 4)}", "less is possible"]),
    ("promise-3", [["3/4", "1/2"], ["1/4", "3/4"]], ["Row 1", "sums to 5/4", "1/4 too much"]),
    ("promise-4", [[1, [4, 5]], [-1, [5, 6]]], ["{4, 5} has 2 people"]),
    ("promise-4", [[1, [1, 2, 3, 4]], [-1, [1, 2, 5]]], ["person 3 with weight 1, not 0"]),
    ("promise-5", [0, 0, 0, 1, 1, 1], ["{1, 2, 3}", "count 0", f"off by {F(5, 2)}"]),
    ("promise-5", [2, 0, 0, 0, 0, 0], ["Person 1 has the bit 2"]),
    ("promise-6", {"first": HALF, "second": HALF}, ["largest likelihood ratio is 1"]),
    ("promise-6", {"first": HALF, "second": [["3/4", "1/4"], ["1/4", "3/4"]]},
     ["second mechanism is not (ln 2, 0)-private", f"{F(3, 4) - 2 * F(1, 4)}"]),
    ("promise-7", [["1/2", "1/2"], ["1/4", "3/4"], ["1/4", "3/4"], ["1/8", "7/8"]],
     ["outcome 1", "by the factor 4", "less than 8"]),
    ("promise-7", [["8/9", "1/9"], ["4/9", "5/9"], ["2/9", "7/9"], ["1/9", "8/9"]],
     ["{2}", "row 2", "row 1", f"{F(5, 9) - 2 * F(1, 9)}"]),
    ("promise-8", {"add-remove": "9/2", "replace-one": 11}, ["add-remove", "9/2 is too small"]),
    ("promise-8", {"add-remove": "13/2", "replace-one": 13}, ["replace-one", "no pair"]),
]  # fmt: skip
