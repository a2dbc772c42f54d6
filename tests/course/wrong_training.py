"""Wrong answers to lesson 8, and what the reply must say."""

from fractions import Fraction as F
from math import comb

from scipy import stats

B, MASS = F(5 * 16 + 32, 243), F(5 * 16, 243)  # five guesses of chance 2/3, at 4
# f(3) − f(4) is the mass at 3, 80/243 too; half of what 2 adds to it is less
PUBLISHED = B + 2 * 5 * F(1, 50) * MASS


def profile(epsilon: float) -> float:
    """δ of Gaussian noise that is moved by 0.8, by hand."""
    above = stats.norm.cdf(0.4 - epsilon / 0.8)
    return float(above - stats.norm.cdf(-0.4 - epsilon / 0.8) * 2.718281828459045**epsilon)


def alone(delta: float) -> float:
    """The exact bound for 107 of 120 at ε = 1, by hand."""
    guesses = stats.binom(120, 1 / (1 + 2.718281828459045**-1))
    tail = float(guesses.sf(106))
    return tail + 120 * delta * tail * (1 - tail) / (107 * float(guesses.pmf(107)))


WRONG = [
    ("training-1", 27, ["rule of thumb"]),
    ("training-1", 28, ["Just short"]),
    ("training-1", 2, ["to be wrong"]),
    ("training-1", 10, ["more than once in twenty"]),
    ("training-1", 100, ["fewer are too"]),
    ("training-2", B, ["δ = 0"]),
    ("training-2", PUBLISHED, ["published bound", "more than any mechanism"]),
    ("training-2", B + F(1, 30), ["every increasing statistic"]),
    ("training-2", B + F(1, 50), ["each of the coins"]),
    ("training-2", "1/3", ["Some training has more"]),
    ("training-2", "9/10", ["No training has so much"]),
    ("training-3", ["1/16", "1/4", "3/8", "1/4", "1/16"],
     [f"probability {F(5, 16)}", "less than 41/96"]),
    # 4 p_4 − p_3 = 4 one way
    ("training-3", [0, 0, 0, 0, 1], ["not (0, 1/10)-private", "first sum is 4", "2/5"]),
    # 1 p_0 counts four coins the other way
    ("training-3", [1, 0, 0, 0, 0], ["second sum is 4", "2/5"]),
    ("training-3", ["1/2", "1/4", "1/8", "1/16", "1/32"], ["1/32 too little"]),
    ("training-3", ["3/2", "-1/2", 0, 0, 0], ["-1/2"]),
    ("training-4", F(sum(comb(40, i) for i in range(30, 41)), 2**40), ["40 coins", "fewer"]),
    ("training-4", F(sum(comb(20, i) for i in range(16, 21)), 2**20), ["belong to it"]),
    ("training-4", F(sum(comb(20, i) for i in range(15, 21)), 2**19), ["one side"]),
    ("training-4", "1/20", ["less likely"]),
    ("training-4", "1/1000", ["more likely"]),
    ("training-5", "1/10000", ["all of them together"]),
    ("training-5", "1/10", ["right for one coin"]),
    ("training-5", "1/40", ["privacy does not ask for guesses"]),
    ("training-5", "1/2", ["more than δ"]),
    ("training-6", "1/1000", ["one record"]),
    ("training-6", "3/1000", ["does not only add up"]),
    ("training-6", "27/1000", ["less than δ k³"]),
    ("training-6", "1/2", ["Less is enough"]),
    ("training-7", "1.70", ["central limit theorem"]),
    ("training-7", "2.30", ["δ ≥", "which end"]),
    ("training-7", 3, ["0.01 less"]),
    ("training-7", 200, ["between 0 and 100"]),
    ("training-8", "2/5", ["removing"]),
    ("training-8", 8, ["one batch only"]),
    ("training-8", 5, ["More noise"]),
    ("training-8", "1/10", ["further apart"]),
    ("training-9", [[1, profile(1.0)]], [f"p-value of {alone(profile(1.0)):.4f}", "above 1/20"]),
    ("training-9", [[1, profile(1.0) / 2]], [f"δ = {profile(1.0):.6g}", "not what the trainer"]),
    ("training-9", [[0.5, profile(0.5)], [3, profile(3.0)]], ["together, above 1/20"]),
    ("training-9", [[i / 10, "1/2"] for i in range(1, 7)], ["At most 5", "Got 6"]),
    ("training-9", [[0, "1/2"]], ["above 0"]),
]  # fmt: skip
