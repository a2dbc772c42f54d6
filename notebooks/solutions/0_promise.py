# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Solutions 0: what differential privacy promises

# %%
import itertools
from fractions import Fraction as F

answers = {}

# %% [markdown]
# ### promise-1
# p − 2 q is 1/20, 1/20 and −11/10. The best event is {1, 2}, and it collects both.

# %%
p, q = (F(9, 20), F(7, 20), F(1, 5)), (F(1, 5), F(3, 20), F(13, 20))
answers["promise-1"] = sum(max(a - 2 * b, F(0)) for a, b in zip(p, q, strict=True))

# %% [markdown]
# ### promise-2
# p − 2 q is 1/20, 0, 1/10, −2/5, −3/4. Outcomes 1 and 3 add to the event; outcome 2 does not
# matter, so {1, 2, 3} is as good.

# %%
answers["promise-2"] = {1, 3}

# %% [markdown]
# ### promise-3
# Both rows keep their value with probability x. The event {1} asks for x − 3 (1 − x) ≤ 1/10, so
# x ≤ 31/40.

# %%
x = (3 + F(1, 10)) / 4
answers["promise-3"] = [[x, 1 - x], [1 - x, x]]

# %% [markdown]
# ### promise-4
# A group with person 4 less the same group without: the size of both is allowed.

# %%
answers["promise-4"] = [[1, [1, 2, 3, 4]], [-1, [1, 2, 3]]]

# %% [markdown]
# ### promise-5
# All 64 data sets, against the eight published counts.

# %%
published = {
    (1, 2, 3): F(5, 2), (1, 2, 4): F(3, 2), (3, 4, 5): F(3, 2), (2, 5, 6): F(1, 2),
    (1, 3, 6): F(5, 2), (2, 3, 4, 5): F(3, 2), (1, 4, 5, 6): F(5, 2),
    (1, 2, 3, 4, 5, 6): F(7, 2),
}  # fmt: skip
agreeing = [
    bits
    for bits in itertools.product((0, 1), repeat=6)
    if all(abs(sum(bits[i - 1] for i in group) - count) <= F(1, 2)
           for group, count in published.items())
]  # fmt: skip
answers["promise-5"] = list(agreeing[0])

# %% [markdown]
# ### promise-6
# Randomised response that keeps a bit with probability 2/3, twice: two equal answers have the ratio
# 2 · 2 = 4.

# %%
response = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
answers["promise-6"] = {"first": response, "second": response}

# %% [markdown]
# ### promise-7
# The first column halves from row to row, from 1/2 on; the second rises from 1/2 to 15/16, by a
# factor below 2 each time.

# %%
answers["promise-7"] = [[F(1, 2**i), 1 - F(1, 2**i)] for i in range(1, 5)]

# %% [markdown]
# ### promise-8
# One record of −13/2 that comes or goes; one that is exchanged for 9/2.

# %%
answers["promise-8"] = {"add-remove": F(13, 2), "replace-one": 11}
