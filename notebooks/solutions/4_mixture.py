# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 4: releasing a mixture

# %%
from fractions import Fraction as F

from provedp.theory.privacy import gaussian_delta, gaussian_sigma

answers = {}

# %% [markdown]
# ### mixture-1
# The lesson's seven points, six times as far out: the exponent (4/3) B² ε' is 4.8.

# %%
answers["mixture-1"] = [6, 6, 6, -6, 6, 6, 6]

# %% [markdown]
# ### mixture-2
# With two classes a histogram is a count with seven values: P* for seven counts and k = 2.

# %%
row = [F(1, 2 ** min(d, 7 - d)) for d in range(7)]
answers["mixture-2"] = [[row[(j - i) % 7] / sum(row) for j in range(7)] for i in range(7)]

# %% [markdown]
# ### mixture-3
# (1 − λ)/4 + λ/5 = 3 λ/5.

# %%
answers["mixture-3"] = F(5, 13)

# %% [markdown]
# ### mixture-4
# γ = 4/3, the rate is 2/3, and 2/3 · 5/4 = 5/6.

# %%
answers["mixture-4"] = F(5, 6)

# %% [markdown]
# ### mixture-5
# Twice 1 + 1/2 + 1/4.

# %%
answers["mixture-5"] = F(7, 2)

# %% [markdown]
# ### mixture-6
# Four releases with the shift μ are one with 2 μ: find the least hundredth whose δ is small enough.

# %%
mu = 1 / gaussian_sigma(1.0, 2e-5).value
steps = range(100, 401)
answers["mixture-6"] = F(next(n for n in steps if gaussian_delta(2 * mu, n / 100) <= 2e-5), 100)

# %% [markdown]
# ### mixture-7
# The harmonic mean: 1/v = (3 + 1/3)/2.

# %%
answers["mixture-7"] = F(3, 5)
