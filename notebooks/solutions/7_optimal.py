# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 7: the best release depends on what you fear

# %%
from fractions import Fraction as F

from provedp import UniversalCount, worst_case_rounding

answers = {}

# %% [markdown]
# ### optimal-1
# Neighbours have different parities, so the wrong parity has at least the error of two values that
# are neighbours, (1 − δ)/(k + 1); randomised response of the parity, which tells it with
# probability δ, attains it.

# %%
answers["optimal-1"] = (1 - F(1, 20)) / (3 + 1)

# %% [markdown]
# ### optimal-2
# Output 2 for even. How odd is divided between 1 and 3 does not matter.

# %%
odd, even = [F(3, 8), F(1, 4), F(3, 8)], [F(1, 8), F(3, 4), F(1, 8)]
answers["optimal-2"] = [odd, even, odd]

# %% [markdown]
# ### optimal-3
# Row 2 is (x, 1 − 2x, x) and row 1 (k x, 1 − k x − x/k, x/k). Their squared errors are 2x and
# 1 − k x + 3 x/k, with k = 7/4 equal to 1 − x/28: it falls as x rises, until 1 − k x − x/k meets
# (1 − 2x)/k.

# %%
k = F(7, 4)
x = (1 - 1 / k) / (k - 1 / k)
end = [k * x, 1 - k * x - x / k, x / k]
answers["optimal-3"] = [end, [x, 1 - 2 * x, x], end[::-1]]

# %% [markdown]
# ### optimal-4
# With w at both ends: after geometric noise that leads to 1 or below, saying 1 costs
# (1 − 2w)/2 + 2w/4, and saying 2 costs w + w/4. For w = 2/7 they are equal, and the receiver gains
# nothing by choosing. They are the multipliers of the linear program too.

# %%
w = F(1, 2) / (F(1, 2) + F(5, 4))
answers["optimal-4"] = [w, 1 - 2 * w, w]

# %% [markdown]
# ### optimal-5
# Who knows that the third value does not occur has a question with two answers: error 1/(k + 1),
# and 3/(2 (k + 2)) with randomised response of three.

# %%
answers["optimal-5"] = [F(1, 2), F(1, 2), F(0)]

# %% [markdown]
# ### optimal-6
# The leaves 6 and 7 of the hub 5 are joined.

# %%
answers["optimal-6"] = [[1, 2], [1, 3], [1, 4], [2, 5], [5, 6], [5, 7], [6, 7]]

# %% [markdown]
# ### optimal-7
# The optimal release for the worst case says more than j for the count j with some probability;
# the threshold is where the noise has the same.

# %%
mechanism = UniversalCount("ln(3/2)", "1/10")
answers["optimal-7"] = list(worst_case_rounding(mechanism, 3, "squared", first=1).cuts)

# %% [markdown]
# ### optimal-8
# 1/2 at 0, 1/8 at 2, and 1/(k + 1) at 1.

# %%
wrong = [F(1, 8), F(1, 5), F(1, 2)]
rows = [[p, 1 - p] for p in wrong]
answers["optimal-8"] = rows + [row[::-1] for row in rows[1::-1]]
