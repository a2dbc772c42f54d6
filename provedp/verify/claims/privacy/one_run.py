"""What one run of a private mechanism lets be guessed about the coins of its canaries.

Each of m canaries is in by a fair coin of its own; r coins are guessed from the output, V rightly.
"""

import itertools

from provedp.theory import privacy
from provedp.verify.claims.prelude import *
from provedp.verify.claims.references import MAHLOUJIFAR, STEINKE
from provedp.verify.solvers.check import OneRun, check_law, check_right_guesses
from provedp.verify.solvers.one_run import exact_certificate

PUBLISHED = Source(STEINKE, "the bound for (ε, δ)", "as its code has it")
RECURSION = Source(MAHLOUJIFAR, "the recursion of the audit")
hockey_stick: Formula = privacy.hockey_stick  # it reads lists of numbers too
CASES = ((1, 1, 1), (3, 2, 1), (3, 2, 2), (4, 4, 1), (4, 4, 3), (4, 4, 4), (7, 5, 4), (40, 12, 9))


@ours(Source(STEINKE, "the bound for (ε, 0)"))
@proved(
    argued=(
        "Bayes: the odds of a fair coin, given the output and the other coins, are at most k",
        "right guesses are coupled with independent ones one after the other",
    )
)
def right_guesses_are_below_independent_ones() -> Finding:
    """Of an (ln k, 0)-private mechanism right guesses are, given the output, below independent ones
    of chance q = k/(1 + k), jointly and in any order that the output fixes: p ≤ k (1 − p) is p ≤ q.
    So whatever the output decides (the number of guesses, thresholds, weights) is free.
    """
    p, k = sympy.symbols("p k", real=True)
    return entails([p <= k * (1 - p), k >= 1], p <= k / (1 + k))


def _laws(canaries: int) -> tuple[list[Any], list[list[Q]]]:
    """Return all coins, and the law of guesses for each: any of those not all wrong, uniformly."""
    coins = list(itertools.product((0, 1), repeat=canaries))
    share = Q(1, 2**canaries - 1)
    laws = [
        [
            share if any(a == b for a, b in zip(guess, each, strict=True)) else Q(0)
            for guess in coins
        ]
        for each in coins
    ]
    return coins, laws


@published(PUBLISHED, formula=privacy.one_run_published_bound, defect=Defect.FALSE)
@refuted(canaries=4, right=1, k=Q(1), delta=Q(1, 15))
def published_bound_on_right_guesses_holds(
    bound: Formula, canaries: int, right: int, k: Q, delta: Q
) -> Finding:
    """P(V ≥ v) ≤ f(v) + 2 m δ max_i (f(v − i) − f(v))/i for every (ln k, δ)-private mechanism and
    every v, f the tail of r guesses of chance k/(1 + k). (A guess drawn from those that are not all
    wrong is (0, 1/15)-private for m = 4, and has V ≥ 1 always; the formula says 233/240.)
    """
    coins, laws = _laws(canaries)
    apart = [
        hockey_stick(laws[i], laws[j], k)
        for i, first in enumerate(coins)
        for j, second in enumerate(coins)
        if sum(a != b for a, b in zip(first, second, strict=True)) == 1
    ]
    assume(max(apart) <= delta)
    chances = [
        sum(
            (p for p, guess in zip(law, coins, strict=True) if _right(guess, each) >= right),
            start=Q(0),
        )
        for each, law in zip(coins, laws, strict=True)
    ]
    return at_most(
        sum(chances, start=Q(0)) / len(coins), bound(canaries, canaries, right, k, delta)
    )


def _right(guess: Any, coins: Any) -> int:
    return sum(a == b for a, b in zip(guess, coins, strict=True))


@repairs(published_bound_on_right_guesses_holds)
@proved(
    argued=(
        "(ε, δ) for the event 'guess j is right, and the number of right ones is in I', averaged"
        " over j and the coins: Σ_i (i p_i − k (r − i + 1) p_{i−1})⁺ ≤ m δ",
        "summation by parts: P(V ≥ v) − B_v = Σ_i y_i (u_i − u_{i−1})",
        "induction on i, from below up to v and from above down to it",
    )
)
def right_guesses_are_bounded_exactly() -> Finding:
    """P(V ≥ v) ≤ B + m δ B (1 − B)/(v b) with r fixed beforehand, B and b tail and mass of r
    guesses of chance k/(1 + k) at v. With u_i = p_i/b_i, y_i = B_v (1 − B_i) up to v and
    (1 − B_v) B_i from there on: i p_i − k (r − i + 1) p_{i−1} = i b_i (u_i − u_{i−1}),
    y_{i+1} − y_i is b_i B_v below v and b_i (B_v − 1) from v on, and y_i/(i b_i) is largest at v,
    as (1 − B_i)/(i b_i) increases and B_i/(i b_i) decreases.
    """
    i, r, k, b, u, last = sympy.symbols("i r k b u last", positive=True)
    tail, whole = sympy.symbols("T B", real=True)
    before = i * b / (k * (r - i + 1))  # b_{i−1}
    gain = equal(i * u * b - k * (r - i + 1) * last * before, i * b * (u - last))
    below = equal(whole * (1 - (tail - b)) - whole * (1 - tail), b * whole)
    beyond = equal((1 - whole) * (tail - b) - (1 - whole) * tail, b * (whole - 1))
    return all_of(gain, below, beyond, *_largest_at_the_middle(), _no_more_than_the_largest())


def _largest_at_the_middle() -> list[Finding]:
    """Find the steps of both inductions; x = k (r − i + 1) and z = k (r − i) or one place on."""
    i, low, high, mass, x, z = sympy.symbols("i F G c x z", real=True)
    inside = [low >= 0, high >= 0, mass >= 0, x >= z, z >= 0, i >= 1]
    up = entails(
        [*inside, low * (i - 1) >= (low - mass) * x], low * i + x * mass >= low * z
    )  # mass = b_{i−1}, x mass = i b_i
    down = entails(
        [*inside, (high - mass) * (i + 1) <= high * z], high * i <= high * x + (i + 1) * mass
    )  # mass = b_{i+1}, (i + 1) mass = x b_i
    return [up, down]


def _no_more_than_the_largest() -> Finding:
    y, x, w, d = sympy.symbols("y x w d", real=True)
    inside = [y >= 0, x >= 0, w >= 0, y <= w * x]
    return entails(inside, y * d <= w * x * sympy.Max(d, 0))


@ours(PUBLISHED, formula=privacy.one_run_bound)
@certified(case=CASES, k=(Q(1), Q(3, 2), Q(4)), delta=(Q(0), Q(1, 1000), Q(1, 15), Q(1, 3)))
def right_guesses_attain_the_bound(bound: Formula, case: Any, k: Q, delta: Q) -> Finding:
    """That bound is attained: multipliers prove it, and a mechanism that makes so many random
    guesses right has it, is private for all outputs, and is a law.
    """
    canaries, guesses, right = case
    proof = exact_certificate(canaries, guesses, right, k, delta)
    run = OneRun(canaries, guesses, right, k, delta)
    value = bound(canaries, guesses, right, k, delta)
    multipliers = [Q(each) for each in proof["dual"]["z"]]
    law = [Q(each) for each in proof["primal"]["law"]]
    return all_of(
        equal(value, check_right_guesses(run, Q(proof["dual"]["base"]), multipliers)),
        equal(value, check_law(run, law)),
    )


@ours(Source(None, "numbers of guesses that the output decides"), formula=privacy.one_run_bound)
@refuted(canaries=1000, few=5, rare=Q(1, 50), delta=Q(1, 10**4))
def number_of_guesses_may_depend_on_the_output(
    bound: Formula, canaries: int, few: int, rare: Q, delta: Q
) -> Finding:
    """A claim of (0, δ) that is rejected when the bound for the guesses that were made is at most u
    is rejected with probability u at most if it is true. (A mechanism that names 5 coins rightly
    with probability 1/50, and else guesses all 1000 at random, is rejected 6.6 % of the time at
    u = 0.050625: its right guesses need 5 of 5, or 527 of 1000.)
    """
    assume(rare * few <= canaries * delta)  # naming 5 of 1000 coins: what one coin changes
    level = bound(canaries, few, few, Q(1), delta)
    least = _least(lambda right: bound(canaries, canaries, right, Q(1), delta), canaries, level)
    else_rejected = privacy.one_run_bound(canaries, canaries, least, Q(1), Q(0))
    return at_most(rare + (1 - rare) * else_rejected, level)


def _least(bound: Any, canaries: int, level: Q) -> int:
    """Return the least number of right guesses whose bound is at most this, by halves."""
    low, high = 0, canaries
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) <= level else (middle, high)
    return high


@repairs(number_of_guesses_may_depend_on_the_output)
@proved(
    argued=(
        "E (p − k (1 − p))⁺ ≤ δ: the hockey stick of each direction, halved by the fair coin",
        "right guesses are replaced by independent ones one after the other",
    )
)
def increasing_events_of_right_guesses_cost_little() -> Finding:
    """For increasing events A_T that the output chooses, each of chance at most u for independent
    guesses of chance q = k/(1 + k), the right guesses are in A_T with probability at most
    u + m δ/(1 + k): given the output and the coins before, a guess is right with probability p,
    and p − k (1 − p) = (1 + k)(p − q).
    """
    p, k = sympy.symbols("p k", positive=True)
    return equal(p - k * (1 - p), (1 + k) * (p - k / (1 + k)))


@ours(Source(None, "numbers of guesses that the output decides"), formula=privacy.one_run_bound)
@certified(case=CASES, k=(Q(1), Q(3, 2), Q(4)), delta=(Q(1, 1000), Q(1, 15)))
def fixed_numbers_of_guesses_cost_less(bound: Formula, case: Any, k: Q, delta: Q) -> Finding:
    """For a number of guesses that is fixed the exact bound is no more than that: B + m δ/(1 + k),
    and B at δ = 0.
    """
    canaries = case[0]
    tail = bound(*case, k, Q(0))
    return all_of(
        at_most(bound(*case, k, delta), tail + canaries * delta / (1 + k)),
        at_most(tail, bound(*case, k, delta)),
    )


@published(RECURSION)
@proved(
    argued=(
        "a trade-off curve for the event 'guess j is right, and more than i are', averaged over j"
        " and the coins with g concave: R_{i+1} ≤ g(H_i)",
        "induction on i from v down; R and H increase with P(V ≥ v)",
    )
)
def right_guesses_force_mass_below() -> Finding:
    """With R_i = Σ_{l ≥ i} (l/m) p_l and H_i = Σ_{l ≥ i} ((r − l)/m) p_l, H_i is at least g⁻¹ of
    R_{i+1} and at least H_{i+1}, and R_i = R_{i+1} + i/(r − i) (H_i − H_{i+1}); with H_i larger, so
    is R_i. At i = 0 both come to r/m.
    """
    i, r, m, p, upper, lower = sympy.symbols("i r m p R H", positive=True)
    here = lower + (r - i) / m * p
    forced, more, rest = sympy.symbols("h more c", nonnegative=True)
    grows = entails(
        [forced <= more], upper + rest * (forced - lower) <= upper + rest * (more - lower)
    )
    return all_of(
        equal(upper + i / (r - i) * (here - lower), upper + i / m * p),
        grows,
    )
