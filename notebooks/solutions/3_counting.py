# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 3: the optimal release of a count

# %%
from fractions import Fraction as F

answers = {}

# %% [markdown]
# ### counting-1
# 1/α = 1 + 2/3 + 2/9 + 1/27 = 52/27, and (19/20)(25/52) = 95/208.

# %%
alpha = 1 / sum(F(3) ** -min(d, 6 - d) for d in range(6))
answers["counting-1"] = (1 - F(1, 20)) * (1 - alpha)

# %% [markdown]
# ### counting-2
# Only the diagonal and the middle row are forced. Row 1 of P* is (1/2, 1/4, 1/4); move mass between
# its last two entries until a constraint against row 2, (1/4, 1/2, 1/4), becomes tight.

# %%
answers["counting-2"] = [
    [F(1, 2), F(3, 8), F(1, 8)],
    [F(1, 4), F(1, 2), F(1, 4)],
    [F(1, 4), F(1, 4), F(1, 2)],
]

# %% [markdown]
# ### counting-3
# The certificate of the lesson, around row 1 in the place of a middle row. The weights sum to one
# with 1/W, where W = 1 + 1/2 + … + 1/16 = 31/16, and prove min Q_ii ≤ 1/W = 16/31. A middle row is
# better because its W is larger.

# %%
weights = [F(16, 31) / 2**n for n in range(5)]
answers["counting-3"] = {
    "weights": weights,
    "multipliers": {
        (i, i - 1): [0] * (i - 1) + [weights[i - 1]] * (6 - i) for i in range(2, 6)
    },
}  # fmt: skip

# %% [markdown]
# ### counting-4
# T is the optimal release for k' = 2, below k = 3: more private than needed, and the printed weight
# exceeds 1 to use up what is left.

# %%
answers["counting-4"] = {
    "channel": [[F(1, 2) if i == j else F(1, 4) for j in range(3)] for i in range(3)],
    "k": 3,
}

# %% [markdown]
# ### counting-5
# P* for two counts errs with probability 1/(k + 1); the channel does with 2/9.

# %%
answers["counting-5"] = F(7, 2)

# %% [markdown]
# ### counting-6
# T = 7/10 I + 1/10 J with J all ones, and P J = J: so P = (P* − 1/10 J)/(7/10).

# %%
answers["counting-6"] = [
    [(F(1, 2) - F(1, 10)) / F(7, 10) if i == j else (F(1, 4) - F(1, 10)) / F(7, 10)
     for j in range(3)]
    for i in range(3)
]  # fmt: skip

# %% [markdown]
# ### counting-7
# The kernel k^(−d), with d around the circle; every row has the same sum.


# %%
def optimal(m, k):
    row = [k ** -min(d, m - d) for d in range(m)]
    return [[row[(j - i) % m] / sum(row) for j in range(m)] for i in range(m)]


answers["counting-7"] = optimal

# %% [markdown]
# ### counting-8
# Truncated geometric noise with q = 1/2 stops at the ends: count 1 comes out of count 1 with
# probability 2/3, and out of count 4 with 2/3 · 1/8.

# %%
answers["counting-8"] = [
    [F(1, 3) / 2 ** abs(i - j) * (2 if j in (0, 3) else 1) for j in range(4)] for i in range(4)
]
