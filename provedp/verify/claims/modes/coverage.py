"""Lemmas 17 to 20 and Proposition 4.4: do the draws stay in the basins, and reach all of them?"""

from collections.abc import Callable
from functools import reduce

from provedp.theory.numbers import maximum
from provedp.verify.claims.modes.instances.mixtures import NormalMixture, greedy_draws
from provedp.verify.claims.prelude import *

UNEQUAL = NormalMixture(Q(9, 10), Q(4))  # no valley below the lower mode outside the basins
SEPARATED = NormalMixture(Q(9, 10), Q(6))
REACHES = {
    UNEQUAL: (Q(17, 10), Q(62, 100)),
    SEPARATED: (Q(26, 10), Q(18, 10)),
}  # no basin is larger


def _outside(law: NormalMixture, place: Q) -> Finding:
    """Find whether ln p is convex at a place, so that no basin holds it."""
    return less(0, law.log_curvature(place))


@published(Source(MODES, "Lemma 20", "the inclusion"), defect=Defect.FALSE)
@refuted(bits=128, law=UNEQUAL, place=Q(2), radius=Q(1, 20))
def competitors_are_inside_higher_basins(law: NormalMixture, place: Q, radius: Q) -> Finding:
    """A candidate outside all basins has less mass than those near any mode. (In 0.9 N(0, 1) + 0.1
    N(4, 1) the one at 2 is outside all basins, as ln p is convex there, and p(2) = 0.054 exceeds p
    near the lower mode, 0.040.)
    """
    assume(_outside(law, place))
    near = [law.separation + Q(i, 50) for i in range(-12, 13)]
    lower = reduce(maximum, (law.mass(z, radius) for z in near))
    return less(law.mass(place, radius), lower)


@repairs(competitors_are_inside_higher_basins)
@certified(
    bits=128, law=(SEPARATED,), place=tuple(Q(i, 20) for i in range(36, 85)), radius=(Q(1, 20),)
)
def competitors_are_inside_if_the_valley_is_low(law: NormalMixture, place: Q, radius: Q) -> Finding:
    """If p outside the basins is below all p(μ_j), candidates outside have less mass than those
    near any mode: here for those of 0.9 N(0, 1) + 0.1 N(6, 1) where ln p is convex and p < 0.035,
    with p(6) > 0.039.
    """
    low, high = ball(Q(35, 1000)), ball(Q(39, 1000))
    assume(_outside(law, place), less(law.density(place), low))
    assume(less(high, law.density(law.separation)))
    near = [law.separation + Q(i, 50) for i in range(-5, 6)]
    return less(law.mass(place, radius), [law.mass(z, radius) for z in near])


@published(Source(MODES, "Lemma 20", "the number of balls that cover"))
@proved(
    argued=(
        "a box is cut into cubes axis by axis: the number is the product over axes",
        "a cube of side s lies in the ball of radius s √d/2 around its centre",
    )
)
def box_is_covered_by_few_balls() -> Finding:
    """Cubes of side s ≤ ρ/√d lie in balls of radius ρ/2. An axis of length W needs at most W√d/ρ +
    1 ≤ (W√d + R)/ρ of them for ρ ≤ R; all axes at most (W√d + R)^d ρ^(−d), which with ρ^d = c/ln n
    is (W√d + R)^d ln n/c. So at most L M log n balls of radius ρ/2 cover every competitive set.
    """
    root, side, reach, most, width, count = sympy.symbols("r s q R W N", positive=True)
    d, log = sympy.symbols("d l", positive=True)
    balls = ((width * root + most) / reach) ** d
    return all_of(
        entails([side * root <= reach], side * root / 2 <= reach / 2),
        entails(
            [count <= width * root / reach + 1, reach <= most],
            count * reach <= width * root + most,
        ),
        # ρ^d ln n = c
        equal(balls * (reach**d * log), (width * root + most) ** d * log),
    )


def _first(draws: list[Q], wanted: Callable[[Q], bool]) -> int:
    """Return the number of draws up to the first that is wanted; one more than all if none is."""
    return next((i for i, z in enumerate(draws, start=1) if wanted(z)), len(draws) + 1)


def _grid(radius: Q) -> list[Q]:
    """Return candidates from −4 to 10, none of them as far from a mode as another."""
    return [Q(-4) + radius / 7 + 2 * radius * i for i in range(int(14 / (2 * radius)))]


@published(Source(MODES, "Proposition 4.4"), Source(MODES, "Section 4.2.2"), defect=Defect.FALSE)
@refuted(bits=128, law=UNEQUAL, radius=Q(1, 100), reach=Q(1, 5), draws=24)
def some_number_of_draws_stays_and_covers(
    law: NormalMixture, radius: Q, reach: Q, draws: int
) -> Finding:
    """Some number k of draws lies in the basins and reaches each. (In the limit of many records
    draws are greedy in the masses. For 0.9 N(0, 1) + 0.1 N(4, 1) and ρ_init = 0.2, one of the first
    24 is outside all basins, for any admissible radii, before one is in the lower basin.)
    """
    wide, narrow = REACHES[law]
    found = greedy_draws(law, _grid(radius), radius, reach, draws)
    second = _first(found, lambda z: abs(z - law.separation) <= narrow)
    outside = _first(found, lambda z: abs(z) > wide and abs(z - law.separation) > narrow)
    return at_most(Q(second), Q(outside - 1))


@repairs(some_number_of_draws_stays_and_covers)
@certified(bits=128, law=(SEPARATED,), radius=(Q(1, 100),), reach=(Q(1, 5),), draws=(20, 30, 38))
def draws_stay_and_cover_if_the_valley_is_low(
    law: NormalMixture, radius: Q, reach: Q, draws: int
) -> Finding:
    """If p outside the basins is below all p(μ_j) and k is between the numbers of draws that reach
    the lowest mode and that leave the basins, both hold: for 0.9 N(0, 1) + 0.1 N(6, 1), ρ = 0.2,
    all of k = 20 to 38, as 20 draws reach both modes and 38 leave no basin.
    """
    wide, narrow = REACHES[law]
    low, high, top = wide, law.separation - narrow, law.density(law.separation)
    ends = [ball(low + (high - low) * Q(i, 200)) for i in range(201)]
    cells = [a.union(b) for a, b in zip(ends, ends[1:], strict=False)]
    assume(*(less(law.density(cell), top) for cell in cells))
    found = greedy_draws(law, _grid(radius), radius, reach, draws)
    lower = _first(found, lambda z: abs(z - law.separation) <= narrow)
    outside = _first(found, lambda z: abs(z) > wide and abs(z - law.separation) > narrow)
    edges = [law.log_curvature(wide), law.log_curvature(law.separation - narrow)]
    return all_of(
        at_most(lower, 20), less(draws, outside), *(less(edge, ball(Q(-1, 2))) for edge in edges)
    )


@ours(Source(MODES, "Proposition 4.4", "no basin is larger"))
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
        findings.append(less(0, law.slope(mode - Q(1, 50))))
        findings.append(less(law.slope(mode + Q(1, 50)), 0))
    return all_of(*findings)


@ours(Source(MODES, "Proposition 4.4", "at every large n"))
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


@published(Source(MODES, "Proposition 4.4", "the proof: the choice of k"), defect=Defect.GAP)
@refuted(points=tuple(Q(i) for i in range(0, 24, 3)), reach=Q(1))
def number_of_draws_can_be_chosen(points: tuple[Q, ...], reach: Q) -> Finding:
    """With P candidates more than 2ρ apart and a cover of the competitive sets, which hold them, by
    balls of radius ρ/2, some k meets both k ≥ N_cover + M and k ≤ P/2. (A ball of radius ρ/2 holds
    at most one of the P, so that N_cover ≥ P: no k does.)
    """
    apart = min(b - a for a, b in zip(points, points[1:], strict=False))
    assume(apart > 2 * reach)
    return at_most(Q(_intervals(points, reach) + 1), Q(len(points), 2))


@repairs(number_of_draws_can_be_chosen)
@proved(
    argued=(
        "pigeonhole: with at most one draw in each of N balls that hold all candidates, no more "
        "than N draws are made before none is active",
        "a candidate that is not active is within ρ of a draw: Algorithm 2 closes no others",
    )
)
def cover_number_of_draws_covers() -> Finding:
    """Coverage alone needs no such choice: as many draws as balls of radius ρ/2 cover the
    candidates with leave none active, in every order of draws, so that each is within ρ of a draw.
    Two points of a ball are at most ρ apart, and a draw is more than ρ from all before it, so no
    ball holds two draws.
    """
    a, b, apart, reach = sympy.symbols("a b g q", nonnegative=True)
    return entails([2 * a <= reach, 2 * b <= reach, apart <= a + b], sympy.Not(apart > reach))


@ours(Source(MODES, "Algorithm 2", "coverage in every order"))
@certified(
    cases=[
        dict(points=tuple(Q(i, 4) for i in range(9)), reach=Q(1, 4), balls=5),
        dict(points=tuple(Q(i, 4) for i in range(9)), reach=Q(1, 2), balls=3),
        dict(points=(Q(0), Q(1, 3), Q(1), Q(5, 4), Q(7, 4), Q(4)), reach=Q(1), balls=3),
    ]
)
def every_order_of_draws_covers(points: tuple[Q, ...], reach: Q, balls: int) -> Finding:
    """On a line, with that many balls of radius ρ/2 around candidates, all sequences of draws, each
    from the active candidates, end after at most as many draws, with each candidate within ρ.
    """
    ends = _sequences(points, points, reach)
    gaps = [min(abs(point - draw) for draw in end) for end in ends for point in points]
    return all_of(
        equal(_intervals(points, reach), balls),
        at_most(max(len(end) for end in ends), balls),
        at_most(max(gaps), reach),
    )


def _sequences(points: tuple[Q, ...], active: tuple[Q, ...], reach: Q) -> set[frozenset[Q]]:
    """Return the sets of draws with which all sequences end."""
    if not active:
        return {frozenset()}
    return {
        end | {draw}
        for draw in active
        for end in _sequences(points, tuple(z for z in active if abs(z - draw) > reach), reach)
    }


def _intervals(points: tuple[Q, ...], reach: Q) -> int:
    """Return how many intervals of length ρ, each from the least point left, hold all points."""
    left, count = sorted(points), 0
    while left:
        left = [point for point in left if point > left[0] + reach]
        count += 1
    return count
