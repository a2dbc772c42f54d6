"""Lemmas 17 to 20 and Proposition 4.4: do the draws stay in the basins, and reach all of them?"""

import math
from collections.abc import Callable
from functools import reduce

from provedp.theory.numbers import dyadic, maximum
from provedp.verify.claims.modes.instances.mixtures import NormalMixture, greedy_draws
from provedp.verify.claims.prelude import *

UNEQUAL = NormalMixture(Q(9, 10), Q(4))  # no valley below the lower mode outside the basins
SEPARATED = NormalMixture(Q(9, 10), Q(6))
REACHES = {
    UNEQUAL: (Q(17, 10), Q(62, 100)),
    SEPARATED: (Q(26, 10), Q(18, 10)),
}  # no basin is larger


@published("modes paper, Lemma 20: the inclusion")
@refuted(bits=128, law=UNEQUAL, place=Q(2), radius=Q(1, 20))
def competitors_are_inside_higher_basins(law: NormalMixture, place: Q, radius: Q) -> Finding:
    """A candidate outside all basins has less mass than those near any mode. (In 0.9 N(0, 1) + 0.1
    N(4, 1) the one at 2 is outside all basins, as ln p is convex there, and p(2) = 0.054 exceeds p
    near the lower mode, 0.040.)
    """
    assume(bool(law.log_curvature(place) > 0))
    near = [law.separation + Q(i, 50) for i in range(-12, 13)]
    lower = max((law.mass(z, radius) for z in near), key=lambda mass: dyadic(mass.mid()))
    return less(law.mass(place, radius), lower)


@repairs(competitors_are_inside_higher_basins)
@certified(
    bits=128, law=(SEPARATED,), place=tuple(Q(i, 20) for i in range(36, 85)), radius=(Q(1, 20),)
)
def competitors_are_inside_if_the_valley_is_low(law: NormalMixture, place: Q, radius: Q) -> Finding:
    """If p outside the basins is below all p(μ_j) (H1: here p ≤ 0.035 where ln p is convex, for 0.9
    N(0, 1) + 0.1 N(6, 1)), candidates outside have less mass than those near any mode.
    """
    assume(bool(law.log_curvature(place) > 0), bool(law.density(place) < ball(Q(35, 1000))))
    near = [law.separation + Q(i, 50) for i in range(-5, 6)]
    return less(law.mass(place, radius), [law.mass(z, radius) for z in near])


def _first(draws: list[Q], wanted: Callable[[Q], bool]) -> int:
    """Return the number of draws up to the first that is wanted; one more than all if none is."""
    return next((i for i, z in enumerate(draws, start=1) if wanted(z)), len(draws) + 1)


@published("modes paper, Proposition 4.4; Section 4.2.2")
@refuted(bits=128, law=UNEQUAL, radius=Q(1, 100), reach=Q(1, 5), draws=24)
def some_number_of_draws_stays_and_covers(
    law: NormalMixture, radius: Q, reach: Q, draws: int
) -> Finding:
    """Some number k of draws lies in the basins and reaches each. (In the limit of many records
    draws are greedy in the masses. For 0.9 N(0, 1) + 0.1 N(4, 1) and ρ_init = 0.2, the 16th is
    outside all basins, for any admissible radii, and the 20th is the first one in the lower basin.)
    """
    wide, narrow = REACHES[law]
    grid = [Q(-4) + radius / 7 + 2 * radius * i for i in range(int(14 / (2 * radius)))]
    found = greedy_draws(law, grid, radius, reach, draws)
    second = _first(found, lambda z: abs(z - law.separation) <= narrow)
    outside = _first(found, lambda z: abs(z) > wide and abs(z - law.separation) > narrow)
    return at_most(Q(second), Q(outside - 1))


@repairs(some_number_of_draws_stays_and_covers)
@certified(bits=128, law=(SEPARATED,), radius=(Q(1, 100),), reach=(Q(1, 5),), draws=(30,))
def draws_stay_and_cover_if_the_valley_is_low(
    law: NormalMixture, radius: Q, reach: Q, draws: int
) -> Finding:
    """If p outside the basins is below all p(μ_j) and k is between the numbers of draws that reach
    the lowest mode and that leave the basins, both hold: for 0.9 N(0, 1) + 0.1 N(6, 1), ρ = 0.2, k
    = 20 to 30.
    """
    wide, narrow = REACHES[law]
    top, span = law.density(law.separation), law.separation - narrow - wide
    assume(*(bool(law.density(wide + span * Q(i, 50)) < top) for i in range(51)))
    held = some_number_of_draws_stays_and_covers(law, radius, reach, draws)
    edges = [law.log_curvature(wide), law.log_curvature(law.separation - narrow)]
    return all_of(held, *(less(edge, ball(Q(-1, 2))) for edge in edges))


@ours("modes paper, Proposition 4.4: no basin is larger")
@certified(bits=128, law=(UNEQUAL,))
def basins_end_where_the_curvature_does(law: NormalMixture) -> Finding:
    """At 1.7 and at 4 − 0.62 the curvature of 0.9 N(0, 1) + 0.1 N(4, 1)'s log-density is above half
    of what it is at the modes, which are within 0.02 of 0 and 4, so by (10) no basin reaches so
    far.
    """
    findings = []
    wide, narrow = REACHES[law]
    for mode, edge in ((Q(0), wide), (law.separation, law.separation - narrow)):
        around = [law.log_curvature(mode + Q(i, 500)) for i in range(-10, 11)]
        findings += [less(curvature / 2, law.log_curvature(edge)) for curvature in around]
        ends = [law.slope_is_negative(mode + Q(sign, 50)) for sign in (-1, 1)]
        findings.append(holds(ends == [False, True], "the slope changes its sign at the mode"))
    return all_of(*findings)


@ours("modes paper, Proposition 4.4: at every large n")
@certified(bits=128, digits=(8, 12), draws=levels((10, 1000), (10, 100, 1000)), epsilon=(Q(1),))
def staying_and_covering_are_improbable(digits: int, draws: int, epsilon: Q) -> Finding:
    """For 0.9 N(0, 1) + 0.1 N(4, 1), h = 1/20 and n = 10⁸ or 10¹² records, Pr(all draws in basins,
    all basins reached) < 10⁻³ for k up to 1000 draws without reset: while the candidate at 2 is
    active, a draw near the lower mode has chance at most N e^(−λ gap), and only a draw outside the
    basins, within ρ ≤ 0.3 of 2, makes it inactive. Hoeffding's inequality bounds the utilities.
    """
    width, size = Q(1, 20), ball(10) ** digits
    near = [UNEQUAL.separation + Q(i, 50) for i in range(-31, 32)]
    lower = reduce(maximum, (UNEQUAL.mass(z, width) for z in near))
    gap = UNEQUAL.mass(Q(2), width) - lower
    slack, candidates = gap / 4, 400
    tail = 2 * candidates * (-2 * size * slack**2).exp()
    draw = candidates * (-size * ball(epsilon) / (2 * draws) * (gap - 2 * slack)).exp()
    return less(tail + draws * draw, ball(Q(1, 1000)))


@published("modes paper, Proposition 4.4, the proof: the choice of k")
@refuted(points=tuple(Q(i) for i in range(0, 24, 3)), reach=Q(1))
def number_of_draws_can_be_chosen(points: tuple[Q, ...], reach: Q) -> Finding:
    """With P candidates more than 2ρ apart and a cover of the competitive sets, which hold them, by
    balls of radius ρ/2, some k meets both k ≥ N_cover + M and k ≤ P/2. (A ball of radius ρ/2 holds
    at most one of the P, so that N_cover ≥ P: no k does.)
    """
    apart = min(b - a for a, b in zip(points, points[1:], strict=False))
    assume(apart > 2 * reach)
    cover = 0
    left = list(points)
    while left:
        left = [point for point in left if point > left[0] + reach]
        cover += 1
    return at_most(Q(cover + 1), Q(len(points), 2))


@repairs(number_of_draws_can_be_chosen)
@certified(points=(tuple(Q(i, 4) for i in range(9)),), reach=(Q(1, 4),))
def cover_number_of_draws_covers(points: tuple[Q, ...], reach: Q) -> Finding:
    """Coverage alone needs no such choice: as many draws as balls of radius ρ/2 cover the
    candidates with leave none active, so each candidate is within ρ of a draw, in every order of
    draws.
    """
    assume(len(points) >= 9)
    spread = points[-1] - points[0]
    most = math.ceil((spread + reach / 1) / reach)
    orders = [points, points[::-1], points[::2] + points[1::2], points[4:] + points[:4]]
    findings = []
    for order in orders:
        left, drawn = list(order), list[Q]()
        while left:
            drawn.append(left[0])
            left = [point for point in left if abs(point - drawn[-1]) > reach]
        gaps = [min(abs(point - draw) for draw in drawn) for point in points]
        findings += [at_most(Q(len(drawn)), Q(most)), at_most(max(gaps), reach)]
    return all_of(*findings)
