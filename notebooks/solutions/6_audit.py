# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 6: auditing a mechanism

# %%
import math
from fractions import Fraction as F

import numpy as np

answers = {}

# %% [markdown]
# ### audit-1
# c = 0 is the largest cut with the full ratio; at 2 both data sets make the event common.

# %%
answers["audit-1"] = {"good": 0, "bad": 2}

# %% [markdown]
# ### audit-2
# By bisection with `lower_bound`.

# %%
answers["audit-2"] = 1150


# %% [markdown]
# ### audit-3
# A noisy sum over a noisy number of people, half of the budget each; clip first.


# %%
def private_mean(people, rng, count):
    clipped = np.clip(np.array(people, dtype=float), 0, 100)
    totals = clipped.sum() + rng.laplace(scale=200, size=count)
    return totals / np.maximum(1, len(people) + rng.laplace(scale=2, size=count))


answers["audit-3"] = private_mean

# %% [markdown]
# ### audit-4
# n ≥ ln 20 / −ln(999/1000).

# %%
answers["audit-4"] = math.ceil(math.log(20) / -math.log(0.999))

# %% [markdown]
# ### audit-5
# Twenty equal parts of 1/20.

# %%
answers["audit-5"] = F(1, 20) / 20

# %% [markdown]
# ### audit-6
# Rows 2 and 3, last column: 7/10 against 1/4.

# %%
answers["audit-6"] = F(7, 10) / F(1, 4)

# %% [markdown]
# ### audit-7
# Randomised response with ten answers: e² by construction, and attained by any true answer.

# %%
answers["audit-7"] = {"verdict": "right", "pair": [0, 1], "event": [0]}

# %% [markdown]
# ### audit-8
# Half of the scale: below both values the ratio is e².

# %%
answers["audit-8"] = {"verdict": "broken", "pair": [0, 1], "event": "<= 0"}

# %% [markdown]
# ### audit-9
# Without the factor 1/2: 1/3 against 1/(e² + 2), a ratio of 3.13.

# %%
answers["audit-9"] = {"verdict": "broken", "pair": [[0, 0, 0], [1, -1, -1]], "event": [1]}

# %% [markdown]
# ### audit-10
# Truncated geometric noise is post-processed geometric noise of ratio 3.

# %%
answers["audit-10"] = {"verdict": "right", "pair": [10, 11], "event": [0]}

# %% [markdown]
# ### audit-11
# The value of the maximum depends on all five: for c ≤ 0 the ratio is e^(5/2).

# %%
answers["audit-11"] = {"verdict": "broken", "pair": [[0] * 5, [1] * 5], "event": "<= 0"}

# %% [markdown]
# ### audit-12
# Rounding is post-processing of Laplace noise of scale 1.

# %%
answers["audit-12"] = {"verdict": "right", "pair": [0, 1], "event": "<= -1"}

# %% [markdown]
# ### audit-13
# Report noisy max with scale 2: right. One leads by two, or all are equal.

# %%
answers["audit-13"] = {"verdict": "right", "pair": [[1] * 5, [2, 0, 0, 0, 0]], "event": [0]}

# %% [markdown]
# ### audit-14
# A ratio of 1/4 in the place of e⁻¹: half-lines differ by the factor 4.

# %%
answers["audit-14"] = {"verdict": "broken", "pair": [0, 1], "event": "<= 0"}

# %% [markdown]
# ### audit-15
# Without noise on the numbers the order of the answers is certain: an event of probability 0.22 is
# impossible on the neighbour.

# %%
answers["audit-15"] = {
    "verdict": "broken",
    "pair": [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]],
    "event": [[1, 1, 1, 0, 0, 0]],
}

# %% [markdown]
# ### audit-16
# The sparse vector technique that stops at the first answer above: right.

# %%
answers["audit-16"] = {
    "verdict": "right",
    "pair": [[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]],
    "event": [[0, 0, 0, 1, -1, -1]],
}
