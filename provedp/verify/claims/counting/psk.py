"""Section VI: uncoded phase-shift keying over white Gaussian noise."""

import functools
import itertools

from flint import ctx

from provedp.theory import channels, counting
from provedp.theory.matrices import inverse
from provedp.verify.claims.counting.every_channel import (
    no_channel_helps_at_every_size,
    undone_channel_costs_nothing_at_every_size,
)
from provedp.verify.claims.prelude import *
from provedp.verify.solvers.channel.optimum import least_error_behind_balls

NO_LOSS = (undone_channel_costs_nothing_at_every_size,)  # if P* T⁻¹ ≥ 0
PRECISION = 200  # bits
DECIBELS = (0, 5, 10, 15)


@functools.cache
def psk(m: int, decibels: int, convention: str = "symbol") -> Matrix:
    """Return the certified transition matrix at the working precision of these claims."""
    with ctx.workprec(PRECISION):
        return channels.psk_matrix(m, arb(decibels), convention)


@published(Source(COUNTING, "Section VI", "the structure of T"), formula=channels.psk_matrix)
@certified(bits=200, m=(2, 3, 4, 8), decibels=levels((0, 10), DECIBELS))
def psk_channel_is_doubly_stochastic(transition: Formula, m: int, decibels: int) -> Finding:
    """The transition matrix of M-PSK with the nearest-neighbour detector is a circulant, symmetric,
    stochastic matrix, hence doubly stochastic: to 10⁻⁴⁰ by ball arithmetic.
    """
    found = transition(m, arb(decibels))
    sums = [sum(line, start=arb(0)) for line in (*found, *found.T)]
    return all_of(
        close(sums, arb(1), tolerance=1e-40),
        close(found, found.T, tolerance=1e-40),
        *(
            close(found[i, j], found[0, (j - i) % m], tolerance=1e-40)
            for i in range(m)
            for j in range(m)
        ),
        less(0, found),
    )


@published(
    Source(COUNTING, "Section VI", "the exception of M = 2 and M = 4"), formula=channels.psk_row
)
@certified(bits=200, decibels=DECIBELS)
def two_and_four_points_have_closed_forms(row: Formula, decibels: int) -> Finding:
    """For M = 2 the error is erfc(√(E_s/N₀))/2; for M = 4, with p = erfc(√(E_s/2N₀))/2, the row is
    ((1 − p)², p(1 − p), p², p(1 − p)).
    """
    snr = arb(10) ** (arb(decibels) / 10)
    two = snr.sqrt().erfc() / 2
    p = (snr / 2).sqrt().erfc() / 2
    four = [(1 - p) ** 2, p * (1 - p), p**2, p * (1 - p)]
    lengths = equal([len(row(m, snr)) for m in (2, 4)], [2, 4])
    if not lengths.holds:
        return lengths
    return all_of(
        lengths,
        close(list(row(2, snr)), [1 - two, two], tolerance=1e-40),
        close(list(row(4, snr)), four, tolerance=1e-40),
    )


@published(Source(COUNTING, "Section VI", "'does not admit a closed-form expression'"))
@open_("'closed form' is not defined; with Owen's T function every entry is an explicit formula")
def other_sizes_have_no_closed_form() -> Finding:
    """Except for M = 2 and M = 4 the transition matrix of M-PSK has no closed form."""
    raise NotImplementedError


@ours(Source(COUNTING, "Section VI", "the transition matrix"), formula=channels.psk_row)
@certified(bits=200, decibels=DECIBELS)
def eight_points_have_gaussian_pairs(row: Formula, decibels: int) -> Finding:
    """For M = 8 sums of neighbouring entries are products of Gaussian probabilities: the detector
    of 4-PSK turned by π/8 sees t_0 + t_1 = Φ(a)Φ(b) with a, b = √(2 E_s/N₀) (cos, sin)(π/8).
    """
    snr = arb(10) ** (arb(decibels) / 10)
    found = row(8, snr)
    turn = arb.pi() / 8
    upper = [(-(snr.sqrt() * part)).erfc() / 2 for part in (turn.cos(), turn.sin())]
    return close(found[0] + found[1], upper[0] * upper[1], tolerance=1e-40)


@published(
    Source(COUNTING, "Section VI", "the high-privacy regime"),
    Source(COUNTING, "Theorem 2", "statement 3"),
    rests_on=NO_LOSS,
)
@certified(bits=200, decibels=DECIBELS, part=range(8))
def high_privacy_costs_nothing(decibels: int, part: int) -> Finding:
    """For 8-PSK and small ε, δ = 0, uncoded transmission is optimal: T is invertible and doubly
    stochastic, and P* T⁻¹ ≥ 0 for every ε in [0, 1/10], on eight intervals, at each of 0, 5, 10 and
    15 dB.
    """
    start = arb(part).union(arb(part + 1)) / 80
    return at_most(0, channels.undisturbed(psk(8, decibels), start.exp(), arb(0)))


CROSSINGS = {
    0: Q(402034571, 10**9),
    5: Q(1381341308, 10**9),
    10: Q(3042056066, 10**9),
    15: Q(6748642933, 10**9),
}
SATURATION = {0: Q(14426, 10**4), 5: Q(30782, 10**4), 10: Q(78649, 10**4), 15: Q(231738, 10**4)}


@ours(Source(COUNTING, "Section VI", "the high-privacy regime"))
@certified(bits=200, decibels=DECIBELS)
def loss_begins_at_a_known_epsilon(decibels: int) -> Finding:
    """For 8-PSK, δ = 0, uncoded transmission stops being optimal between ε₀ and ε₀ + 10⁻⁸, with
    ε₀ = 0.402034571, 1.381341308, 3.042056066, 6.748642933 at 0, 5, 10, 15 dB: P* T⁻¹ is
    non-negative at the one and has a negative entry at the other, which costs something as T is a
    circulant.
    """
    start = ball(CROSSINGS[decibels])
    before, after = (
        channels.undisturbed(psk(8, decibels), epsilon.exp(), arb(0)).ravel()
        for epsilon in (start, start + arb(10) ** -8)
    )
    least = functools.reduce(lambda a, b: a.min(b), after)
    return all_of(at_most(0, before), less(least, 0))


@published(Source(COUNTING, "Section VI", "'no gain beyond 10 dB' for ε ≤ 2"), rests_on=NO_LOSS)
@certified(bits=200, part=range(64), convention=("symbol", "bit"))
def ten_decibels_suffice(part: int, convention: str) -> Finding:
    """For 8-PSK and ε ≤ 2 there is no gain in p_e*(T) from an SNR beyond 10 dB, if that is E_s/N₀
    (the paper calls E_s the symbol energy) or E_b/N₀: P* T⁻¹ ≥ 0 for every ε in [0, 2], so that
    p_e*(T) = p_e*, the bound for every T; by ball arithmetic on 64 intervals, where the entries are
    (kernel row) T⁻¹ times a positive factor.
    """
    middle, reach = arb(2 * part + 1) / 64, arb(1) / 64
    epsilon = arb(middle.mid(), reach.upper())
    powers = [(-epsilon * distance).exp() for distance in (0, 1, 2, 3, 4, 3, 2, 1)]
    undo = inverse(psk(8, 10, convention))[0]
    row = [sum((powers[j] * undo[(i - j) % 8] for j in range(8)), start=arb(0)) for i in range(8)]
    return at_most(0, row)


@ours(Source(COUNTING, "Section VI", "'no gain beyond 10 dB', with another SNR"))
@certified(bits=200)
def ten_decibels_per_dimension_do_not_suffice() -> Finding:
    """If SNR were E_s over the noise variance in each real dimension, 10 dB would not suffice:
    8-PSK has p_e*(T) − p_e* > 0.015 at ε = 2 there.
    """
    k = ball(Q(2)).exp()
    best = least_error_behind_balls(psk(8, 10, "dimension"), k, Q(0))
    return less(ball(Q(15, 1000)), ball(best.lower) - counting.error(8, k, arb(0)))


@published(
    Source(COUNTING, "Section VI", "the curves saturate at l(T)"),
    formula=channels.assignment_error,
)
@certified(bits=200, decibels=DECIBELS)
def error_saturates_at_the_channel(error: Formula, decibels: int) -> Finding:
    """For 8-PSK the error is l(T) from some ε on: Q_T = I, and T itself is private at ε = 1.4426,
    3.0782, 7.8649, 23.1738 for 0, 5, 10, 15 dB, but not at 10⁻⁴ less.
    """
    table = psk(8, decibels)
    largest = functools.reduce(
        lambda a, b: a.max(b),
        [
            table[i, j] / table[n, j]
            for i in range(8)
            for n in (i - 1, i + 1)
            if 0 <= n < 8
            for j in range(8)
        ],
    )
    least = ball(SATURATION[decibels])
    return all_of(
        equal(channels.assignment(table), [[int(i == j) for j in range(8)] for i in range(8)]),
        close(error(table), 1 - table[0, 0], tolerance=1e-40),
        at_most(largest.log(), least),
        less(least - arb(1) / 10**4, largest.log()),
    )


@published(
    Source(COUNTING, "Section VI", "'increasing the SNR brings the curves closer to p_e*'"),
    rests_on=(no_channel_helps_at_every_size, *NO_LOSS),
)
@certified(
    bits=200,
    epsilon=levels((Q(1), Q(3)), (Q(1, 2), Q(1), Q(2), Q(3), Q(5))),
    delta=(Q(0), Q(1, 20)),
)
def more_power_does_not_hurt(epsilon: Q, delta: Q) -> Finding:
    """For 8-PSK p_e*(T) does not grow from 0 to 5 to 10 to 15 dB, at each ε tried; nor does δ =
    1/20 change that. Where P* T⁻¹ ≥ 0 at the higher power, p_e*(T) is p_e* there, which it never
    falls below; elsewhere the enclosures of the two powers are apart.
    """
    return all_of(
        *(_is_no_worse(low, high, epsilon, delta) for low, high in itertools.pairwise(DECIBELS))
    )


def _is_no_worse(low: int, high: int, epsilon: Q, delta: Q) -> Finding:
    """Find that p_e*(T) at `high` decibels is at most that at `low`."""
    k = ball(epsilon).exp()
    undone = at_most(0, channels.undisturbed(psk(8, high), k, ball(delta)))
    if undone.holds:
        return undone
    less_power, more_power = (least_error_behind_balls(psk(8, d), k, delta) for d in (low, high))
    return at_most(more_power.upper, less_power.lower)


@published(Source(COUNTING, "Figure 2"))
@open_("the figure is not part of the text; its curves follow from the claims on p_e*(T)")
def figure_two_is_as_drawn() -> Finding:
    """Figure 2 shows p_e*(T) for 8-PSK, δ = 0, at several SNRs, and the bound of Proposition 1."""
    raise NotImplementedError


@ours(
    Source(COUNTING, "Section VI"),
    Source(COUNTING, "Proposition 1", "u₁"),
    formula=channels.mixing_error_as_printed,
)
@certified(
    bits=200,
    cases=[
        {"epsilon": Q(1, 10), "found": Q("0.7245"), "free": Q("0.8485")},
        {"epsilon": Q(2), "found": Q("0.1728"), "free": Q("0.2382")},
    ],
)
def first_upper_bound_fails_in_the_papers_setting(
    error: Formula, epsilon: Q, found: Q, free: Q
) -> Finding:
    """The printed quotient for λ* fails inside the paper's own example, in the regime of its main
    message: 8-PSK at 10 dB, δ = 0, ε = 1/10 gives u₁ = 0.7245… < p_e* = 0.8485… ≤ p_e*(T), and
    ε = 2 gives 0.1728… < 0.2381…: where P* T⁻¹ > 0, the quotient exceeds 1.
    """
    table, k = psk(8, 10), ball(epsilon).exp()
    least = counting.error(8, k, arb(0))
    return all_of(
        less(0, channels.undisturbed(table, k, arb(0))),
        less(1, channels.mixing_weight_as_printed(table, k, arb(0))),
        less(error(table, k, arb(0)), least),
        close(error(table, k, arb(0)), ball(found), tolerance=5e-5),
        close(least, ball(free), tolerance=5e-5),
    )


@ours(
    Source(COUNTING, "Section VI"),
    Source(COUNTING, "Proposition 1", "u₃"),
    formula=channels.assignment_mixing_error_as_printed,
)
@certified(bits=200)
def third_upper_bound_fails_in_the_papers_setting(error: Formula) -> Finding:
    """The refutation of u₃ is inside the paper's own example: 8-PSK at 0 dB, ε = 3/2, δ = 0 gives
    the printed u₃ = 0.571855… below p_e*(T) = l(T) = 0.576905….
    """
    table = psk(8, 0)
    k = ball(Q(3, 2)).exp()
    found = error(table, k, arb(0))
    return all_of(
        less(found, channels.assignment_error(table)),
        close(found, ball(Q(571855243182278, 10**15)), tolerance=1e-14),
        close(channels.assignment_error(table), ball(Q(576905577321769, 10**15)), tolerance=1e-14),
    )
