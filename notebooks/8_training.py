# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 8. Auditing a training, and its accountant
# ### One run, a thousand coins
#
# You need: lessons 2 and 6, and a little of how a classifier is trained by gradients. You will know
# afterwards: how one training refutes its own promise; how much one run can show at most; what a
# small $\delta$ costs, and which bound in use is none; what must not be looked at; what no canary
# sees, and how an accountant itself is audited. About 75 minutes.
#
# Lesson 6 ran a mechanism ten thousand times. Nobody trains a model ten thousand times. It turns
# out that one training is enough, if it is asked about many records at once.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import itertools
import math
from fractions import Fraction as F

import matplotlib.pyplot as plt
import numpy as np
from scipy import stats
from scipy.special import softmax
from sklearn.datasets import load_digits

import provedp
from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, ORANGE, RED, axes, show
from provedp.theory.privacy import gaussian_delta, one_run_bound, one_run_published_bound
from provedp.verify.accounting.composition import compose
from provedp.verify.accounting.releases import PoissonSampledGaussian
from provedp.verify.audit import (
    ApproximateDP,
    ProfileDP,
    audit_canaries,
    audit_gaussian,
    canary_coins,
)

# %% [markdown]
# ## 1. A training with a promise
# DP-SGD, in full: draw a sample of the records, each with probability 1/10. Take the gradient of
# each record's loss, shorten it to length 1 at most, add up, add Gaussian noise of $\sigma = 2$ to
# every coordinate, and take a step. A hundred times. The model is a linear one, for digits:

# %%
RATE, ROUNDS, SIGMA = F(1, 10), 100, 2.0
POINTS, LABELS = (part[:1000] for part in load_digits(return_X_y=True))
POINTS = POINTS / np.linalg.norm(POINTS, axis=1, keepdims=True)

# %%
steps = compose([(PoissonSampledGaussian(1 / SIGMA, RATE), ROUNDS)])
low, high = steps.epsilon(1e-5)
print(f"the accountant: {low:.4f} ≤ ε ≤ {high:.4f} at δ = 10⁻⁵")

# %%
CLAIM = ApproximateDP(2.3375, 1e-5)
assert low <= high <= CLAIM.epsilon

# %% [markdown]
# That is a proof about the training *as described*. Is it what the program does? Here is the
# program. Noise, clipping and the way records are drawn may be replaced, so that we can break them:


# %%
def fresh(rng, shape):
    return rng.normal(size=shape)


def poisson(rng, size):
    return [np.flatnonzero(rng.random(size) < float(RATE)) for _ in range(ROUNDS)]


# %%
def noisy_sum(points, labels, weights, rng, noise, clips):
    """Return the sum of the gradients of a sample, with noise."""
    rests = softmax(points @ weights, axis=1) - np.eye(10)[labels]
    lengths = np.linalg.norm(points, axis=1) * np.linalg.norm(rests, axis=1)
    if clips:
        rests = rests / np.maximum(lengths, 1.0)[:, None]
    return points.T @ rests + SIGMA * noise(rng, weights.shape)


# %%
def train(rng, points, labels, noise=fresh, clips=True, batches=poisson):
    weights = np.zeros((points.shape[1], 10))
    for chosen in batches(rng, len(points)):
        weights -= noisy_sum(points[chosen], labels[chosen], weights, rng, noise, clips) / 150
    return weights


# %% [markdown]
# ## 2. A coin for each canary
# Make up 1000 records, **canaries**. Each gets a coin of its own, thrown before the training: heads
# is in, tails is out. Train once. Then guess the coins from the model.
#
# Our canaries have a feature that nobody else has, as a rare word has, and a random label. A model
# that has seen one knows its label a little better.

# %%
CANARIES, WIDTH = 1000, POINTS.shape[1]
rare = np.hstack([np.zeros((CANARIES, WIDTH)), 10 * np.eye(CANARIES)])

# %%
words = np.random.default_rng(1).integers(0, 10, CANARIES)
digits = np.hstack([POINTS, np.zeros((1000, CANARIES))])


# %%
def run(seed, **kind):
    """Return the coins of a training, its model, and its accuracy on the digits."""
    rng, coins = np.random.default_rng(seed), canary_coins(CANARIES, seed=1000 + seed)
    points, labels = np.vstack([digits, rare[coins]]), np.r_[LABELS, words[coins]]
    weights = train(rng, points, labels, **kind)
    return coins, weights, np.mean(np.argmax(digits @ weights, axis=1) == LABELS)


# %%
def score(weights):
    """Return minus the loss of each canary, less what is usual for its label: high looks in."""
    told = np.log(softmax(rare @ weights, axis=1)[np.arange(CANARIES), words])
    usual = np.array([np.median(told[words == label]) for label in range(10)])
    return told - usual[words]


# %%
coins, weights, accuracy = run(1)
found = audit_canaries(score(weights), coins, CLAIM, guesses=400)

# %%
print(f"accuracy {accuracy:.2f}\n{found}")
assert found.verdict == "not refuted"

# %% [markdown]
# The 200 highest scores are guessed to be in, the 200 lowest out. Why does that say anything?
# By Bayes, after seeing the model and *all other coins*, the odds of a fair coin are at most
# $e^\varepsilon$ if the training is $(\varepsilon, 0)$-private. So a guess is right with
# probability at most $q = e^\varepsilon/(1 + e^\varepsilon)$, whatever happened to the others: the
# number of right guesses among $r$ is stochastically below a binomial one,
# $$\Pr(V \ge v) \le \Pr(\mathrm{Bin}(r, q) \ge v).$$
# Nothing is assumed of the model. Now the same with noise divided by the batch, once too often:


# %%
def divided(rng, shape):
    return rng.normal(size=shape) / 150


# %%
coins, weights, accuracy = run(1, noise=divided)
broken = audit_canaries(score(weights), coins, CLAIM, guesses=400)

# %%
print(f"accuracy {accuracy:.2f}\n{broken}")
assert broken.refuted

# %%
q = 1 / (1 + math.exp(-CLAIM.epsilon))
counts = np.arange(180, 401)
drawn = axes("400 guesses about one training", "right guesses", "probability under ε = 2.34")
drawn.fill_between(counts, stats.binom.pmf(counts, 400, q), color=BLACK, alpha=0.2, lw=0)
drawn.axvline(found.guesses.right, c=GREEN, label="the right training")
drawn.axvline(broken.guesses.right, c=RED, label="noise divided by the batch")
drawn.legend(loc="center left")
plt.show()

# %% [markdown]
# ## 3. What one run can show at most
# The broken training has no privacy to speak of, and yet the bound is small. If *all* $r$ guesses
# are right, they refute every $\varepsilon$ with $q^r \le 1/20$, and no more:
# $$\varepsilon \ge -\ln(20^{1/r} - 1) \approx \ln r - 1.1.$$

# %%
numbers = np.array([10, 30, 100, 300, 1000, 3000, 10_000])
caps = -np.log(20 ** (1 / numbers) - 1)
show([("guesses", *numbers), ("at most ε", *caps)], 9)

# %% [markdown]
# So a claim of $\varepsilon = 7$ *cannot* be refuted by 1000 canaries, whatever the training does.
# "Not refuted" would be a lie, and the verdict is another:

# %%
beyond = audit_canaries(score(weights), coins, ApproximateDP(7.05), guesses=1000)
print(beyond.verdict, f"– at most {beyond.cap:.2f}, needed {beyond.needed} right guesses")
assert beyond.verdict == "NO VERDICT" and beyond.needed > CANARIES

# %% [markdown]
# And a low bound is no evidence of privacy. Canaries may be weak: nobody remembers a digit with a
# wrong label. Ask what the same canaries show of a training **without noise**, the *control*:


# %%
def silent(rng, shape):
    return np.zeros(shape)


def of_digits(weights):
    """Return how well each of 1000 digits with a random label is told, to serve as a canary."""
    return np.log(softmax(digits @ weights, axis=1)[np.arange(CANARIES), words])


# %%
rng, weak = np.random.default_rng(3), canary_coins(CANARIES, seed=3)
mislabelled = np.where(weak, words, LABELS)

# %%
weights = train(rng, digits, mislabelled, noise=silent)
control = audit_canaries(of_digits(weights), weak, CLAIM)
print(f"without any noise: ε ≥ {control.epsilon_lower:.2f}")

# %%
coins, weights, _ = run(2, noise=silent)
strong = audit_canaries(score(weights), coins, CLAIM)

# %%
print(f"with rare features: ε ≥ {strong.epsilon_lower:.2f}")
assert control.epsilon_lower < CLAIM.epsilon < strong.epsilon_lower

# %% [markdown]
# ## 4. What a δ costs
# With $\delta > 0$ a training may tell coins outright, rarely. The bound that is in use adds to the
# binomial tail $f(v)$ a term with $2 m \delta$, $m$ the number of canaries. There is an exact one:
# with $B$ and $b$ the tail and the mass at $v$,
# $$\Pr(V \ge v) \le B + \frac{m \delta\, B (1 - B)}{v\, b}$$
# if the number of guesses is fixed beforehand, and some $(\varepsilon, \delta)$-private mechanism
# attains it (`privacy.right_guesses_are_bounded_exactly`,
# `privacy.right_guesses_attain_the_bound`).

# %%
case = dict(canaries=1000, guesses=200, right=150, delta=F(1, 1000))
for k in (F(3, 2), F(2), F(9, 4)):
    exact, published = one_run_bound(k=k, **case), one_run_published_bound(k=k, **case)
    print(f"ε = {math.log(k):.3f}: exact {float(exact):.2e}, in use {float(published):.2e}")
    assert exact < published


# %%
def bound_by(formula, delta):
    """Return ln k where the formula comes to 1/20 for 150 of 200 right guesses, to 0.01."""
    ratios = [F(100 + i, 100) for i in range(200)]
    kept = [k for k in ratios if formula(1000, 200, 150, k, delta) <= F(1, 20)]
    return math.log(max(kept, default=1))


# %%
deltas = [F(1, 10**5), F(1, 10**4), F(1, 2000), F(1, 1000), F(1, 500)]
both = [[bound_by(each, d) for d in deltas] for each in (one_run_bound, one_run_published_bound)]
drawn = axes("150 of 200 guesses right, 1000 canaries", "δ (probability)",
             "lower bound on ε (nats)", (6, 3.2), xscale="log", ylim=(0, 1))  # fmt: skip
drawn.plot(deltas, both[0], "o-", c=BLUE, label="exact")
drawn.plot(deltas, both[1], "s--", c=ORANGE, label="in use, with 2mδ")
drawn.legend()
plt.show()

# %% [markdown]
# Where p-values are small the one in use is only weak. Where they are not, it is **no bound**. Take
# four canaries, and a mechanism that publishes a guess drawn uniformly from the 15 that are not all
# wrong. With one coin turned over 14 of the 15 are the same, so it is $(0, 1/15)$-private:

# %%
cube = list(itertools.product((0, 1), repeat=4))


def law(bits):
    return {g: F(1, 15) for g in cube if any(x == y for x, y in zip(g, bits, strict=True))}


# %%
pairs = [(a, b) for a in cube for b in cube if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
apart = max(sum(law(a).get(g, F(0)) for g in cube if g not in law(b)) for a, b in pairs)

# %%
print("largest δ of neighbours:", apart)
print("in use:", one_run_published_bound(4, 4, 1, F(1), F(1, 15)), "– but some guess is right: 1")

# %%
assert apart == F(1, 15) and one_run_bound(4, 4, 1, F(1), F(1, 15)) == 1

# %% [markdown]
# ## 5. What must not be looked at
# Scores, thresholds, the number of guesses: all that is computed from the model alone is free (with
# a $\delta$, almost). What looks at the **coins** is not. Randomised response, exactly at its claim
# of $\varepsilon = 1$, audited with the best of 60 numbers of guesses:


# %%
def response(seed, m=300):
    rng, coins = np.random.default_rng(seed), canary_coins(m, seed=seed + 5000)
    told = coins ^ (rng.random(m) > 1 / (1 + math.exp(-1)))
    return np.where(told, 1, -1) * (1 + rng.random(m)), coins


# %%
def best_of_many(scores, coins):
    """Refute if any of 60 numbers of guesses does, each at the full level."""
    order = np.argsort(-np.abs(scores))
    right = np.cumsum((scores[order] > 0) == coins[order])
    made = np.arange(5, 301, 5)
    return (stats.binom.sf(right[made - 1] - 1, made, 1 / (1 + math.exp(-1))) <= 0.05).any()


# %%
alarms = sum(best_of_many(*response(seed)) for seed in range(400)) / 400
honest = sum(audit_canaries(*response(seed), 1.0).refuted for seed in range(150)) / 150

# %%
print(f"false alarms: best of many {alarms:.0%}; nested numbers, by their joint law {honest:.0%}")
assert alarms > 0.15 and honest <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 150)

# %% [markdown]
# The second audit also tries many numbers, and refutes with the best. But it knows how likely the
# best is to be so good: the counts are nested, and their joint law is a small recursion.
#
# The same with several scores. Forty columns of noise, weighted so that they tell the coins apart
# best, tell them apart indeed. Learn the weights on half of the canaries, and count the other half:

# %%
noise, coins = np.random.default_rng(4).normal(size=(300, 40)), canary_coins(300, seed=4)
fitted = noise @ np.linalg.lstsq(noise, coins - 0.5, rcond=None)[0]

# %%
cheated = audit_canaries(fitted, coins, 0.5)
learned = audit_canaries(noise, coins, 0.5, learn=0.5)

# %%
print(f"weights of the same coins: ε ≥ {cheated.epsilon_lower:.2f}, {cheated.verdict}")
print(f"of other coins: ε ≥ {learned.epsilon_lower:.2f}, {learned.verdict}")
assert cheated.refuted and not learned.refuted

# %% [markdown]
# Coins themselves can be wrong: one of each two records drawn, several views of one record, half
# of a list without replacement. Then there are fewer coins than rows, and counts mean nothing.
# What can be seen of that is refused:

# %%
twins = np.arange(200) % 2 == np.repeat(canary_coins(100, seed=5), 2)
try:
    audit_canaries(np.arange(200), twins, 1.0)
except ValueError as error:
    print(error)

# %% [markdown]
# ## 6. Five trainings, one promise
# All with the settings that the accountant was told. Four of them do something else:


# %%
def shared(rng, shape):
    return np.broadcast_to(rng.normal(size=(1, shape[1])), shape)


def shuffled(rng, size):
    parts = [np.array_split(rng.permutation(size), 10) for _ in range(10)]
    return [part for epoch in parts for part in epoch]


# %%
KINDS = {
    "right": {},
    "no clipping": {"clips": False},
    "noise / batch": {"noise": divided},
    "one noise for all": {"noise": shared},
    "shuffled": {"batches": shuffled},
}
GUESSES = (20, 100, 400, 1000)  # fixed beforehand; they share the error

# %%
table = {}
for name, kind in KINDS.items():
    coins, weights, accuracy = run(7, **kind)
    found = audit_canaries(score(weights), coins, CLAIM, guesses=GUESSES)
    table[name] = found.verdict
    print(f"{name:<18} accuracy {accuracy:.2f}   ε ≥ {found.epsilon_lower:.2f}   {found.verdict}")

# %%
refuted = [name for name, verdict in table.items() if verdict == "REFUTED"]
assert refuted == ["no clipping", "noise / batch", "one noise for all"]

# %% [markdown]
# Accuracy tells one of the faults, and the audit three. The last one it does not see.
#
# ## 7. What no canary sees
# To shuffle the records and cut them into batches is what most programs do. The accountant was
# told of *Poisson samples*. One run does not see the difference: what one canary adds to a step
# does not show how batches are drawn. Yet the promise is false, as no run is needed to see: in an
# epoch each record is in exactly one batch. Add up everything that is published:
# $100$ noises of $\sigma = 2$ have the standard deviation $20$, and a gradient of length 1 that is
# turned round moves the sum of ten epochs by $10 \cdot 2$. A Gaussian release with $\mu = 1$:

# %%
told = {"noise": "gaussian", "sigma": 2, "sampling": "poisson", "rate": "1/10", "times": 100}
promised = provedp.account({"adjacency": "replace-one", "releases": [told]}, delta="1e-5")
print(f"Poisson samples, one record replaced: ε ≤ {promised.epsilon[1]:.4f} at δ = 10⁻⁵")

# %%
shuffle = audit_gaussian(1, 4.3695, F(1, 10**5))
print(f"what a shuffle publishes is (4.3695, 10⁻⁵)-private: {not shuffle}")
assert shuffle and promised.epsilon[1] < 4.3695

# %% [markdown]
# (Both are about *replacing* a record, since batches of fixed size know no other neighbours; the
# 2.3375 above was about adding one.) It is false by little here. How much a shuffle costs at most
# is another question, and `provedp account` says that it has no answer:

# %%
try:
    provedp.account({"adjacency": "replace-one", "releases": [told | {"sampling": "shuffled"}]},
                    delta="1e-5")  # fmt: skip
except ValueError as error:
    print(error)

# %% [markdown]
# ## 8. The accountant, audited
# Accountants are programs, too. One that is in use says: by a central limit theorem, many steps
# at rate $q$ are nearly $\mu$-Gaussian private,
# $\mu = q \sqrt{T (e^{1/\sigma^2} - 1)}$. Nearly is no promise:


# %%
def by_limit(rounds, rate=0.01, delta=1e-5):
    """Return ε at δ of the limit, σ = 1."""
    mu = rate * math.sqrt(rounds * math.expm1(1))
    low, high = 0.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        above = float(gaussian_delta(mu, middle)) > delta
        low, high = (middle, high) if above else (low, middle)
    return high


# %%
rounds = [50, 200, 500, 1000, 3000]
limits = [by_limit(each) for each in rounds]
brackets = [compose([(PoissonSampledGaussian(1, F(1, 100)), T)]).epsilon(1e-5) for T in rounds]

# %%
drawn = axes("σ = 1, rate 1/100, δ = 10⁻⁵", "steps", "ε (nats)", (6, 3.2), xscale="log")
drawn.plot(rounds, limits, "s--", c=RED, label="central limit theorem")
drawn.plot(rounds, [low for low, _ in brackets], "o-", c=BLUE, label="lower end of the bracket")
drawn.legend()
plt.show()
assert all(limit < low for limit, (low, _) in zip(limits, brackets, strict=True))

# %% [markdown]
# The lower end is attained by data: what is below is refuted. `provedp account` reads what a
# training library saved, and judges it:

# %%
saved = {"history": [[1.0, "1/100", 1000]], "mechanism": "gdp"}
verdict = provedp.account(saved, claim=("1.61772", "1e-5"))

# %%
print(verdict.verdict, "– in truth ε is in", [round(end, 4) for end in verdict.epsilon])
assert verdict.verdict == "refuted"

# %% [markdown]
# An accountant promises a whole curve: a $\delta$ for every $\varepsilon$. So hold it against the
# run: several points of the curve are tested *together*, at no cost, since each is a bound on the
# same chance (`ProfileDP`). A training whose noise is half of what was promised:

# %%
curve = tuple((e, steps.delta(e)[1]) for e in (0.5, 1.0, 1.5, 2.0, 2.3375))
coins, weights, _ = run(5, noise=lambda rng, shape: fresh(rng, shape) / 2)

# %%
point = audit_canaries(score(weights), coins, CLAIM, guesses=400)
whole = audit_canaries(score(weights), coins, ProfileDP(curve), guesses=400)

# %%
print(f"{whole.guesses.right} of 400 guesses are right")
print(f"one point of the promise: p = {point.p_value:.2g}; five points: p = {whole.p_value:.2g}")
assert whole.p_value < point.p_value

# %% [markdown]
# What to take along:
#
# | you have | you get | beware |
# | --- | --- | --- |
# | one training, coins of canaries | a bound, at most about ln r − 1.1 | coins that are none |
# | weak canaries | a low bound | the control says how low |
# | an accountant | both ends, about the training as described | is it the one that ran? |
#
# ## Exercises
# A first try at `training-4`: one of each pair is in.

# %%
grade("training-4", F(sum(math.comb(40, i) for i in range(30, 41)), 2**40))

# %% [markdown]
# 1. `training-1` How many right guesses?; 2. `training-2` With a δ; 3. `training-3` The worst
# mechanism; 4. `training-4` Two canaries that are one; 5. `training-5` Some coins outright; 6.
# `training-6` Three copies; 7. `training-7` What it costs; 8. `training-8` What a batch moves; 9.
# `training-9` Together
