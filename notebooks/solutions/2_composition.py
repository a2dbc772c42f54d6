# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 2: composition and accounting

# %%
import math
from fractions import Fraction as F

answers = {}

# %% [markdown]
# ### composition-1
# Only two right answers have a ratio above 3: (2/3)² − 3 (1/3)².

# %%
answers["composition-1"] = F(2, 3) ** 2 - 3 * F(1, 3) ** 2

# %% [markdown]
# ### composition-2
# √(2 ln 10⁵/T) + e^(1/10) − 1 < 1, solved for T.

# %%
answers["composition-2"] = math.floor(2 * math.log(1e5) / (2 - math.exp(0.1)) ** 2) + 1

# %% [markdown]
# ### composition-3
# 9/25 + 16/25 + 144/25 = 169/25 = (13/5)².

# %%
answers["composition-3"] = F(13, 5)

# %% [markdown]
# ### composition-4
# Each release has ρ = (1/5)²/2, and ρ adds up.

# %%
answers["composition-4"] = 16 * F(1, 5) ** 2 / 2

# %% [markdown]
# ### composition-5
# Σ p²/q = 9/5 + 9/40 + 1/40.

# %%
p, q = (F(3, 5), F(3, 10), F(1, 10)), (F(1, 5), F(2, 5), F(2, 5))
answers["composition-5"] = sum(a * a / b for a, b in zip(p, q, strict=True))

# %% [markdown]
# ### composition-6
# P(U) ≤ 2 (2 (2 P‴(U) + δ) + δ) + δ = 8 P‴(U) + 7 δ.

# %%
answers["composition-6"] = 7 * F(1, 100)

# %% [markdown]
# ### composition-7
# With probability 1/10 the data set is published; else randomised response with the ratio 2 runs.
# Two runs: 1 − (9/10)² = 19/100, for 9/10 · 9/10 is all that stays within the ratio 4.

# %%
answers["composition-7"] = [
    [F(1, 10), F(6, 10), F(3, 10), 0],
    [0, F(3, 10), F(6, 10), F(1, 10)],
]

# %% [markdown]
# ### composition-8
# One run on a sample has the ratio 9/10 + 2/10 = 11/10; five multiply.

# %%
answers["composition-8"] = F(11, 10) ** 5
