# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 5: finding modes privately

# %%
import math
from fractions import Fraction as F

from provedp.theory.privacy import gaussian_sigma

answers = {}

# %% [markdown]
# ### modes-1
# The move has the squared length 4 A² coth(s)/p_floor², for many records above the bound's as long
# as s < artanh(4/(5 e √π)) = 0.1675….

# %%
answers["modes-1"] = math.floor(100 * math.atanh(4 / (5 * math.e * math.sqrt(math.pi)))) / 100

# %% [markdown]
# ### modes-2
# A fine grid: four of its points match, all others only enlarge the denominator.

# %%
places = [round(-6 + 12 * i / 43, 4) for i in range(44)]
answers["modes-2"] = [[a, b] for a in places for b in places]


# %% [markdown]
# ### modes-3
# The height in deviations, for one ε after another.


# %%
def deviations(epsilon):
    height = 1000 / (8 * math.pi * (1 + 1.2**2))
    noise = math.sqrt(2) * gaussian_sigma(epsilon, 1e-6).value / (2 * math.pi * 1.2**2)
    return height / noise


answers["modes-3"] = next(n for n in range(1, 100) if deviations(n / 100) >= 4) / 100

# %% [markdown]
# ### modes-4
# (1/4 + 1/4)/3: the mode at 4 matches nothing.

# %%
answers["modes-4"] = F(1, 6)

# %% [markdown]
# ### modes-5
# One true mode alone.

# %%
answers["modes-5"] = [5]

# %% [markdown]
# ### modes-6
# Twice the bandwidth.

# %%
answers["modes-6"] = 2 * F(3, 4)

# %% [markdown]
# ### modes-7
# a + b = 1 and a + 3 b = 0.

# %%
answers["modes-7"] = [F(3, 2), F(-1, 2)]
