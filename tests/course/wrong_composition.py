"""Wrong answers to lesson 2, and what the reply must say."""

import math
from fractions import Fraction as F

ADVANCED_20 = math.sqrt(2 * 20 * math.log(1e5)) * 0.1 + 20 * 0.1 * (math.exp(0.1) - 1)

WRONG = [
    ("composition-1", 0, ["e^ε = 4"]),
    ("composition-1", F(1, 3), ["one run"]),
    ("composition-1", F(2, 3) ** 2 - 2 * F(1, 3) ** 2, ["e^ε = 2"]),
    ("composition-1", "1/10", ["too small"]),
    ("composition-1", "1/2", ["not the least"]),
    ("composition-2", 20, [f"{ADVANCED_20:.4f}", "2.0000", "no gain"]),
    ("composition-2", 100, ["so it is at 99"]),
    ("composition-2", 0, ["from 1 to"]),
    ("composition-3", F(3, 5) + F(4, 5) + F(12, 5), ["the sum"]),
    ("composition-3", F(169, 25), ["squared length"]),
    ("composition-3", F(12, 5), ["other two releases"]),
    ("composition-4", F(1, 25) / 2, ["one release"]),
    ("composition-4", F(16, 25), ["factor 1/2"]),
    ("composition-4", 1, ["not the least"]),
    # 1/15 + 8/15 + 8/5
    ("composition-5", F(1, 25) * F(5, 3) + F(4, 25) * F(10, 3) + F(4, 25) * 10,
     ["divergence of q from p"]),
    ("composition-5", F(9, 25) + F(9, 100) + F(1, 100), ["Where is q"]),
    ("composition-6", F(3, 100), ["does not just add up"]),
    ("composition-6", F(8, 100), ["not multiplied by the whole ratio"]),
    # randomised response has δ = 0, and so do two runs at 4
    ("composition-7", [["2/3", "1/3"], ["1/3", "2/3"]], ["δ = 0", "reaches more"]),
    ("composition-7", [["3/4", "1/4"], ["1/4", "3/4"]],
     ["(ln 2, 1/10)-private", "{1}", "row 1", "row 2", f"by {F(3, 4) - F(2, 4) - F(1, 10)}"]),
    # δ of one run: 7/10 − 2 · 3/10 = 1/10; of two at 4: 49/100 − 36/100
    ("composition-7", [["7/10", "3/10"], ["3/10", "7/10"]], ["δ = 1/10", "δ = 13/100"]),
    ("composition-8", 1 + F(31, 10), ["composed first"]),
    ("composition-8", 32, ["without samples"]),
    ("composition-8", F(11, 10), ["one run"]),
]  # fmt: skip
