"""Wrong answers to lesson 7, and what the reply must say."""

from fractions import Fraction as F

MIDDLE = [[0, 1, 0]] * 3
RESPONSE = [["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]]
GEOMETRIC = [["3/4", "1/6", "1/12"], ["1/4", "1/2", "1/4"], ["1/12", "1/6", "3/4"]]
STAR = [[1, 2], [1, 3], [1, 4], [2, 5], [5, 6], [5, 7]]
RENAMED = [[7, 6], [7, 5], [7, 4], [6, 3], [3, 2], [3, 1]]
FLIP = [["1/8", "7/8"], ["1/4", "3/4"], ["1/2", "1/2"], ["3/4", "1/4"], ["7/8", "1/8"]]
EXACT = [["1/16", "15/16"], ["1/5", "4/5"], ["1/2", "1/2"], ["4/5", "1/5"], ["15/16", "1/16"]]

WRONG = [
    ("optimal-1", "1/4", ["δ = 0"]),
    ("optimal-1", 1 - F(19, 20) / 4, ["right parity"]),
    # 1/α = 1 + 1/3 + 1/9 + 1/3 around a circle of four
    ("optimal-1", F(19, 20) * (1 - 1 / (1 + F(1, 3) + F(1, 9) + F(1, 3))), ["wrong count"]),
    ("optimal-1", "1/5", ["too small"]),
    ("optimal-1", "1/2", ["less"]),
    ("optimal-1", 2, ["cannot be above 1"]),
    # 3/16 for an end that says 2, and 1/4 + 1/4 for the middle that says an end
    ("optimal-2", GEOMETRIC, ["count 2", f"{F(1, 4) + F(1, 4)}", "more than 1/4"]),
    ("optimal-2", RESPONSE, ["count 2", f"{F(1, 5) + F(1, 5)}"]),
    ("optimal-2", [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
     ["not (ln 3, 0)-private", "{1}", "count 1", "count 2"]),
    ("optimal-2", [["1/2", "1/4", "1/8"], *GEOMETRIC[1:]], ["Row 1", "1/8 too little"]),
    ("optimal-3", MIDDLE, ["count 1", "error is 1, more than 99/100"]),
    ("optimal-3", [["1/3"] * 3] * 3, ["count 1", f"{F(1, 3) + F(4, 3)}"]),
    ("optimal-3", [["1/2", "1/2", 0], ["1/4", "1/2", "1/4"], [0, "1/2", "1/2"]],
     ["{1}", f"{F(1, 2) - F(7, 4) / 4}"]),
    # geometric noise for the uniform prior says the middle after noise of one: 2/3 − …
    ("optimal-4", ["1/2", 0, "1/2"], ["mean loss of", "less than 4/7"]),
    ("optimal-4", [0, 1, 0], ["mean loss of 0", "4/7"]),
    ("optimal-4", ["1/2", "1/2", "1/2"], ["1/2 too much"]),
    ("optimal-4", ["3/2", 0, "-1/2"], ["-1/2", "place 3"]),
    # 3-RR keeps a value with 1/2 at k = 2
    ("optimal-5", ["1/3", "1/3", "1/3"], ["errs with 1/2", "no release"]),
    ("optimal-5", [1, 0, 0], ["errs with 0"]),
    ("optimal-5", ["1/2", "1/4", "1/8"], ["1/8 too little"]),
    ("optimal-6", STAR, ["the double star"]),
    ("optimal-6", RENAMED, ["the double star"]),
    ("optimal-6", [[1, 2], [2, 3]], ["no way", "vertex 4"]),
    ("optimal-6", [*STAR, [2, 1]], ["twice"]),
    ("optimal-6", [*STAR, [2, 2]], ["itself"]),
    # the middle of a path: 1 + 2/3 + 2/9 + 2/27
    ("optimal-6", [[i, i + 1] for i in range(1, 7)],
     [f"{1 - 1 / (1 + 2 * (F(1, 3) + F(1, 9) + F(1, 27)))}", "attained"]),
    ("optimal-7", ["5/2", "3/2"], ["ascend"]),
    ("optimal-7", ["3/2", "1000"], ["between"]),
    ("optimal-7", ["3/2", "5/2"], ["Count 1", "more than 3/4"]),
    # nothing but 2: the ends lose 1
    ("optimal-7", [-50, 50], ["Count 1", "error 1, more"]),
    ("optimal-8", FLIP, ["row 2", "1/4"]),
    ("optimal-8", EXACT, ["not (ln 4, 0)-private", "two apart"]),
    ("optimal-8", [["1/2", "1/2"]] * 5, ["row 1", "1/2"]),
]  # fmt: skip
