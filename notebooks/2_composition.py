# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 2. Composition and accounting
# ### What many releases cost together: sums, roots, and the exact number
#
# You need: lessons 0 and 1. You will know afterwards: basic, advanced and optimal composition, and
# how far apart they are; why Gaussian noise adds up like a root; Rényi and zero-concentrated
# privacy; what an accountant computes, and why its answer should be a bracket. About 60 minutes.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import itertools
import math
from fractions import Fraction as F

import numpy as np
from matplotlib import pyplot as plt

from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, ORANGE, RED, axes, show
from provedp.theory import privacy
from provedp.theory.matrices import matrix
from provedp.theory.privacy import path_delta
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import Gaussian, PoissonSampledGaussian

# %% [markdown]
# ## 1. Two coins, exactly
# Randomised response at $k = 2$, run twice on the same bit. Four outcomes, with products of
# probabilities:

# %%
response = matrix([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]])
twice = [[a * b for a, b in itertools.product(row, row)] for row in response]
show(twice)

# %% [markdown]
# **Basic composition**: ratios multiply, so $(\ln 4, 0)$. That is attained by two equal answers,
# and wasteful all the same: two *different* answers have the ratio 1. At $k = 3$ only a small
# $\delta$ is left:

# %%
assert path_delta(twice, F(4)) == 0
assert path_delta(twice, F(3)) == F(4, 9) - 3 * F(1, 9) == F(1, 9)

# %% [markdown]
# After $T$ runs, the number of answers 1 is all that matters. Its distribution is binomial, and the
# exact $\delta$ at any ratio is a sum of $T + 1$ terms. The library has it for every
# $(\varepsilon, \delta)$, and randomised response is the worst of all pure mechanisms
# (`privacy.optimal_composition_is_attained`).

# %%
for ratio in (F(1), F(4), F(16), F(64), F(1024)):
    delta = privacy.optimal_composition_delta(10, F(2), F(0), ratio)
    print(f"k = {ratio}: δ = {float(delta):.5f}")

# %%
exact = privacy.exact_composition_delta([(response[0], response[1])] * 10, F(16))
assert exact == privacy.optimal_composition_delta(10, F(2), F(0), F(16))

# %% [markdown]
# ## 2. The root
# The log-ratio of $T$ answers is a sum of $T$ independent terms $\pm\varepsilon$. A sum spreads
# like $\sqrt T$, so for a small $\delta'$ **advanced composition** promises
# $$\varepsilon_T = \sqrt{2 T \ln(1/\delta')}\;\varepsilon + T \varepsilon (e^\varepsilon - 1).$$
# For few rounds the sum is better, then the root, and the exact number is below both:


# %%
def optimal_epsilon(rounds, epsilon, delta):
    """Return the least ε at δ, by bisection on the exact profile."""
    low, high = 0.0, rounds * epsilon
    for _ in range(40):
        middle = (low + high) / 2
        at = privacy.optimal_composition_delta(rounds, math.exp(epsilon), 0.0, math.exp(middle))
        low, high = (low, middle) if at <= delta else (middle, high)
    return high


# %%
EPSILON, SLACK = 0.1, 1e-5
rounds = [1, 2, 5, 10, 20, 40, 80, 160, 320]
summed = [EPSILON * t for t in rounds]
advanced = [privacy.advanced_composition_epsilon(t, EPSILON, SLACK) for t in rounds]
optimal = [optimal_epsilon(t, EPSILON, SLACK) for t in rounds]

# %%
drawn = axes("Releases of ε = 0.1 each, δ = 10⁻⁵", "releases", "ε of all together (nats)",
             xscale="log", yscale="log")  # fmt: skip
drawn.plot(rounds, summed, "s--", c=ORANGE, label="basic: the sum")
drawn.plot(rounds, advanced, "D-.", c=RED, label="advanced")
drawn.plot(rounds, optimal, "o-", c=BLUE, label="optimal, exact")
drawn.legend()
plt.show()

# %%
assert all(best <= min(pair) for best, *pair in zip(optimal, summed, advanced, strict=True))
assert summed[4] < advanced[4] and advanced[-1] < summed[-1]

# %% [markdown]
# ## 3. Gaussian noise adds up by itself
# $T$ Gaussian releases, each moved by $\mu_i$ standard deviations, are one Gaussian vector moved by
# $(\mu_1, \dots, \mu_T)$, and only its length counts: they are as private as *one* release with
# $$\mu = \sqrt{\mu_1^2 + \dots + \mu_T^2},$$
# exactly (`privacy.adaptive_gaussian_releases_are_one`). Nothing is lost, whatever $T$.

# %%
shifts = (3, 4, 12)
assert math.isqrt(sum(x * x for x in shifts)) ** 2 == sum(x * x for x in shifts) == 13**2

# %%
sigma = privacy.gaussian_sigma(1.0, 1e-5).value
hundred = [sigma * math.sqrt(t) for t in (1, 4, 100)]
show([("releases", 1, 4, 100), ("σ of each", *hundred)], 12)

# %% [markdown]
# ## 4. One number for each
# To add up without a table, keep one number that adds. **Rényi** divergence of order $\alpha$,
# $\frac1{\alpha - 1} \ln \sum p^\alpha q^{1 - \alpha}$, adds over independent releases, because the
# sum becomes a product:

# %%
p, q = matrix([[F(1, 2), F(1, 3), F(1, 6)], [F(1, 3), F(1, 3), F(1, 3)]])
single = privacy.renyi_power_sum(p, q, 2)
pair = [[a * b for a, b in itertools.product(row, row)] for row in (p, q)]
assert privacy.renyi_power_sum(*matrix(pair), 2) == single**2 == F(7, 6) ** 2

# %% [markdown]
# For Gaussian noise it is $\alpha \mu^2/2$ at every order: a mechanism with at most $\alpha \rho$
# is $\rho$-**zCDP**, and Gaussian noise has $\rho = \mu^2/2$.

# %%
assert privacy.gaussian_zcdp(F(1, 5)) == F(1, 50)
assert 16 * privacy.gaussian_zcdp(F(1, 4)) == privacy.gaussian_zcdp(F(1))

# %% [markdown]
# On the way back to $(\varepsilon, \delta)$ something is lost:
# $\varepsilon = \rho + 2 \sqrt{\rho \ln(1/\delta)}$ is more than the profile needs.

# %%
delta, mus = 1e-5, np.linspace(0.1, 2, 30)
by_rho = [mu**2 / 2 + 2 * math.sqrt(mu**2 / 2 * math.log(1 / delta)) for mu in mus]
by_profile = [compose([(Gaussian(mu), 1)]).epsilon(delta)[1] for mu in mus]

# %%
drawn = axes("Gaussian noise at δ = 10⁻⁵", "μ (standard deviations)", "ε (nats)")
drawn.plot(mus, by_rho, c=RED, ls="--", label="by way of zCDP")
drawn.plot(mus, by_profile, c=BLUE, label="exact profile")
drawn.legend()
plt.show()
assert all(exact < loose for exact, loose in zip(by_profile, by_rho, strict=True))

# %% [markdown]
# ## 5. An accountant with two ends
# With samples nothing is Gaussian any more, and an accountant computes with grids and rounding. It
# should say what that costs. `compose` rounds once up and once down, and returns both ends: the
# truth is between them. Training for 1000 steps, each with 1 % of the records and $\sigma = 1$:

# %%
steps = compose([(PoissonSampledGaussian(1, F(1, 100)), 1000)])
low, high = steps.epsilon(1e-5)
print(f"{low:.4f} ≤ ε ≤ {high:.4f}")
assert 0 < low <= high < 1.05 * low

# %% [markdown]
# Without the sample it would be $\mu = \sqrt{1000}$. Adding up 1000 guarantees would say more than
# a hundred.

# %%
all_records = compose([(Gaussian(1), 1000)]).epsilon(1e-5)[0]
print(f"without samples: ε ≥ {all_records:.0f}")
assert all_records > 100 * high

# %% [markdown]
# ## 6. Groups, once more
# Composition in $T$ and groups of size $g$ are different roads: a group of $g$ at
# $(\ln k, \delta)$ gets $(g \ln k,\; \delta (1 + k + \dots + k^{g-1}))$, since the $\delta$ of a
# later step is multiplied by the ratios of the earlier ones
# (`privacy.guarantees_extend_to_groups`).

# %%
sizes = range(1, 7)
group = [privacy.group_delta(F(2), F(1, 1000), size) for size in sizes]
assert group[2] == F(7, 1000)

# %%
drawn = axes("A group at k = 2, δ = 1/1000", "people in the group", "δ (probability)", (6, 3.2))
drawn.bar(sizes, [float(x) for x in group], color=GREEN, label="for the group")
drawn.plot(sizes, [size / 1000 for size in sizes], "o:", c=BLACK, label="δ times people")
drawn.legend()
plt.show()

# %% [markdown]
# ## Exercises
# A first try at `composition-3`:

# %%
grade("composition-3", "19/5")

# %% [markdown]
# 1. `composition-1` Two bits, twice; 2. `composition-2` When is it worth it?; 3. `composition-3`
# Gaussian releases; 4. `composition-4` Concentrated; 5. `composition-5` A power sum;
# 6. `composition-6` A family; 7. `composition-7` The worst mechanism; 8. `composition-8` Sample and
# repeat
