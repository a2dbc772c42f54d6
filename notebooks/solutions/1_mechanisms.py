# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 1: basic mechanisms

# %%
import math
from fractions import Fraction as F

from provedp.theory.privacy import gaussian_sigma

answers = {}

# %% [markdown]
# ### mechanisms-1
# p = 3 s and p + 4 s = 1.

# %%
answers["mechanisms-1"] = F(3, 3 + 4)

# %% [markdown]
# ### mechanisms-2
# q⁻³ = 27/8 = (3/2)³.

# %%
answers["mechanisms-2"] = F(2, 3)

# %% [markdown]
# ### mechanisms-3
# Seven visits over ε = 2/5.

# %%
answers["mechanisms-3"] = 7 / F(2, 5)

# %% [markdown]
# ### mechanisms-4
# P(N ≤ 0) = 1/(1 + q) = 2/3 and P(N ≤ −1) = q/(1 + q) = 1/3.

# %%
answers["mechanisms-4"] = F(2, 3) - F(3, 2) * F(1, 3)

# %% [markdown]
# ### mechanisms-5
# The library solves the exact profile for σ; then round up.

# %%
answers["mechanisms-5"] = F(math.ceil(100 * gaussian_sigma(0.5, 1e-5).value), 100)

# %% [markdown]
# ### mechanisms-6
# With probability 7/8 the record is not in the sample: (1 − r) + 3 r.

# %%
answers["mechanisms-6"] = 1 - F(1, 8) + 3 * F(1, 8)

# %% [markdown]
# ### mechanisms-7
# The weights are 2³, 2² and 2⁰.

# %%
answers["mechanisms-7"] = [F(8, 13), F(4, 13), F(1, 13)]

# %% [markdown]
# ### mechanisms-8
# One score rises and the other falls: 1/2 against 2/(2 + 1/2) = 4/5 for the first, and 1/2 against
# 1/5 for the second, the ratio 5/2.

# %%
answers["mechanisms-8"] = {"first": [0, 0], "second": [1, -1]}

# %% [markdown]
# ### mechanisms-9
# 1/b + 2 c/b′ with b = 4, b′ = 16 and c = 3.

# %%
answers["mechanisms-9"] = F(1, 4) + 2 * 3 * F(1, 16)


# %% [markdown]
# ### mechanisms-10
# Geometric noise with q = 1/2, and then the nearest of 1, …, 5: the ends collect the tails.


# %%
def truncated(count):
    law = [F(1, 3) / 2 ** abs(n - count) for n in range(1, 6)]
    return [law[0] * 2, *law[1:4], law[4] * 2]


answers["mechanisms-10"] = truncated
