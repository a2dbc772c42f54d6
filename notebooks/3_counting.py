# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Lesson 3. The optimal release of a count
# ### From the linear program to P*, to the certificate, to a false bound
#
# You need: lesson 0, and what a linear program is. You will know afterwards: the least error that
# privacy leaves for a count, and the mechanism that attains it; how a certificate proves that
# without a solver; what a noisy channel costs; how a published bound fails. About 90 minutes.
#
# This lesson follows Rassouli and Varasteh, *Differentially Private Consistent Release of Counting
# Queries* ("the paper"), and ends at one of its bounds that is false. What is called exact is
# computed with fractions, and what is claimed is asserted in the cell beside the claim.

# %%
# %config InlineBackend.figure_formats = ["svg"]
import json
import math
import subprocess
import sys
import tempfile
from fractions import Fraction as F
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from flint import arb

from provedp.course import grade
from provedp.course.drawing import BLACK, BLUE, GREEN, ORANGE, RED, axes, panels, show
from provedp.theory import channels, counting
from provedp.theory.matrices import matrix, product
from provedp.theory.privacy import hockey_stick, path_delta
from provedp.verify.solvers import certificates, check
from provedp.verify.solvers.channel import optimum
from provedp.verify.solvers.linear_programs.rational import LinearProgram, solve


# %%
def plot_errors(title, most, low=0.0, high=1.0):
    ends = {"xlim": (0, most), "ylim": (low, high)}
    axes(title, "ε (nats)", "worst-case error probability", **ends)


# %% [markdown]
# ## 1. The problem
# A data set contains a person or does not, so a count over it changes by at most one. The count is
# one of $1, \dots, M$, and we must publish a number from the same set: the release is *consistent*.
# Whatever we do is a matrix $P$ whose row $i$ is the law of the published number when the count is
# $i$. Rows that are neighbours must be hard to tell apart: with $k = e^\varepsilon$ ($\varepsilon$
# in nats), every event $U$ must satisfy $p_i(U) \le k\, p_{i'}(U) + \delta$ for $|i - i'| = 1$.
# Among all such matrices we want the least worst-case probability of publishing a wrong number,
# $1 - \min_i p_{ii}$. Four counts, $k = 2$ and $\delta = 1/10$ are enough to see everything; here
# is a candidate.

# %%
M, k, delta = 4, F(2), F(1, 10)
P = counting.release_matrix(M, k, delta)
show(P)

# %% [markdown]
# There are $2^4$ events for each pair of rows, but no need to go through them: the worst one
# collects the columns in which $p_j > k q_j$. What it collects is the **hockey-stick divergence**
# $E_k(p \,\|\, q) = \sum_j (p_j - k q_j)^+$, and the pair is private exactly if $E_k \le \delta$.
# Below are the first two rows and $p_j - k q_j$: only the first column is positive, and it uses up
# all of $\delta$. The function `path_delta` takes the largest divergence over all neighbours, in
# both directions.

# %%
excess = [p - k * q for p, q in zip(P[0], P[1], strict=True)]
show([P[0], P[1], excess])
assert hockey_stick(P[0], P[1], k) == sum(max(e, F(0)) for e in excess) == delta

# %%
assert path_delta(P, k) == delta and counting.worst_case_error(P) == F(1, 2)

# %% [markdown]
# ## 2. The linear program
# Can another matrix err less than half of the time? We maximise the least diagonal entry, $x$,
# subject to $x \le p_{ii}$, to rows that sum to one, and to
# $\sum_{j \in U} (p_{ij} - k p_{i'j}) \le \delta$ for all events and neighbours. All of it is
# linear. Column $iM + j$ of the program is $p_{ij}$ (counted from 0) and column $M^2$ is $x$.
# `solve` lets a floating-point solver guess which constraints are tight, solves for that guess in
# fractions, and answers only if the primal and the dual point are feasible and equal in value, with
# no rounding anywhere.

# %%
pairs = [(a, b) for a in range(M) for b in range(M) if abs(a - b) == 1]
events = [[j for j in range(M) if mask >> j & 1] for mask in range(2**M)]
gaps = [{i * M + j: c for j in U for i, c in ((a, 1), (b, -k))} for a, b in pairs for U in events]

# %%
at_most = [({M * M: 1, i * M + i: -1}, 0) for i in range(M)] + [(gap, delta) for gap in gaps]
sums = [({i * M + j: 1 for j in range(M)}, 1) for i in range(M)]
program = LinearProgram(M * M + 1, {M * M: 1}, at_most, sums)

# %%
solved = solve(program)
print(f"{len(gaps)} privacy constraints, {program.columns} unknowns, optimum {solved.value}")

# %% [markdown]
# So no: one half is the best. The paper's Theorem 1 gives it for every $M$, $\varepsilon$ and
# $\delta$:
# $$p_e^* = (1-\delta)(1-\alpha), \qquad \alpha = \frac1{\sum_j k^{-d(1,j)}},$$
# where $d(i,j) = \min(|i-j|,\, M-|i-j|)$ is the distance around a circle of $M$ points. Here
# $1/\alpha = 1 + \tfrac12 + \tfrac14 + \tfrac12 = \tfrac94$ and
# $p_e^* = \tfrac9{10} \cdot \tfrac59 = \tfrac12$.

# %%
assert counting.alpha(M, k) == F(4, 9)
assert counting.error(M, k, delta) == 1 - solved.value == F(1, 2)

# %% [markdown]
# ## 3. The matrix P*
# The matrix that attains it tosses one coin. With probability $\delta$ it publishes the count
# itself; otherwise it moves the count around the circle, by the distance $d$ with a weight
# $k^{-d}$:
# $$P^* = (1-\delta)\,\alpha\,\bigl[k^{-d(i,j)}\bigr] + \delta I .$$
# On the circle every row is the same up to rotation: no count is worse off than another.

# %%
kernel, identity = counting.release_matrix(8, k, F(0)), np.eye(8, dtype=int)
mixture = (1 - delta) * kernel + delta * identity
assert (mixture == counting.release_matrix(8, k, delta)).all()

# %%
parts = {"cyclic kernel": kernel, "identity": identity, "P* = 9/10 kernel + 1/10 I": mixture}

# %%
drawn = panels(list(parts), "published number", "count", (9, 3.2))
for axis, part in zip(drawn, parts.values(), strict=True):
    image = axis.imshow(part.astype(float), "Blues", vmin=0, vmax=0.5, extent=(0.5, 8.5, 8.5, 0.5))
    axis.set(xticks=range(1, 9), yticks=range(1, 9))
plt.colorbar(image, ax=drawn, label="probability", extend="max")
plt.show()

# %% [markdown]
# The corners of the kernel are dark: for the count 1, the number 8 is as likely as the number 2.
# That would be wasteful for a loss that grows with the distance. For the probability of error it
# does not matter where the rest of a row goes, only how small privacy lets it be.
#
# Four other private releases, all with $\delta = 0$, compete on $M = 8$ counts. The exponential
# mechanism and rounded Laplace noise need $\sqrt k$, so we walk along rational values of
# $r = e^{\varepsilon/2}$ and keep every error exact.

# %%
roots = [F(n, 16) for n in range(16, 120)]

# %%
laws = {
    "truncated geometric": [counting.truncated_geometric_matrix(8, r**2) for r in roots],
    "randomised response": [counting.randomized_response_matrix(8, r**2) for r in roots],
    "exponential mechanism": [counting.exponential_mechanism_matrix(8, r) for r in roots],
    "rounded Laplace": [counting.rounded_laplace_matrix(8, r) for r in roots],
}

# %%
errors = {name: [counting.worst_case_error(law) for law in laws[name]] for name in laws}
errors["optimum P*"] = [counting.error(8, r**2, 0) for r in roots]

# %%
for n, r in enumerate(roots):
    assert all(path_delta(laws[name][n], r**2) == 0 for name in laws)
    assert errors["optimum P*"][n] == min(errors[name][n] for name in errors)

# %%
plot_errors("M = 8 counts, δ = 0", most=4)
styles = [(BLUE, "--"), (GREEN, "-."), (ORANGE, ":"), (RED, "-"), (BLACK, "-")]
for name, (colour, line) in zip(errors, styles, strict=True):
    plt.plot([2 * math.log(r) for r in roots], errors[name], c=colour, ls=line, lw=2, label=name)
plt.legend()
plt.show()

# %% [markdown]
# The truncated geometric mechanism errs with probability $2/(k+1)$ for every $M \ge 3$, which is
# the limit of the optimum for many counts: moving around the circle, instead of stopping at its
# ends, is worth exactly the difference between $M$ counts and infinitely many.

# %%
assert errors["truncated geometric"] == [counting.error_limit(r**2, 0) for r in roots]

# %% [markdown]
# ## 4. The certificate
# A solver asks for trust, a certificate does not: it is a short list of numbers from which everyone
# can derive the bound. Take the middle row $r = 2$ and the weights $w_i = \alpha k^{-|i-r|}$.

# %%
r, alpha = 2, counting.alpha(M, k)
w = [alpha / k ** abs(i - r) for i in range(1, M + 1)]
show([w])

# %%
assert sum(w) == 1

# %% [markdown]
# Use each weight on $x \le p_{ii}$, and again on one privacy constraint, which compares row $i$
# with its neighbour $i'$ towards the middle on the event $U_i = \{1, \dots, i\}$ above the middle
# and $U_i = \{i, \dots, M\}$ below it. The middle row has no such constraint; use its weight
# $\alpha$ on the sum of its entries. The library has the same multipliers:

# %%
best = optimum.least_error(M, k, delta)
for (a, b), row in best.dual.multipliers.items():
    print(f"row {a} against row {b}:", *row)

# %% [markdown]
# The claim is that these add up to an **identity**, true of every square table $Q$, private or not:
# $$\sum_i w_i Q_{ii} = \alpha \sum_j Q_{rj} + \sum_{i \ne r} w_i [ Q_i(U_i) - k Q_{i'}(U_i) ] .$$
# For a private release, the left side is at least $\min_i Q_{ii}$, the sum of row $r$ is one, and
# each bracket on the right is at most $\delta$. Hence
# $$\min_i Q_{ii} \le \alpha + \delta \sum_{i\ne r} w_i = \alpha + \delta(1-\alpha) = 1 - p_e^* ,$$
# which is the optimality of $P^*$. All that is left is to check the identity, one entry of $Q$ at a
# time. By hand, with $w = (\tfrac29, \tfrac49, \tfrac29, \tfrac19)$, the column $j = 4$:
#
# * $Q_{14}$ is nowhere on the left, and not on the right: $4 \notin U_1 = \{1\}$.
# * $Q_{24}$ gets $\alpha = \tfrac49$ from the sum of row 2, and $-k w_3 = -\tfrac49$ from row 3's
#   bracket, because $4 \in U_3 = \{3, 4\}$. Total: 0.
# * $Q_{34}$ gets $w_3 = \tfrac29$ from row 3's bracket, and $-k w_4 = -\tfrac29$ from row 4's,
#   because $4 \in U_4 = \{4\}$. Total: 0.
# * $Q_{44}$ gets $w_4 = \tfrac19$ from row 4's bracket. This is its weight on the left.
#
# The same sums for all sixteen entries:


# %%
def right_side(m, k):
    """Return the coefficient of every entry of Q on the right of the identity."""
    total, dual = np.full((m, m), F(0)), optimum.least_error(m, k, F(0)).dual
    total[(m - 1) // 2] += counting.alpha(m, k)
    for (a, b), row in dual.multipliers.items():
        total[a - 1] += row
        total[b - 1] -= k * np.array(row)
    return total


# %%
show(right_side(M, k))

# %% [markdown]
# **For every $M$.** Take $i < r$. The entry $Q_{ij}$ occurs in its own bracket if $j \le i$, and in
# that of row $i-1$ if $j \le i-1$. Its coefficient is $w_i [j \le i] - k w_{i-1} [j \le i-1]$, and
# because $k w_{i-1} = w_i$ on the way to the middle, this is $w_i [j = i]$. Below the middle it is
# the mirror image. In row $r$ the coefficient is
# $\alpha - k w_{r-1} [j < r] - k w_{r+1} [j > r] = \alpha [j = r]$. Lastly $\sum_i w_i = 1$,
# because from a middle row the distances along the line are those around the circle. Nothing here
# depends on $M$, on $\delta$, or on $k$ being rational; the cell only guards against slips of the
# pen.

# %%
for m in range(2, 20):
    for ratio in (F(1), F(11, 10), F(2), F(7)):
        weights = counting.dual_weights(m, ratio)
        assert sum(weights) == 1 and (right_side(m, ratio) == np.diag(weights)).all()

# %% [markdown]
# Drawn for seven counts, the multipliers form a staircase: each row carries its weight on its
# event, and each step away from the middle row divides it by $k$.

# %%
weights = counting.dual_weights(7, k)
inside = [[(i - 4) * (j - i) >= 0 for j in range(1, 8)] for i in range(1, 8)]
steps = np.where(inside, np.array(weights, dtype=float)[:, None], np.nan)

# %%
plt.figure(figsize=(5.6, 4.2)).add_subplot(xlabel="published number j", ylabel="row i of Q")
plt.imshow(steps, "Blues", vmin=0, extent=(0.5, 7.5, 7.5, 0.5))
for i, weight in enumerate(weights, start=1):
    plt.text(i, i, weight, ha="center", va="center", color="white" if i == 4 else "black")
plt.title("M = 7, k = 2: weight of row i on its event")
plt.colorbar(label="multiplier")
plt.show()

# %% [markdown]
# The library writes $P^*$ and the multipliers to a file. Its checker is a single file that imports
# the standard library and nothing else, so a sceptic can read all of it. We run it in an
# interpreter that sees no installed package, on the certificate as it is and on one that promises a
# little more than its multipliers prove.

# %%
folder = tempfile.TemporaryDirectory()
file = Path(folder.name) / "release.json"
certificates.write(best, certificates.problem(None, k, delta), file)

# %%
document = json.loads(file.read_text())
assert best.lower == best.upper == F(document["claim"]["error_lower"]) == F(1, 2)

# %%
for promise, status in (("1/2", 0), ("51/100", 1)):
    document["claim"]["error_lower"] = promise
    file.write_text(json.dumps(document))
    command = [sys.executable, "-IS", check.__file__, file.name]
    run = subprocess.run(command, cwd=folder.name, capture_output=True, text=True)
    print(run.stdout + run.stderr)
    assert run.returncode == status
folder.cleanup()

# %% [markdown]
# ## 5. A channel
# Now let what we send pass through a given stochastic matrix $T$. We choose $P$, the reader sees
# $Q = PT$. It is $Q$ that must be private and $Q_{ii}$ that should be large, but it is $P$ that
# must have no negative entries. The least worst-case error is $p_e^*(T)$.
#
# Two bounds are immediate. Since $Q$ is a private release, $p_e^*(T) \ge p_e^*$. Since $Q_{jj}$ is
# an average of column $j$ of $T$, $p_e^*(T) \ge l(T) = 1 - \min_j \max_i t_{ij}$.
#
# If $P^* T^{-1}$ has no negative entry, we send that, the reader receives $P^*$, and the channel
# **costs nothing**. Take a binary channel that flips one message in four, and $k = 2$:

# %%
flip = matrix([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]])
sent = channels.undisturbed(flip, F(2), F(0))
show(sent)

# %%
assert (product(sent, flip) == counting.release_matrix(2, F(2), F(0))).all()

# %% [markdown]
# The noise of the channel has become part of the noise that privacy asked for. This works until the
# channel alone is noisier than $P^*$: at $k = 3$ they are equal and we send the count as it is. At
# $k = 4$ we cannot, and the reader pays: $p_e^*(T) = l(T) = 1/4$ although $p_e^* = 1/5$.

# %%
assert (channels.undisturbed(flip, F(3), F(0)) == np.eye(2, dtype=int)).all()
assert channels.undisturbed(flip, F(4), F(0)).min() == F(-1, 10)
paid = optimum.least_error_behind(flip, F(4), F(0))

# %%
assert paid.lower == paid.upper == channels.assignment_error(flip) == F(1, 4)
assert counting.error(2, F(4), F(0)) == F(1, 5)

# %% [markdown]
# **Phase-shift keying.** The paper's own channel sends the eight counts as eight points on a
# circle, adds white Gaussian noise and decides for the nearest point. The signal-to-noise ratio is
# read as $E_s/N_0$ here; the paper does not say. The entries of $T$ are irrational, so they are
# enclosed in balls, and every $p_e^*(T)$ is enclosed between an exactly feasible release and
# exactly feasible multipliers.

# %%
psk = {db: channels.psk_matrix(8, arb(db)) for db in (0, 5, 10)}
epsilons = [n / 8 for n in range(1, 16)] + [n / 2 for n in range(4, 17)]
behind = optimum.least_error_behind_balls

# %%
brackets = {db: [behind(psk[db], arb(e).exp(), 0) for e in epsilons] for db in psk}
widest = max(found.gap for row in brackets.values() for found in row)
print(f"{3 * len(epsilons)} brackets, none wider than {float(widest):.0e}")

# %%
assert widest < F(1, 10**10)


# %%
def best_bound(db, epsilon):
    """Return the least of the repaired bounds of the paper."""
    found = channels.bounds(channels.psk_matrix(8, float(db)), math.exp(epsilon), 0.0)
    return min(found["u1"], found["u2"], found["u3"])


# %%
plot_errors("8-PSK, δ = 0", most=8)
for db, colour, mark in ((0, RED, "o"), (5, GREEN, "s"), (10, BLUE, "D")):
    upper = [float(found.upper) for found in brackets[db]]
    plt.plot(epsilons, upper, c=colour, marker=mark, ms=4, label=f"$p_e^*(T)$ at {db} dB")
    repaired = [best_bound(db, e) for e in epsilons]
    plt.plot(epsilons, repaired, c=colour, ls="--", lw=1.2, label=f"bound at {db} dB")
free = [counting.error(8, math.exp(e), 0.0) for e in epsilons]
plt.plot(epsilons, free, c=BLACK, marker="^", ms=4, lw=1, label="$p_e^*$, no channel")
plt.legend(ncols=2)
plt.show()

# %% [markdown]
# Each curve lies on $p_e^*$ for small $\varepsilon$, where privacy asks for more noise than the
# channel has, and flat on $l(T)$ for large $\varepsilon$, where the channel has more noise than
# privacy asks for. In between a linear program is needed. (The dashed bounds are the paper's, as
# repaired in the next section.) The first part ends where $P^* T^{-1}$ gets its first negative
# entry:

# %%
for db, end in ((0, 0.402034), (5, 1.381341), (10, 3.042056)):
    before, after = (channels.undisturbed(psk[db], arb(e).exp(), arb(0)) for e in (end, end + 1e-5))
    assert all(entry > 0 for entry in before[0]) and any(entry < 0 for entry in after[0])
    print(f"{db:2} dB costs nothing up to ε = {end:.5f} nats")

# %% [markdown]
# ## 6. A false bound
# The paper also bounds $p_e^*(T)$ from above without a linear program. Without privacy we would
# send the message that the channel most often turns into the count, a matrix $Q_T$ of zeros and
# ones. The third bound mixes it with the optimal release,
# $$G_3 = \beta\, Q_T + (1-\beta)\, P^*, \qquad u_3 = 1 - \min_i\,[G_3 T]_{ii},$$
# with the largest $\beta$, called $\beta_R$, that keeps $T_2 = \beta P^{*-1} Q_T T + (1-\beta) T$
# free of negative entries. The reader then sees $G_3 T = P^* T_2$, a private release that is
# processed further, so it is private. Try a small channel at $k = 3$:

# %%
noisy, zero = matrix([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]), F(0)
u3 = channels.assignment_mixing_error_as_printed(noisy, F(3), zero)
truth = optimum.least_error_behind(noisy, F(3), zero)
print(f"u3 = {u3}, but p_e*(T) = {truth.lower}")

# %%
assert u3 == F(1, 4) < F(1, 3) == truth.lower == truth.upper

# %% [markdown]
# An upper bound below the truth. No solver is needed to see it: no average of the entries $2/3$ and
# $1/3$ of the first column exceeds $2/3$, so every release through $T$ errs with probability at
# least $1/3$. What did $u_3$ do?

# %%
beta = channels.assignment_mixing_weight_as_printed(noisy, F(3), zero)
G3 = channels.assignment_mixing_matrix_as_printed(noisy, F(3), zero)
show([["β =", beta], *G3])

# %%
assert beta == 2 and G3.min() == F(-1, 4)

# %% [markdown]
# It used $\beta = 2$, and $G_3$ is no mechanism: nobody can send a message with probability
# $-\tfrac14$. The condition on $\beta$ looks after what the reader *sees*, which is even private,
# and forgets what the sender *does*. Since $P^* > 0$ and $Q_T$ has zeros, which become
# $(1-\beta)p^*_{ij}$, $G_3 \ge 0$ means exactly $\beta \le 1$. The repair is a cap,
# $\beta^* = \min(1, \beta_R)$. And it brings a gift: if $\beta_R \ge 1$, the repaired mixture is
# $Q_T$ itself, and the bound is $l(T)$, which no release can beat, so it is the optimum.

# %%
seen = product(G3, noisy)
assert path_delta(seen, F(3)) == 0 and seen.min() > 0
assert channels.assignment_mixing_weight(noisy, F(3), zero) == 1

# %%
assert channels.assignment_mixing_error(noisy, F(3), zero) == F(1, 3) == truth.lower

# %% [markdown]
# The flaw is not confined to toys. In the paper's own setting, 8-PSK at 0 dB, $\beta_R$ exceeds 1
# from $\varepsilon \approx 1.465$ on, and from there on the printed bound is too small. A picture
# is no proof, so one point is repeated in balls.

# %%
plot_errors("8-PSK at 0 dB, δ = 0: an upper bound below what it bounds", 4, 0.4, 0.9)
grid, floats = np.linspace(0.25, 4, 76), channels.psk_matrix(8, 0.0)
capped = [channels.assignment_mixing_error(floats, math.exp(e), 0.0) for e in grid]
printed = [channels.assignment_mixing_error_as_printed(floats, math.exp(e), 0.0) for e in grid]
certified = [float(found.lower) for found in brackets[0]]
plt.plot(epsilons, certified, c=BLACK, marker="o", ms=4, label="$p_e^*(T)$, certified")
plt.plot(grid, capped, c=BLUE, ls="--", lw=2, label="$u_3$ repaired, β ≤ 1")
plt.plot(grid, printed, c=RED, ls=":", lw=2.5, label="$u_3$ as printed")
plt.legend()
plt.show()

# %%
ball = channels.assignment_mixing_error_as_printed(psk[0], arb(1.5).exp(), arb(0))
assert ball < arb("0.572") and brackets[0][epsilons.index(1.5)].lower > F(576, 1000)

# %% [markdown]
# **The same slip, mirrored.** The first bound mixes $P^* T^{-1}$ with $P^*$, with a weight
# $\lambda^*$. The paper defines $\lambda^*$ as a maximum over $(0, 1]$ and then equates it with a
# minimum of ratios, which is not confined to $(0, 1]$. Take a channel that flips one message in
# ten, at $k = 2$:

# %%
clear = matrix([[F(9, 10), F(1, 10)], [F(1, 10), F(9, 10)]])
second_form = channels.mixing_weight_as_printed(clear, k, zero)
assert second_form == 8 and channels.mixing_weight(clear, k, zero) == 1
print("u1 with the second form:", channels.mixing_error_as_printed(clear, k, zero))

# %% [markdown]
# With $\lambda = 8$ the "bound" is $1/10$, below even $p_e^* = 1/3$ without any channel. This time
# the sender is fine and the reader is not: the mixture is the identity, so the reader sees $T$
# itself, and $T$ is not private at $k = 2$. One repair serves both: a weight of a mixture is at
# most 1. (`provedp show counting.third_upper_bound_holds` prints the ledger's record.)

# %%
undone, release = channels.undisturbed(clear, k, zero), counting.release_matrix(2, k, zero)
G1 = second_form * undone + (1 - second_form) * release
assert (G1 == np.eye(2, dtype=int)).all() and path_delta(clear, k) == F(7, 10)

# %%
assert channels.mixing_error(clear, k, zero) == counting.error(2, k, zero) == F(1, 3)

# %% [markdown]
# ## Exercises
# A first try at `counting-2`: another optimum for three counts.

# %%
grade("counting-2", [["1/2", "3/8", "1/8"], ["1/4", "1/2", "1/4"], ["1/8", "3/8", "1/2"]])

# %% [markdown]
# 1. `counting-1` The least error; 2. `counting-2` Another optimum; 3. `counting-3` A certificate of
# your own; 4. `counting-4` A false bound; 5. `counting-5` When a channel is free; 6. `counting-6`
# What to send; 7. `counting-7` Every size; 8. `counting-8` Not around the circle
