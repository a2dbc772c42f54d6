# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 8: auditing a training, and its accountant

# %%
import math
from fractions import Fraction as F

from provedp.theory.privacy import gaussian_delta

answers = {}

# %% [markdown]
# ### training-1
# (9/10)^r ≤ 1/20.

# %%
answers["training-1"] = F(math.ceil(math.log(20) / -math.log(0.9)))

# %% [markdown]
# ### training-2
# B + m δ B (1 − B)/(v b), with the tail and the mass of five guesses of chance 2/3.

# %%
mass = 5 * F(2, 3) ** 4 * F(1, 3)
tail = mass + F(2, 3) ** 5
answers["training-2"] = tail + 5 * F(1, 50) * tail * (1 - tail) / (4 * mass)

# %% [markdown]
# ### training-3
# p_i = b_i (A + w [i ≥ 3]), w = m δ/(3 b_3), A = 1 − w B.

# %%
coins = [F(math.comb(4, i), 16) for i in range(5)]
w = F(4, 10) / (3 * coins[3])
rest = 1 - w * (coins[3] + coins[4])
answers["training-3"] = [b * (rest + (w if i >= 3 else 0)) for i, b in enumerate(coins)]

# %% [markdown]
# ### training-4
# 20 coins, of which 15 or more show the guess.

# %%
answers["training-4"] = F(sum(math.comb(20, i) for i in range(15, 21)), 2**20)

# %% [markdown]
# ### training-5
# A coin is published with probability x · 8/1000.

# %%
answers["training-5"] = F(1, 10_000) * 1000 / 8

# %% [markdown]
# ### training-6
# A group of three at k = 3.

# %%
answers["training-6"] = F(1, 1000) * (1 + 3 + 9)

# %% [markdown]
# ### training-7
# The upper end of `compose([(PoissonSampledGaussian(F(5, 4), F(1, 100)), 500)]).epsilon(1e-5)`,
# which is 2.3995, to two decimals and up.

# %%
answers["training-7"] = "2.40"

# %% [markdown]
# ### training-8
# A record is in one batch, whose sum moves by 2.

# %%
answers["training-8"] = 2 / F(5, 2)

# %% [markdown]
# ### training-9
# Two points are enough, one for the flat and one for the steep part.

# %%
answers["training-9"] = [[e, float(gaussian_delta(0.8, e))] for e in (0.7, 1.6)]
