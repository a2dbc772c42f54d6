# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 0. What differential privacy promises
# ### Events, neighbours, two attacks, and what adds up
#
# You need: fractions, probability of events, a little Python. You will know afterwards: what
# $(\varepsilon, \delta)$ says, word by word; who is whose neighbour; why exact answers, and answers
# that are nearly exact, give data away; what survives post-processing, repetition and groups. About
# 60 minutes.
#
# All numbers here are exact fractions. What is claimed is asserted in the cell below the claim.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import itertools
import math
from fractions import Fraction as F

import numpy as np
from matplotlib import pyplot as plt

from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, RED, axes, show
from provedp.theory import counting
from provedp.theory.privacy import hockey_stick, path_delta, privacy_profile, worst_event

# %% [markdown]
# ## 1. A mechanism is a table
# Someone has a bit: they voted yes (1) or no (0). They throw dice and tell the truth with
# probability $2/3$, else they lie. What we see is random; what we know is its distribution, a row
# of a table for each possible bit.

# %%
response = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
show(response)

# %% [markdown]
# An **event** $U$ is a set of answers. A mechanism is $(\varepsilon, \delta)$-**differentially
# private** if for all *neighbours*, here the two bits, and all events
# $$P(U) \;\le\; e^\varepsilon\, Q(U) + \delta .$$
# We write $k = e^\varepsilon$, so that everything stays a fraction; $\varepsilon = \ln k$ is
# measured in nats. Four events, at $k = 3/2$:

# %%
p, q = response
for event in ((), (0,), (1,), (0, 1)):
    print(event, sum(p[j] for j in event) - F(3, 2) * sum(q[j] for j in event))

# %% [markdown]
# The largest of these numbers is the least $\delta$ that will do: $1/6$. With three answers there
# are 8 events, with thirty a billion. But each answer adds $p_j - k q_j$ to the sum *whatever the
# others do*: the best event takes all answers with a positive difference. What it collects is the
# **hockey-stick divergence**
# $$E_k(p \,\|\, q) = \sum_j \max(p_j - k q_j, 0) .$$

# %%
assert hockey_stick(p, q, F(3, 2)) == F(1, 6)
assert worst_event(p, q, F(3, 2)).outcomes == (0,)

# %% [markdown]
# Both orders count, since nobody knows which bit is the true one. As $k$ grows, $\delta$ falls. The
# curve of all pairs is the **privacy profile**, and it has corners where $k$ is a ratio
# $p_j/q_j$. At $k = 2$ nothing is left: randomised response is $(\ln 2, 0)$-private.

# %%
corners = privacy_profile([F(1, 2), F(1, 4), F(1, 4)], [F(1, 6), F(1, 3), F(1, 2)])
show([("k", "δ"), *corners])
assert path_delta(response, F(2)) == 0

# %%
ks = [F(n, 40) for n in range(40, 161)]
drawn = axes("The least δ for each ε", "ε (nats)", "δ (probability)", xlim=(0, 1.4), ylim=(0, 0.6))
for keep, colour, line in ((F(2, 3), BLUE, "-"), (F(3, 4), RED, "--")):
    rows = [[keep, 1 - keep], [1 - keep, keep]]
    deltas = [path_delta(rows, k) for k in ks]
    drawn.plot([math.log(k) for k in ks], deltas, c=colour, ls=line, label=f"keeps {keep}")
drawn.legend()
plt.show()

# %% [markdown]
# ## 2. What it means for a suspicion
# Before the answer you believe that the bit is 1 with probability $\pi$. After the answer your odds
# are multiplied by a ratio of two entries in a column: by at most $k$, and at least $1/k$. That is
# the promise in words: *whatever you believed, and whatever you saw, your odds move by a factor of
# at most $e^\varepsilon$.*


# %%
def belief_after(prior, ratio):
    odds = prior / (1 - prior) * ratio
    return odds / (1 + odds)


# %%
assert belief_after(F(1, 2), 2) == F(2, 3)

# %%
priors = np.linspace(0.001, 0.999, 300)
drawn = axes("Belief after one answer, k = 2", "belief before", "belief after", (4.6, 4.2))
drawn.plot(priors, belief_after(priors, 2), c=RED, label="the answer 1")
drawn.plot(priors, belief_after(priors, 0.5), c=BLUE, ls="--", label="the answer 0")
drawn.plot(priors, priors, c=BLACK, lw=1, ls=":", label="nothing learned")
drawn.legend()
plt.show()

# %% [markdown]
# And what is **not** promised: that nobody learns anything *about* you. If smokers are found to
# live shorter, that is learned about every smoker, in the data or not. The promise is about the
# difference that *your record* makes.
#
# ## 3. Who is a neighbour?
# The definition leaves this open, and it is half of it.
#
# * **add-remove**: one data set has a record more;
# * **replace-one**: one record is exchanged, and the number of records is public;
# * **label**: only the label of one record is exchanged; features are public.
#
# Take records clipped to $[-1, 3]$, and their sum. By how much can it move? (Ends are enough.)

# %%
ends = (-1, 3)
added = max(abs(x) for x in ends)
replaced = max(abs(x - y) for x, y in itertools.product(ends, ends))

# %%
assert (added, replaced) == (3, 4)

# %% [markdown]
# The same noise is thus worth another $\varepsilon$ for another adjacency. A claim without its
# adjacency says nothing.
#
# ## 4. Attack: differencing
# A server never answers about fewer than three people, and otherwise exactly. Two allowed questions
# and one subtraction:

# %%
secret = {"Ana": 1, "Ben": 0, "Cem": 1, "Dea": 1, "Eli": 0}
everyone = sum(secret.values())

# %%
without_dea = sum(bit for name, bit in secret.items() if name != "Dea")
assert everyone - without_dea == secret["Dea"]

# %% [markdown]
# No rule about *one* question helps: each was harmless.
#
# ## 5. Attack: reconstruction
# So let answers be wrong. Ten people have a bit each. The server answers random subset counts, each
# off by at most $E$. The attacker tries all $2^{10}$ data sets and keeps one that agrees with all
# answers to within $E$. This is the attack of Dinur and Nissim, small enough to be exhaustive.

# %%
PEOPLE, QUESTIONS = 10, 60
rng = np.random.default_rng(3)
bits = rng.integers(0, 2, PEOPLE)
groups = rng.integers(0, 2, (QUESTIONS, PEOPLE))

# %%
candidates = np.array(list(itertools.product((0, 1), repeat=PEOPLE)))
exact = candidates @ groups.T
truth = groups @ bits

# %% [markdown]
# For each $E$, the *worst* data set that still agrees: the share of bits on which it is right.


# %%
def recovered(most):
    answers = truth + rng.integers(-most, most + 1, QUESTIONS)
    agreeing = candidates[(abs(exact - answers) <= most).all(axis=1)]
    return (agreeing == bits).mean(axis=1).min()


shares = [np.mean([recovered(most) for _ in range(30)]) for most in range(5)]
assert shares[0] == 1 and shares[1] > 0.95

# %%
drawn = axes("Sixty answers about ten bits", "largest error E (people)", "share of bits recovered")
drawn.plot(range(5), shares, "o-", c=RED, label="worst data set that agrees, mean of 30 runs")
drawn.axhline(0.5, c=BLACK, lw=1, ls=":", label="guessing")
drawn.set(ylim=(0, 1.05), xticks=range(5))
drawn.legend()
plt.show()

# %% [markdown]
# Errors of one person in ten give everything away. *Too accurate answers to too many questions
# destroy privacy*: error must grow with the number of questions. How fast it must is the subject of
# lesson 2.
#
# ## 6. What survives: post-processing
# What is computed from the output, without the data, is as private as the output. In a table it
# multiplies from the right by a matrix with rows that sum to one, and no divergence grows:

# %%
coarser = [[F(1), F(0)], [F(1, 2), F(1, 2)]]
processed = [[sum(row[i] * coarser[i][j] for i in (0, 1)) for j in (0, 1)] for row in response]
show(processed)
assert path_delta(processed, F(3, 2)) <= path_delta(response, F(3, 2))

# %% [markdown]
# ## 7. What adds up: repetition
# Ask the same person twice. Independent answers have the product of their probabilities, and so of
# their ratios: two answers 1 are $2 \cdot 2 = 4$ times as likely for the bit 1. Two
# $(\ln 2, 0)$-private releases are together $(\ln 4, 0)$-private: $\varepsilon$ adds up, and so
# does $\delta$. (`provedp show privacy.guarantees_compose`)

# %%
twice = [[a * b for a, b in itertools.product(row, row)] for row in response]
show(twice)
assert path_delta(twice, F(4)) == 0 < path_delta(twice, F(3))

# %% [markdown]
# ## 8. What fades: groups
# A family of three is three steps from a data set without them. Each step costs a factor $k$: the
# guarantee for the group is $k^3$. Truncated geometric noise on a count reaches it:

# %%
noisy = counting.truncated_geometric_matrix(4, F(2))
show(noisy)
assert path_delta(noisy, F(2)) == 0 and noisy[0][0] / noisy[3][0] == 8

# %%
gaps = [1, 2, 3]
drawn = axes("Groups, k = 2", "people who differ", "largest ratio of probabilities", (5, 3.2))
drawn.bar(gaps, [float(noisy[0][0] / noisy[gap][0]) for gap in gaps], color=GREEN)
drawn.set(xticks=gaps)
plt.show()

# %% [markdown]
# ## Exercises
# `provedp course show promise-1` prints a question, `--hint 1` a hint, and `grade` replies. Here is
# a first try at the third, randomised response for $k = 3$ and $\delta = 1/10$:

# %%
grade("promise-3", [["4/5", "1/5"], ["1/5", "4/5"]])

# %% [markdown]
# 1. `promise-1` A divergence; 2. `promise-2` The best event; 3. `promise-3` Two values;
# 4. `promise-4` Differencing; 5. `promise-5` Reconstruction; 6. `promise-6` Two releases are not
# one; 7. `promise-7` Three steps; 8. `promise-8` Which neighbours?
