# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Auditing a mechanism, and how strong a "not refuted" is
# ### Two data sets, one event, two counts
#
# Somebody hands you a program and says that it is $(\varepsilon, \delta)$-differentially private.
# You can run it. This lesson shows what runs can tell: how a claim is refuted beyond reasonable
# doubt, which events to look at, what floating point gives away, and what no number of runs that
# you can afford will show. Whatever is claimed is asserted in the cell beside it.

# %%
import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats

from provedp.pytest_plugin import PrivacyViolation, assert_private
from provedp.theory.privacy import gaussian_delta
from provedp.verify.audit import (
    ApproximateDP,
    Counts,
    GaussianDP,
    audit,
    audit_gaussian,
    audit_matrix,
    audit_profile,
    check_runs,
    lower_bound,
    target,
)
from provedp.verify.audit.events.scores.bits import lowest_bits

BLACK, ORANGE, GREEN, BLUE, RED = "black #E69F00 #009E73 #0072B2 #D55E00".split()  # Okabe, Ito
plt.rcParams.update({"figure.dpi": 100, "figure.constrained_layout.use": True})


def show(rows, width=12):
    for row in rows:
        print("".join(f"{x if isinstance(x, str) else f'{x:.4g}':>{width}}" for x in row))


def here(function):
    """Run a function in this process: quick, and without the protection of another one."""
    return target(function, isolated=False)


# %% [markdown]
# ## 1. A bound from two counts
# A mechanism $M$ is $\varepsilon$-private if for all neighbours $D, D'$ and all events $S$
# $$\Pr(M(D) \in S) \le e^\varepsilon \Pr(M(D') \in S).$$
# So **one** pair and **one** event are enough to refute it. Take Laplace noise of scale 1 on the
# values 0 and 1, and $S = \{x < 0\}$: the two probabilities are $1/2$ and $e^{-1}/2$, and their
# ratio is exactly $e$. All that an audit does not know are the probabilities; it has counts.
#
# The usual way puts an exact (Clopper–Pearson) interval around each and divides the ends. It is far
# too careful: both intervals would have to fail, in the bad direction, at once. One exact test of
# the *ratio* does better. And privacy is symmetric: runs of $D$ in $S$ and runs of $D'$ in the
# mirror image $S' = \{x > 1\}$ both speak against it, and can be added up (**folded**). What the
# three make of the counts that are to be expected:

# %%
PURE = ApproximateDP(1.0)
own, other = 0.5, 0.5 * math.exp(-1)


def two_intervals(x, y, n, alpha=0.05):
    low = stats.beta.ppf(alpha / 2, x, n - x + 1)
    high = stats.beta.ppf(1 - alpha / 2, y + 1, n - y)
    return math.log(low / high)


rows, sizes = [["runs each", "intervals", "one test", "folded"]], [10**k for k in range(2, 7)]
for n in sizes:
    x, y = round(own * n), round(other * n)
    one = lower_bound(Counts(x, n, y, n), PURE)
    folded = lower_bound(Counts(2 * x, 2 * n, 2 * y, 2 * n, folded=True), PURE)
    rows.append([f"{n}", two_intervals(x, y, n), one, folded])
    assert two_intervals(x, y, n) < one < folded < 1
show(rows)

figure, axes = plt.subplots(figsize=(6, 3.4))
lines = zip((1, 2, 3), (RED, BLUE, GREEN), rows[0][1:], strict=True)
for column, colour, label in lines:
    axes.loglog(sizes, [1 - row[column] for row in rows[1:]], "o-", color=colour, label=label)
axes.set(xlabel="runs on each data set", ylabel="what the bound lacks of ε = 1")
axes.legend(frameon=False)
plt.show()

# %% [markdown]
# At every size the folded test lacks half of what the intervals lack: they would need three to four
# times the runs. All of them are honest: a true claim is refuted in at most one of twenty audits.
# Is it *nearly* one of twenty, or never? Randomised response at its boundary, audited 400 times:


# %%
def response(data, rng, count):
    return np.where(rng.random(count) < 1 / (1 + math.e), 1 - data, data)


audits = [audit(here(response), (0, 1), PURE, runs=500, seed=seed) for seed in range(400)]
missed = sum(result.epsilon_lower > 1 for result in audits)
print(f"{missed} of 400 bounds exceed the truth")
assert missed <= 20 + 3 * math.sqrt(400 * 0.05 * 0.95)
assert missed >= 5  # two intervals would give about one

# %% [markdown]
# ## 2. The event matters more than the statistics
# *Report noisy max* adds noise of scale $2/\varepsilon$ to $n$ queries and names the largest. To
# return the noisy **value** as well looks harmless, and costs $n\varepsilon/2$. Take five queries
# that all fall from 1 to 0, and the event that the maximum is below $c$:
# $$\Pr(\max \le c) = F(c - 1)^5 \quad\text{against}\quad F(c)^5,$$
# for $c \le 0$ a ratio of $e^{5/2}$. Which $c$ to take? The lower, the nearer the ratio comes to
# its largest value; but the rarer is the event, and the fewer are its counts:


# %%
def noisy_max(data, rng, count):
    return (np.array(data) + rng.laplace(scale=2.0, size=(count, len(data)))).max(axis=1)


def promised(cut, n=100_000):
    masses = stats.laplace.cdf((np.array([cut, cut - 1])) / 2) ** 5
    x, y = np.round(masses * n).astype(int)
    return lower_bound(Counts(int(x), n, int(y), n), PURE)


cuts = np.linspace(-3, 6, 37)
levels = [promised(cut) for cut in cuts]
found = audit(here(noisy_max), ([1] * 5, [0] * 5), PURE, runs=100_000)
print(found)

figure, axes = plt.subplots(figsize=(6, 3.4))
axes.plot(cuts, levels, color=BLUE, label="bound to be expected from 100 000 runs")
axes.axhline(2.5, color=BLACK, linewidth=0.8, linestyle=":", label="truth, 5/2")
axes.axhline(found.epsilon_lower, color=GREEN, label="found by the audit")
axes.axhline(1.0, color=RED, linewidth=0.8, label="claimed")
axes.set(xlabel="c of the event {max ≤ c}", ylabel="lower bound on ε")
axes.legend(frameon=False, fontsize=8)
plt.show()
assert found.refuted and 2.2 < found.epsilon_lower < 2.5

# %% [markdown]
# A wrong event misses most of the violation. The audit learns its event from a part of the runs,
# and counts it in the others: an event that was chosen after a look at the counts would prove
# nothing. For outputs that are vectors, texts or of several kinds it learns a *score* first, from
# histograms, trees and linear models, and then cuts that.
#
# ## 3. Approximate privacy, and other notions
# Gaussian noise with $\sigma = 3.7306$ is exactly $(1, 10^{-5})$-private. Half of it is
# $(2.15, 10^{-5})$-private. The best event for $\delta = 10^{-5}$ is rare, and an audit sees less:


# %%
def gaussian(sigma):
    return here(lambda data, rng, count: data + sigma * rng.normal(size=count))


CLAIM = ApproximateDP(1.0, 1e-5)
rows = [["sigma", "claim", "bound", "truth"]]
for sigma, truth in ((3.7306, 1.0), (3.7306 / 2, 2.1547)):
    assert abs(gaussian_delta(1 / sigma, truth) / 1e-5 - 1) < 1e-3
    bound = audit(gaussian(sigma), (0.0, 1.0), CLAIM, runs=100_000, seed=1).epsilon_lower
    mu = audit(gaussian(sigma), (0.0, 1.0), GaussianDP(1 / 3.7306), runs=100_000, seed=1)
    rows += [[sigma, "(1, 1e-5)", bound, truth], [sigma, "mu = .268", mu.epsilon_lower, 1 / sigma]]
    assert 0.5 * truth < bound < truth and 0.9 / sigma < mu.epsilon_lower < 1.02 / sigma
show(rows)

# %% [markdown]
# The claim of $\mu$-*Gaussian* privacy says something about every event, common ones included, and
# is refuted with far fewer runs. But it is another claim: a bound on $\mu$ is never reported as one
# on $\varepsilon$.
#
# Often nobody knows beforehand at which $\delta$ to look. `audit_profile` learns several events and
# gives each a confidence region of its two probabilities. What follows from the regions holds for
# all $\varepsilon$ and $\delta$ at once. The noise is half of what was claimed:

# %%
sigma = 3.7306 / 2
profile = audit_profile(gaussian(sigma), (0.0, 1.0), [CLAIM], runs=100_000, seed=1)
grid = np.linspace(0, 2.2, 111)
bounds = np.array([profile.delta_lower(e) for e in grid])
truths = np.array([gaussian_delta(1 / sigma, e) for e in grid])
claims = np.array([gaussian_delta(1 / 3.7306, e) for e in grid])
figure, axes = plt.subplots(figsize=(6, 3.2))
axes.semilogy(grid, truths, color=BLACK, linewidth=0.8, linestyle=":", label="truth")
axes.semilogy(grid[bounds > 0], bounds[bounds > 0], color=GREEN, label="bound, for all ε at once")
axes.semilogy(grid, claims, color=RED, label="claimed noise")
axes.set(xlabel="ε", ylabel="δ(ε)", ylim=(1e-6, 0.3))
axes.legend(frameon=False)
plt.show()
print(f"{len(profile.events)} events; ε ≥ {profile.epsilon_lower(1e-5):.3f} at δ = 1e-5")
assert profile.refuted and (bounds <= truths).all()
assert (bounds > claims)[grid < 1.2].all()

# %% [markdown]
# ## 4. What floating point gives away
# As a real number, `rng.laplace()` is Laplace noise. As a float it is not: the sum of a value and
# noise lies on a grid that depends on the value. Look at the **lowest set bit** of the outputs:

# %%
rng = np.random.default_rng(7)
lowest = [lowest_bits(value + rng.laplace(size=100_000)) for value in (0.0, 1.0)]
figure, axes = plt.subplots(figsize=(6, 3))
edges = np.arange(-66, -44) - 0.5
for bits, colour, label in zip(lowest, (BLUE, RED), ("value 0", "value 1"), strict=True):
    axes.hist(bits, edges, color=colour, alpha=0.55, label=label)
axes.set(xlabel="exponent of the lowest set bit", ylabel="runs", yscale="log")
axes.legend(frameon=False)
plt.show()


def laplace(data, rng, count):
    return data + rng.laplace(size=count)


rows = [["channel", "bound", "refuted"]]
for channel in ("value", "bits"):
    found = audit(here(laplace), (0.0, 1.0), PURE, runs=1000, channel=channel)
    rows.append([channel, found.epsilon_lower, str(found.refuted)])
    assert found.refuted == (channel == "bits")
show(rows)
print(found.event)
fine = lowest[0] < -54
print(f"{fine.mean():.2f} of the outputs for 0 are finer than 2^-54, and none of those for 1")
assert not (lowest[1] < -54).any()

# %% [markdown]
# One output of a thousand would be a leak; here it is a sizeable share, and each tells the data set
# with certainty. Noise on a lattice, from integers, does not have this fault: the mechanisms of
# this project that carry a guarantee draw it so. The two channels are kept apart, since a mechanism
# may be right in one and broken in the other.
#
# ## 5. Stop when it is decided
# If a claim is far off, few runs suffice. To look after each run and stop at a convenient moment
# breaks a fixed-size test. A **bet** does not: start with one coin, stake a part of it before each
# batch on outcomes that the claim makes unlikely, at odds that are fair under the claim. If the
# claim is true, wealth cannot be expected to grow, however one stakes and whenever one stops; with
# probability $1 - \alpha$ it never reaches $1/\alpha$ (Ville). Laplace noise of half the scale:


# %%
def half(data, rng, count):
    return data + rng.laplace(scale=0.5, size=count)


bets = [
    audit(here(half), (0.0, 1.0), PURE, runs=5000, seed=seed, sequential=True) for seed in range(60)
]
spent = sorted(result.runs / 2 for result in bets)
right = [
    audit(here(laplace), (0.0, 1.0), PURE, runs=300, seed=seed, sequential=True)
    for seed in range(60)
]
alarms = sum(result.refuted for result in right)
decided = sum(result.refuted for result in bets)
print(f"half the noise: refuted {decided} of 60 times, all the noise: {alarms} of 60 times")
print(f"median of the runs on each data set: {np.median(spent):.0f}")
figure, axes = plt.subplots(figsize=(6, 2.8))
axes.step(spent, np.arange(1, 61) / 60, color=BLUE)
axes.set(xlabel="runs on each data set", ylabel="share of audits decided", xlim=(0, None))
plt.show()
assert decided == 60 and np.median(spent) <= 70
assert alarms <= 8  # 60 × 5 % and three standard errors

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
# ever notice. Where the law is known, exact arithmetic decides. The same for a table of
# probabilities: a truncated geometric law, exactly at its claim, in rationals.

# %%
sigma = math.sqrt(2 * math.log(1.25e5)) / 10
runs = audit(gaussian(sigma), (0.0, 1.0), ApproximateDP(10.0, 1e-5), runs=100_000)
exact = audit_gaussian(1 / sigma, 10, 1e-5)
print(f"by 100 000 runs: refuted is {runs.refuted}; in balls: refuted is {exact}")
assert exact and not runs.refuted

geometric = [["3/4", "1/6", "1/12"], ["1/4", "1/2", "1/4"], ["1/12", "1/6", "3/4"]]
for ratio in (3, Fraction(2999, 1000)):
    law = audit_matrix(geometric, ("ratio", ratio))
    print(f"ratio {ratio}: refuted is {law.refuted}, delta is {law.delta}")
assert law.refuted and not audit_matrix(geometric, ("ratio", 3)).refuted

# %% [markdown]
# ## 7. Are they runs at all?
# All of this counts *independent* runs. A program that keeps state, mutates its input or fixes its
# seed makes counts worthless; test harnesses have been mistaken for broken mechanisms, and broken
# mechanisms for sound ones. So that is tested first, with a false-alarm rate of one in a million:


# %%
class Careless:
    """Adds noise to its own state: the noise of one run is in all that follow."""

    def __init__(self):
        self.total = 0.0

    def release(self, data, rng):
        self.total += rng.laplace()
        return data + self.total


for name, what in (("Careless", Careless()), ("laplace", here(laplace))):
    failed = [finding.words for finding in check_runs(what, 0.0, runs=500) if not finding.passed]
    print(f"{name}: {failed}")
    assert bool(failed) == (name == "Careless")

# %% [markdown]
# ## 8. Any language
# A program is started once. It reads lines `INDEX COUNT` and answers each with `COUNT` lines, the
# outputs of as many runs on data set `INDEX`, as JSON. It may be in any language; it runs in a
# process of its own, and what it prints, a crash or a hang harm nothing. Here is one in awk, with
# two-sided geometric noise on a count of people; the data sets are `[1,2,3]` and `[1,2]`:

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
folder = tempfile.TemporaryDirectory()
(Path(folder.name) / "count.sh").write_text(SCRIPT, encoding="utf-8")


def provedp(*arguments):
    command = [sys.executable, "-m", "provedp", *arguments]
    return subprocess.run(command, cwd=folder.name, encoding="utf-8", capture_output=True)


pair = ["--pair", "[1,2,3]", "[1,2]", "--adjacency", "add-remove"]
statuses = []
for rate in (1, 2):
    command = ["audit", "--command", f"sh count.sh {rate}", "--claim-epsilon", "1", *pair]
    done = provedp(*command, "--runs", "4000", "--confidence", "0.999999")
    statuses.append(done.returncode)
    print(done.stdout.splitlines()[0])
folder.cleanup()
assert statuses == [0, 1]

# %% [markdown]
# The exit status is 0 if the claim was not refuted and 1 if it was, so that a build can rely on it;
# `--out` writes a counterexample that `provedp replay` repeats with `--target`.
#
# ## 9. A test for your own suite
# `assert_private` fails when a claim is refuted. A test that fails by chance is soon ignored, so it
# says how often it will: once in a million, unless you ask for another rate. With a strategy of
# hypothesis it looks for a pair, and makes the one it finds smaller. A mean that forgets to clip:


# %%
def mean(people, rng, count):
    """Claimed to be 1-private: the ages are between 0 and 100, are they not?"""
    return np.mean(people) + rng.laplace(scale=100 / len(people), size=count)


def clipped(people, rng, count):
    return mean(np.clip(people, 0, 100), rng, count)


pairs = [([30, 40], [30, 100]), ([30, 40], [30, 999])]
assert_private(clipped, pairs, epsilon=1.0, runs=2000)
try:
    assert_private(mean, pairs, epsilon=1.0, runs=2000)
except PrivacyViolation as violation:
    print(violation)
    assert violation.result.pair == 1
else:
    raise AssertionError("it should be refuted")

# %% [markdown]
# ## 10. Exercises, with checks to call with your answer
# 1. **A better cut.** In Section 2, find a $c$ that promises a bound above 2.35, and a larger one
# with which the claim is not even refuted.
# 2. **How many runs?** Laplace noise of scale $1/1.1$ is claimed to be 1-private. Find the number
# of runs on each data set, to within a tenth, from which the folded event of Section 1 is expected
# to refute it (that is, with probability of about a half).
# 3. **A repair.** Write a mean of ages in $[0, 100]$ for which the *number* of people is private as
# well (a neighbour has one record more), and which `assert_private` passes.


# %%
def check_1(good, bad):
    assert promised(good) > 2.35 and good < bad < 6 and promised(bad) < 1


def refutes(n, truth=1.1):
    n = round(n)
    x, y = round(n * 0.5), round(n * 0.5 * math.exp(-truth))
    return lower_bound(Counts(2 * x, 2 * n, 2 * y, 2 * n, folded=True), PURE) > 1


def check_2(runs):
    assert refutes(1.1 * runs) and not refutes(runs / 1.1)


def check_3(mechanism):
    pairs = [([], [100]), ([100], [100, 0]), ([0, 0], [0, 0, 1000])]
    assert_private(mechanism, pairs, epsilon=1.0, runs=5000)


# %% [markdown]
# ## Solutions
# 1. $c = 0$, the largest cut with the full ratio, and $c = 2$.
# 2. About 1150. The gap shrinks like $1/\sqrt n$: for a scale of $1/1.01$ it takes a hundred times
# as many.
# 3. Noisy sum over noisy count, half of the budget each; clip first, and add a record's worth.

# %%
check_1(0.0, 2.0)
check_2(1150)


def private_mean(people, rng, count):
    clipped = np.clip(np.array(people, dtype=float), 0, 100)
    totals = clipped.sum() + rng.laplace(scale=200, size=count)
    return totals / np.maximum(1, len(people) + rng.laplace(scale=2, size=count))


check_3(private_mean)
