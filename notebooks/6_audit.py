# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 6. Auditing a mechanism
# ### Two data sets, one event, two counts
#
# You need: lessons 0 and 1, and what a confidence interval is. You will know afterwards: how runs
# refute a claim beyond reasonable doubt; which events to look at; what floating point gives away;
# what "not refuted" means, and what no number of runs will show. About 75 minutes.
#
# Somebody hands you a program and says that it is $(\varepsilon, \delta)$-differentially private.
# You can run it.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, RED, axes, show
from provedp.pytest_plugin import PrivacyViolation, assert_private
from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import (
    ApproximateDP,
    Counts,
    GaussianDP,
    Options,
    audit,
    audit_gaussian,
    audit_matrix,
    audit_profile,
    check_runs,
    lower_bound,
    target,
)
from provedp.verify.audit.events.scores.bits import lowest_bits


# %%
def here(function):
    """Run a function in this process: quick, and without the protection of another one."""
    return target(function, isolated=False)


# %% [markdown]
# ## 1. A bound from two counts
# A mechanism $M$ is $\varepsilon$-private if for all neighbours $D, D'$ and all events $S$
# $$\Pr(M(D) \in S) \le e^\varepsilon \Pr(M(D') \in S).$$
# So **one** pair and **one** event are enough to refute it. Take Laplace noise of scale 1 on the
# values 0 and 1, and $S = \{x < 0\}$: the two probabilities are $1/2$ and $e^{-1}/2$, and their
# ratio is exactly $e$.

# %%
PURE = ApproximateDP(1.0)
own, other = 0.5, 0.5 * math.exp(-1)

# %% [markdown]
# All that an audit does not know are the probabilities; it has counts. The usual way puts an exact
# (Clopper–Pearson) interval around each, and divides the ends:


# %%
def two_intervals(x, y, n, alpha=0.05):
    low = stats.beta.ppf(alpha / 2, x, n - x + 1)
    high = stats.beta.ppf(1 - alpha / 2, y + 1, n - y)
    return math.log(low / high)


# %% [markdown]
# That is far too careful: both intervals would have to fail, in the bad direction, at once. One
# exact test of the *ratio* does better:


# %%
def one_test(x, y, n):
    return lower_bound(Counts(x, n, y, n), PURE)


# %% [markdown]
# And privacy is symmetric: runs of $D$ in $S$ and runs of $D'$ in the mirror image
# $S' = \{x > 1\}$ both speak against it, and can be added up. The test is **folded**:


# %%
def folded(x, y, n):
    return lower_bound(Counts(2 * x, 2 * n, 2 * y, 2 * n, folded=True), PURE)


# %%
sizes = [10**k for k in range(2, 7)]
tests = {"two intervals": two_intervals, "one test": one_test, "one folded test": folded}
bounds = {name: [test(round(own * n), round(other * n), n) for n in sizes]
          for name, test in tests.items()}  # fmt: skip

# %%
drawn = axes("How much of ε = 1 is missing from the lower bound", "runs on each data set",
             "1 − lower bound on ε (nats)", xscale="log", yscale="log")  # fmt: skip
for (name, found), colour in zip(bounds.items(), (RED, BLUE, GREEN), strict=True):
    drawn.plot(sizes, [1 - bound for bound in found], "o-", c=colour, label=name)
drawn.legend()
plt.show()

# %%
for intervals, one, both in zip(*bounds.values(), strict=True):
    assert intervals < one < both < 1

# %% [markdown]
# At every size the folded test lacks half of what the intervals lack: they would need three to four
# times the runs. All are honest: a true claim is refuted in at most one of twenty audits. Is it
# *nearly* one of twenty, or never? Randomised response at its boundary, audited 200 times:


# %%
def response(data, rng, count):
    return np.where(rng.random(count) < 1 / (1 + math.e), 1 - data, data)


# %%
options = Options(runs=500, checks=False)  # these runs are independent
audits = [
    audit(here(response), (0, 1), PURE, options=options.but(seed=seed)) for seed in range(200)
]
missed = sum(result.epsilon_lower > 1 for result in audits)
print(f"{missed} of 200 bounds exceed the truth")

# %%
assert 2 <= missed <= 10 + 3 * math.sqrt(200 * 0.05 * 0.95)  # intervals would miss 0 or 1 times

# %% [markdown]
# ## 2. The event matters more than the statistics
# *Report noisy max* adds noise of scale $2/\varepsilon$ to $n$ queries and names the largest. To
# return the noisy **value** as well looks harmless, and costs $n\varepsilon/2$:


# %%
def noisy_max(data, rng, count):
    return (np.array(data) + rng.laplace(scale=2.0, size=(count, len(data)))).max(axis=1)


# %% [markdown]
# Take five queries that all fall from 1 to 0, and the event that the maximum is below $c$. For
# $c \le 0$ the probabilities $F(c)^5$ and $F(c - 1)^5$ have the ratio $e^{5/2}$. Which $c$ to take?
# The lower, the nearer the ratio comes to its largest value; but the rarer is the event:


# %%
def promised(cut, n=100_000):
    masses = stats.laplace.cdf((np.array([cut, cut - 1])) / 2) ** 5
    x, y = np.round(masses * n).astype(int)
    return lower_bound(Counts(int(x), n, int(y), n), PURE)


# %%
cuts = np.linspace(-3, 6, 37)
levels = [promised(cut) for cut in cuts]
found = audit(here(noisy_max), ([1] * 5, [0] * 5), PURE, runs=100_000)
print(found)

# %%
drawn = axes("100 000 runs of noisy max with its value", "c of the event {max ≤ c} (query units)",
             "lower bound on ε (nats)", ylim=(0, 2.9))  # fmt: skip
drawn.plot(cuts, levels, c=BLUE, label="to be expected")
drawn.axhline(2.5, c=BLACK, lw=1, ls=":", label="truth, 5/2")
drawn.axhline(found.epsilon_lower, c=GREEN, label="found by the audit")
drawn.axhline(1.0, c=RED, lw=1, ls="--", label="claimed")
drawn.legend(loc="center left", bbox_to_anchor=(1, 0.5))
plt.show()

# %%
assert found.refuted and 2.2 < found.epsilon_lower < 2.5

# %% [markdown]
# A wrong event misses most of the violation. The audit learns its event from a part of the runs,
# and counts it in the others: an event that was chosen after a look at the counts would prove
# nothing. For outputs that are vectors or texts it learns a *score* first, and then cuts that.
#
# ## 3. Approximate privacy, and other notions
# Gaussian noise with $\sigma = 3.7306$ is exactly $(1, 10^{-5})$-private. Half of it is
# $(2.15, 10^{-5})$-private. The best event for $\delta = 10^{-5}$ is rare, and an audit sees less:


# %%
def gaussian(sigma):
    return here(lambda data, rng, count: data + sigma * rng.normal(size=count))


# %%
CLAIM, SIGMA = ApproximateDP(1.0, 1e-5), 3.7306
half = audit(gaussian(SIGMA / 2), (0.0, 1.0), CLAIM, runs=100_000, seed=1)
print(f"truth 2.155, bound {half.epsilon_lower:.3f}")
assert half.refuted and 1.07 < half.epsilon_lower < 2.155

# %% [markdown]
# The claim of $\mu$-*Gaussian* privacy says something about every event, common ones included, and
# far fewer runs speak against it. But it is another claim: a bound on $\mu$ is never reported as
# one on $\varepsilon$.

# %%
mu = audit(gaussian(SIGMA / 2), (0.0, 1.0), GaussianDP(1 / SIGMA), runs=100_000, seed=1)
print(f"truth {2 / SIGMA:.3f}, bound {mu.epsilon_lower:.3f}")
assert 0.9 < mu.epsilon_lower / (2 / SIGMA) < 1.02

# %% [markdown]
# Often nobody knows beforehand at which $\delta$ to look. `audit_profile` learns several events and
# gives each a confidence region of its two probabilities. What follows from the regions holds for
# all $\varepsilon$ and $\delta$ at once:

# %%
profile = audit_profile(gaussian(SIGMA / 2), (0.0, 1.0), [CLAIM], runs=100_000, seed=1)
grid = np.linspace(0, 2.2, 111)
found_deltas = np.array([profile.delta_lower(e) for e in grid])

# %%
truths = np.array([gaussian_delta(2 / SIGMA, e) for e in grid])
claims = np.array([gaussian_delta(1 / SIGMA, e) for e in grid])
assert profile.refuted and (found_deltas <= truths).all()

# %%
drawn = axes("Half of the claimed Gaussian noise, one audit", "ε (nats)", "δ (probability)",
             yscale="log", ylim=(1e-6, 0.3))  # fmt: skip
seen = found_deltas > 0
drawn.plot(grid, truths, c=BLACK, lw=1, ls=":", label="truth")
drawn.plot(grid[seen], found_deltas[seen], c=GREEN, label="lower bound, for all ε at once")
drawn.plot(grid, claims, c=RED, ls="--", label="claimed noise")
drawn.legend()
plt.show()

# %% [markdown]
# ## 4. What floating point gives away
# As a real number, `rng.laplace()` is Laplace noise. As a float it is not: the sum of a value and
# noise lies on a grid that depends on the value. Look at the **lowest set bit** of the outputs:

# %%
rng = np.random.default_rng(7)
lowest = [lowest_bits(value + rng.laplace(size=100_000)) for value in (0.0, 1.0)]

# %%
drawn = axes("Laplace noise in floating point", "exponent of the lowest set bit of the output",
             "runs", yscale="log")  # fmt: skip
edges = np.arange(-66, -44) - 0.5
drawn.hist(lowest[0], edges, color=BLUE, alpha=0.55, label="value 0")
drawn.hist(lowest[1], edges, color=RED, alpha=0.55, label="value 1")
drawn.legend()
plt.show()

# %%
fine = lowest[0] < -54
print(f"{fine.mean():.2f} of the outputs for 0 are finer than 2^-54, and none of those for 1")
assert fine.any() and not (lowest[1] < -54).any()

# %% [markdown]
# Each of these outputs tells the data set with certainty. The audit looks at values and at bits
# separately, since a mechanism may be right in one channel and broken in the other:


# %%
def laplace(data, rng, count):
    return data + rng.laplace(size=count)


# %%
for channel in ("value", "bits"):
    result = audit(here(laplace), (0.0, 1.0), PURE, runs=1000, channel=channel)
    print(channel, round(result.epsilon_lower, 3), result.refuted)
    assert result.refuted == (channel == "bits")

# %% [markdown]
# Noise on a lattice, from integers, does not have this fault: the mechanisms of this project that
# carry a guarantee draw it so.
#
# ## 5. Stop when it is decided
# If a claim is far off, few runs suffice. To look after each run and stop at a convenient moment
# breaks a fixed-size test. A **bet** does not: start with one coin, stake a part of it before each
# batch on outcomes that the claim makes unlikely, at odds that are fair under the claim. If the
# claim is true, wealth is not expected to grow, however one stakes and whenever one stops; with
# probability $1 - \alpha$ it never reaches $1/\alpha$ (Ville). Laplace noise of half the scale:


# %%
def half_laplace(data, rng, count):
    return data + rng.laplace(scale=0.5, size=count)


def bet(mechanism, runs, seed):
    options = Options(runs=runs, seed=seed, sequential=True, checks=False)
    return audit(here(mechanism), (0.0, 1.0), PURE, options=options)


# %%
bets = [bet(half_laplace, 5000, seed) for seed in range(30)]
spent = sorted(result.runs / 2 for result in bets)
alarms = sum(bet(laplace, 300, seed).refuted for seed in range(30))

# %%
print(f"half the noise: refuted {sum(b.refuted for b in bets)} of 30 times; right: {alarms} of 30")
print(f"median of the runs on each data set: {np.median(spent):.0f}")
assert all(b.refuted for b in bets) and np.median(spent) <= 80 and alarms <= 5

# %%
drawn = axes("Bets against half of the noise", "runs on each data set", "share of audits decided")
drawn.step(spent, np.arange(1, 31) / 30, c=BLUE, where="post")
drawn.set(xlim=(0, None), ylim=(0, 1.02))
plt.show()

# %% [markdown]
# ## 6. What "not refuted" means
# An audit that does not refute says two things more. Its **resolution**: an event rarer than this
# on one data set cannot refute the claim, even if it never happens on the other. And its **power**:
# how likely it would have refuted the claim, had the truth been 1.1, 1.5 or 2 times the claim and
# the fault shown in this event.

# %%
result = audit(here(laplace), (0.0, 1.0), PURE, runs=3000)
print(result)
show([["truth / claim", *result.power], ["power", *result.power.values()]], 16)
assert not result.refuted and result.power["2"] > 0.99 > 0.9 > result.power["1.1"]

# %% [markdown]
# Some faults are below every resolution. The classical formula
# $\sigma = \sqrt{2 \ln(1.25/\delta)}/\varepsilon$ was proved for $\varepsilon \le 1$. At
# $\varepsilon = 10$ and $\delta = 10^{-5}$ it gives too little noise, and no audit by runs will
# ever notice. Where the law is known, exact arithmetic decides:

# %%
sigma = math.sqrt(2 * math.log(1.25e5)) / 10
runs = audit(gaussian(sigma), (0.0, 1.0), ApproximateDP(10.0, 1e-5), runs=20_000)
assert audit_gaussian(1 / sigma, 10, 1e-5) and not runs.refuted

# %% [markdown]
# The same for a table of probabilities: a truncated geometric law, exactly at its claim.

# %%
geometric = [["3/4", "1/6", "1/12"], ["1/4", "1/2", "1/4"], ["1/12", "1/6", "3/4"]]
for ratio in (3, Fraction(2999, 1000)):
    law = audit_matrix(geometric, ("ratio", ratio))
    print(f"ratio {ratio}: refuted is {law.refuted}, delta is {law.delta}")

# %% [markdown]
# ## 7. Are they runs at all?
# All of this counts *independent* runs. A program that keeps state, mutates its input or fixes its
# seed makes counts worthless. So that is tested first, with a false-alarm rate of one in a million:


# %%
class Careless:
    """Adds noise to its own state: the noise of one run is in all that follow."""

    def __init__(self):
        self.total = 0.0

    def release(self, data, rng):
        self.total += rng.laplace()
        return data + self.total


# %%
careless = [each.words for each in check_runs(Careless(), 0.0, runs=500) if not each.passed]
assert careless and all(each.passed for each in check_runs(here(laplace), 0.0, runs=500))
print(careless)

# %% [markdown]
# ## 8. Any language
# A program is started once. It reads lines `INDEX COUNT` and answers each with `COUNT` lines, the
# outputs of as many runs on data set `INDEX`, as JSON. Here is one in awk, with two-sided geometric
# noise on a count of people; the data sets are `[1,2,3]` and `[1,2]`:

# %%
SCRIPT = r"""
rate=$1
while read -r index count; do
  seed=$(od -An -N3 -tu4 /dev/urandom)
  awk -v value=$((3 - index)) -v count="$count" -v seed="$seed" -v rate="$rate" 'BEGIN {
    srand(seed)
    for (; count > 0; count--)
      print value + int(-log(1 - rand()) / rate) - int(-log(1 - rand()) / rate)
  }'
done
"""

# %%
folder = tempfile.TemporaryDirectory()
written = (Path(folder.name) / "count.sh").write_text(SCRIPT, encoding="utf-8")


def provedp(*arguments):
    command = [sys.executable, "-m", "provedp", *arguments]
    return subprocess.run(command, cwd=folder.name, encoding="utf-8", capture_output=True)


# %%
pair = ["--pair", "[1,2,3]", "[1,2]", "--adjacency", "add-remove", "--runs", "4000"]
claim = ["--claim-epsilon", "1", "--confidence", "0.999999"]
done = [provedp("audit", "--command", f"sh count.sh {rate}", *claim, *pair) for rate in (1, 2)]
folder.cleanup()

# %%
for each in done:
    print(each.stdout.splitlines()[0])
assert [each.returncode for each in done] == [0, 1]

# %% [markdown]
# The exit status is 0 if the claim was not refuted and 1 if it was, so that a build can rely on it;
# `--out` writes a counterexample that `provedp replay` repeats with `--target`.
#
# ## 9. A test for your own suite
# `assert_private` fails when a claim is refuted. A test that fails by chance is soon ignored, so it
# says how often it will: once in a million, unless you ask for another rate. A mean that forgets to
# clip:


# %%
def mean(people, rng, count):
    """Claimed to be 1-private: the ages are between 0 and 100, are they not?"""
    return np.mean(people) + rng.laplace(scale=100 / len(people), size=count)


def clipped(people, rng, count):
    return mean(np.clip(people, 0, 100), rng, count)


# %%
pairs = [([30, 40], [30, 100]), ([30, 40], [30, 999])]
assert_private(clipped, pairs, epsilon=1.0, runs=2000, min_power=0.0)

# %%
try:
    assert_private(mean, pairs, epsilon=1.0, runs=2000)
except PrivacyViolation as violation:
    print(violation)

# %% [markdown]
# ## Exercises
# A first try at `audit-8`, one of ten mechanisms to be called broken or right:

# %%
grade("audit-8", {"verdict": "right", "pair": [0, "1/2"], "event": "<= 0"})

# %% [markdown]
# 1. `audit-1` A better cut; 2. `audit-2` How many runs?; 3. `audit-3` A repair; 4. `audit-4` Never
# seen; 5. `audit-5` A suite of audits; 6. `audit-6` A law that is known; 7. to 16. `audit-7` to
# `audit-16` Mechanisms A to J
