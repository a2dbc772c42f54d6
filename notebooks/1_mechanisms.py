# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 1. Basic mechanisms
# ### Responses, noise, choices, thresholds and samples
#
# You need: lesson 0. You will know afterwards: how to set the noise of the Laplace, geometric and
# Gaussian mechanisms; how to choose a candidate privately, and what the sparse vector technique
# pays for; what a random sample is worth. Each has a claim in the ledger, named beside it:
# `provedp show NAME` prints it, with what was checked. About 75 minutes.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import math
from fractions import Fraction as F

import numpy as np
from flint import arb
from matplotlib import pyplot as plt

from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, ORANGE, RED, axes, show
from provedp.theory import counting, privacy
from provedp.theory.privacy import path_delta

# %% [markdown]
# ## 1. Randomised response
# With $n$ possible answers: the true one with probability $p$, each other one with the same small
# probability $s$. Privacy asks for $p \le k s$, and all sums to one: $p = k/(k + n - 1)$. The more
# answers, the less is left for the truth (`privacy.k_ary_response_has_this_profile`).

# %%
for n in (2, 5, 20):
    table = counting.randomized_response_matrix(n, F(3))
    print(n, table[0][0], path_delta(table, F(3)))

# %% [markdown]
# ## 2. Noise: geometric and Laplace
# A count moves by at most 1. Add an integer $N$ with $P(N = n) \propto q^{|n|}$: if the count moves
# by one, every probability changes by the factor $q$ or $1/q$. So $q = 1/k$ makes the noisy count
# $(\ln k, 0)$-private. Clip it to the possible counts, which is post-processing, and it is a table:

# %%
table = counting.truncated_geometric_matrix(5, F(2))
show(table)
assert path_delta(table, F(2)) == 0

# %% [markdown]
# If one person moves the sum by up to $\Delta$, the **sensitivity**, the factor is $q^{-\Delta}$:
# the noise must fall off more slowly, $q = k^{-1/\Delta}$. At the old $q$ the price is $k^\Delta$:

# %%
for shift in (1, 2, 3):
    print(shift, [privacy.geometric_delta(F(2) ** e, F(1, 2), shift) for e in (0, 1, 2, 3)])
assert privacy.geometric_delta(F(8), F(1, 2), 3) == 0

# %% [markdown]
# **Laplace noise** does the same on the line: density $\propto e^{-|x|/b}$, with the scale
# $b = \Delta/\varepsilon$ (`privacy.laplace_noise_is_private`). Two densities one apart, and their
# ratio, which is $e$ at both ends and nowhere more:

# %%
x = np.linspace(-5, 6, 400)
drawn = axes("Laplace noise of scale 1 on two values", "output", "density")
drawn.plot(x, np.exp(-abs(x)) / 2, c=BLUE, label="value 0")
drawn.plot(x, np.exp(-abs(x - 1)) / 2, c=RED, ls="--", label="value 1")
drawn.legend()
plt.show()

# %%
ratios = np.exp(abs(x - 1) - abs(x))
assert np.isclose(ratios.max(), math.e) and np.isclose(ratios.min(), 1 / math.e)

# %% [markdown]
# On a computer Laplace noise is not real noise: its last bits can tell the value (lesson 6). The
# geometric mechanism needs integers only, and can be drawn exactly.
#
# ## 3. Gaussian noise
# Its ratio $p/q$ is unbounded in the tail, so no $\varepsilon$ alone holds: a $\delta$ is needed.
# With $\mu = \Delta/\sigma$ its exact profile is
# $$\delta(\varepsilon) = \Phi(\mu/2 - \varepsilon/\mu) - e^\varepsilon \Phi(-\mu/2 -
# \varepsilon/\mu).$$
# The **classical** formula $\sigma = \Delta \sqrt{2 \ln(1.25/\delta)}/\varepsilon$ is a sufficient
# bound, and solving the profile gives the least $\sigma$ (`privacy.gaussian_noise_is_least`).

# %%
for epsilon in (0.5, 1.0, 4.0):
    least = privacy.gaussian_sigma(epsilon, 1e-5).value
    classical = math.sqrt(2 * math.log(1.25e5)) / epsilon
    show([(epsilon, least, classical, classical / least)])

# %%
grid = np.linspace(0, 4, 200)
drawn = axes("Profiles of noise on a value that moves by 1", "ε (nats)", "δ (probability)",
             yscale="log", ylim=(1e-8, 1), xlim=(0, 4))  # fmt: skip
for sigma, colour in ((1, RED), (2, ORANGE), (4, BLUE)):
    deltas = [privacy.gaussian_delta(1 / sigma, e) for e in grid]
    drawn.plot(grid, deltas, c=colour, label=f"Gaussian, σ = {sigma}")
drawn.plot(grid, np.maximum(1 - np.exp((grid - 1) / 2), 1e-12), c=BLACK, ls="--",
           label="Laplace, scale 1")  # fmt: skip
drawn.legend()
plt.show()

# %% [markdown]
# The Laplace curve ends at $\varepsilon = 1$; a Gaussian one never does. That is the trade: a small
# $\delta$, for noise with thin tails that adds up well (lesson 2).
#
# ## 4. Choosing: the exponential mechanism
# We want the best of $n$ candidates. Each has a score that one record moves by at most 1. Draw
# candidate $i$ with probability $\propto e^{\varepsilon s_i/2}$. Why the half? The weight of one
# candidate may rise by $e^{\varepsilon/2}$ while the sum of all falls by as much. With
# $r = e^{\varepsilon/2} = 2$ and scores that move the worst way:


# %%
def choice(scores, base):
    weights = [F(base) ** s for s in scores]
    return [weight / sum(weights) for weight in weights]


# %%
before, after = choice([0, 0, 0], 2), choice([1, -1, -1], 2)
show([before, after])
assert max(max(a / b, b / a) for a, b in zip(before, after, strict=True)) <= 2**2

# %% [markdown]
# Without the half the base is $e^\varepsilon$ and the ratio may reach $e^{2 \varepsilon}$
# (`privacy.exponential_mechanism_reaches_the_square`).
#
# **Report noisy max** gets the same from noise: add Laplace noise of scale $2/\varepsilon$ to every
# score, and name the largest (`privacy.noisy_max_is_private`). Name it, and keep its value to
# yourself: the value costs every score (`privacy.noisy_max_value_costs_every_score`). How likely is
# the right one of five, if it leads by $d$?

# %%
leads = np.linspace(0, 12, 60)
named = [privacy.noisy_max_probability(5, math.exp(-lead / 2)) for lead in leads]
drawn_by = [1 / (1 + 4 * math.exp(-lead / 2)) for lead in leads]

# %%
drawn = axes("Five candidates, ε = 1", "lead of the best (records)", "probability to name it")
drawn.plot(leads, named, c=BLUE, label="report noisy max, Laplace noise")
drawn.plot(leads, drawn_by, c=ORANGE, ls="--", label="exponential mechanism")
drawn.set(ylim=(0, 1))
drawn.legend()
plt.show()

# %% [markdown]
# ## 5. Many questions: sparse vector
# A stream of queries, and we want to know which exceed a threshold. Noise goes on the threshold,
# once (scale $b$), and on each query (scale $b'$); the technique stops after $c$ answers "above".
# Answers "below" are **free**:
# $$\varepsilon = \frac1b + \frac{2c}{b'} .$$
# (`privacy.sparse_vector_epsilon_is_least`)

# %%
assert privacy.sparse_vector_epsilon(F(2), F(4), 1) == 1
assert privacy.sparse_vector_epsilon(F(4), F(24), 3) == F(1, 2)

# %% [markdown]
# Six of its published variants were compared by Lyu, Su and Li; several are broken. One adds no
# noise to the queries. Take one query at 0 and one at 1, a threshold near $1/2$, and swap them: the
# answers (below, above) become *impossible*.

# %%
seen = privacy.noisy_threshold_between(arb(-0.5), arb(0.5), arb(2))
swapped = privacy.noisy_threshold_between(arb(0.5), arb(-0.5), arb(2))
print(f"{float(seen):.4f} against {float(swapped):.4f}")
assert seen > arb("0.22") and swapped == 0

# %% [markdown]
# Noise on the queries is what makes a swap deniable
# (`privacy.queries_without_noise_have_no_epsilon`).
#
# ## 6. Samples
# Draw each record with probability $r$ and run a $(\ln k, 0)$-private mechanism on the sample. With
# probability $1 - r$ you are not even there, so the ratio falls to $1 + r (k - 1)$
# (`privacy.subsampling_amplifies`):

# %%
for rate in (F(1), F(1, 2), F(1, 10), F(1, 100)):
    print(rate, privacy.subsampled_ratio(F(3), rate))

# %%
rates = np.linspace(0.001, 1, 200)
drawn = axes("A sample makes ε smaller", "share of records in the sample", "ε (nats)")
for k, colour in ((2, BLUE), (5, GREEN), (20, RED)):
    drawn.plot(rates, np.log1p(rates * (k - 1)), c=colour, label=f"k = {k}")
drawn.legend()
plt.show()

# %% [markdown]
# Only a *secret* sample does this. And who joins must be independent: a cluster that is drawn
# together is one record.
#
# ## Exercises
# A first try at `mechanisms-8`: does the exponential mechanism need its half?

# %%
grade("mechanisms-8", {"first": [0, 0, 0], "second": [1, 0, 0]})

# %% [markdown]
# 1. `mechanisms-1` Five answers; 2. `mechanisms-2` Geometric noise; 3. `mechanisms-3` The scale of
# Laplace noise; 4. `mechanisms-4` A profile; 5. `mechanisms-5` Gaussian noise, and no more;
# 6. `mechanisms-6` A sample first; 7. `mechanisms-7` The exponential mechanism; 8. `mechanisms-8`
# Without the half; 9. `mechanisms-9` Sparse vector; 10. `mechanisms-10` Your own mechanism
