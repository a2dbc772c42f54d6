"""Wrong answers to lesson 5, and what the reply must say."""

import itertools
from fractions import Fraction as F

NEAR = [[x, y] for x, y in itertools.product((-2.9, 2.9), repeat=2)]
GRID = [[float(x), float(y)] for x, y in itertools.product(range(-6, 7, 2), repeat=2)]


def error(points: list[list[float]]) -> float:
    """Return the matching error by brute force: each corner's nearest point is another one here."""
    corners = itertools.product((-3, 3), repeat=2)
    nearest = [min((x - a) ** 2 + (y - b) ** 2 for x, y in points) for a, b in corners]
    return sum(nearest) / max(4, len(points))


WRONG = [
    ("modes-1", 0.5, ["it holds there"]),
    ("modes-1", "0.05", ["hundredth further", "times"]),
    ("modes-1", 0.17, ["it holds there", "0.99"]),
    ("modes-1", 3, ["at most 1"]),
    ("modes-2", NEAR, ["4 points", f"{error(NEAR):.5f}", "not below 0.0015"]),
    ("modes-2", GRID, ["49 points", f"{error(GRID):.5f}"]),
    ("modes-2", [[3, 3], [-3, 3]], ["Point 1", "within 0.01", "(3, 3)"]),
    ("modes-2", [[0, 7]], ["Point 1", "(0, 7)", "outside the box"]),
    ("modes-3", 0.1, ["still too high"]),
    ("modes-3", 1.0, ["smaller ε already"]),
    ("modes-3", "0.14", ["still too high"]),
    ("modes-4", F(1, 4), ["number of true modes"]),
    ("modes-4", F(1, 2), ["leftovers"]),
    ("modes-4", F(1, 3), ["squared"]),
    ("modes-4", ((F(5, 2)) ** 2 + (F(5, 2)) ** 2) / 3, ["not the best"]),
    ("modes-4", 2, ["too large"]),
    ("modes-5", [-2, 1, 5], ["error 0", "no mode is missing"]),
    # 1/2 is nearest to 1: (1/2)²/3
    ("modes-5", ["1/2"], [f"the error {F(1, 12)}"]),
    ("modes-5", [-2, 2], [f"the error {F(1, 3)}"]),
    ("modes-6", F(3, 4), ["to one record"]),
    ("modes-6", F(9, 8), ["units do not fit"]),
    ("modes-6", "1/2", ["at a larger distance as well"]),
    ("modes-6", 2, ["middle is a minimum"]),
    ("modes-7", [1, 0], ["second moment is 1, not 0"]),
    ("modes-7", [1, 1], ["integral is 2, not 1"]),
    ("modes-7", [3, -1], ["integral is 2"]),
    ("modes-7", ["1/2", "1/2"], [f"second moment is {F(1, 2) + 3 * F(1, 2)}"]),
]
