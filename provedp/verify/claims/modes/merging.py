"""Definition 6, Lemmas 21 and 22, Propositions A.4 and A.5, Theorem 4.5, Algorithm 3: merging."""

from hypothesis import strategies as st

from provedp.theory import privacy
from provedp.verify.claims.modes.instances.ward import is_pure_cover, ward, within_radius
from provedp.verify.claims.prelude import *

FEW = levels(12, 300)  # examples
DEVIATIONS = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=4)
NEARBY = st.fractions(-1, 1, max_denominator=9).map(lambda x: x / 4)


@published("modes paper, Lemma 21; Definition 6")
@proved()
def global_static_event_has_the_sum_of_the_tails() -> Finding:
    """If coverage fails with probability at most C n^(−2) and each of M local events with at most
    4n^(−4), then some of them fails with at most (C + 4M) n^(−2). (The first hypothesis is
    Proposition 4.4, which is refuted; a cover number of draws covers for certain.)
    """
    fails, cover, local, count, n = sympy.symbols("f c l M n", positive=True)
    bound = entails(
        [fails <= cover / n**2 + count * local, local * n**4 <= 4, n >= 1],
        fails * n**4 <= cover * n**2 + 4 * count,
    )
    last = entails([n >= 1], cover * n**2 + 4 * count <= (cover + 4 * count) * n**2)
    return all_of(bound, last)


@published("modes paper, Lemma 22")
@refuted(deviations=((Q(0), Q(1)), (Q(0), Q(1))), farthest=True)
def merged_point_keeps_the_error_of_its_parts(
    deviations: tuple[tuple[Q, ...], ...], farthest: bool
) -> Finding:
    """If each endpoint of a basin has a mean squared error of at most R, so has the average over
    any nonempty set C_j of them. (C_j depends on where the endpoints are: of two independent ones,
    each off by 0 or 1 with even odds, R = 1/2, the farther one has 3/4.)
    """
    first, second = deviations
    ends = [(a, b) for a in first for b in second]
    chosen = [max(a * a, b * b) if farthest else ((a + b) / 2) ** 2 for a, b in ends]
    worst = max(sum(a * a for a in one) / len(one) for one in deviations)
    return at_most(sum(chosen, start=Q(0)) / len(ends), worst)


@repairs(merged_point_keeps_the_error_of_its_parts)
@certified(
    deviations=st.tuples(DEVIATIONS, DEVIATIONS),
    farthest=st.just(False),
    examples=FEW,
)
def average_over_a_fixed_set_keeps_the_error(
    deviations: tuple[tuple[Q, ...], ...], farthest: bool
) -> Finding:
    """The average over a set that does not depend on the endpoints, such as all of I_j, has a mean
    squared error of at most R: here for two endpoints with any finite laws.
    """
    assume(not farthest, any(a for one in deviations for a in one))
    return merged_point_keeps_the_error_of_its_parts(deviations, farthest)


@published("modes paper, Lemma 22, the proof")
@proved()
def averaging_does_not_lengthen() -> Finding:
    """‖mean‖² ≤ mean of the ‖·‖² for any number of points: one more, b, takes the mean a of k to
    (ka + b)/(k + 1), whose square is at most (ka² + b²)/(k + 1), coordinate by coordinate.
    """
    k, a, b = sympy.symbols("k a b", real=True)
    return entails([k >= 1], (k * a + b) ** 2 <= (k * a**2 + b**2) * (k + 1))


@published("modes paper, Proposition A.4")
@proved()
def radius_merge_keeps_basins_apart() -> Finding:
    """Endpoints within h/4 of their modes are within h/2 of each other in a basin, and more than h
    apart between basins whose modes are more than (3/2)h apart; one more than (5/4)h off all modes
    is more than h from all of them. So the groups of a radius h that meet I_j are I_j.
    """
    a, b, apart, modes_apart, h = sympy.symbols("a b g m h", nonnegative=True)
    near = [4 * a <= h, 4 * b <= h, h > 0]
    return all_of(
        entails([*near, apart <= a + b], 2 * apart <= h),
        entails([*near, modes_apart <= apart + a + b, 2 * modes_apart > 3 * h], apart > h),
        entails([4 * a <= h, 4 * b > 5 * h, b <= apart + a, h > 0], apart > h),
    )


ENDPOINTS = st.lists(
    st.tuples(st.integers(0, 2), st.fractions(-1, 1, max_denominator=9)), min_size=1, max_size=9
)


@published("modes paper, Proposition A.4")
@certified(ends=ENDPOINTS, outside=st.booleans(), examples=FEW)
def radius_merge_is_pure(ends: list[tuple[int, Q]], outside: bool) -> Finding:
    """With modes at 0, 10 and 20, h = 4, endpoints within 1 of them and one at 26 or none, the
    greedy radius merge gives each basin that is met one group, which is all of its endpoints.
    """
    points = [10 * basin + off for basin, off in ends] + [Q(26)] * outside
    basins: list[int | None] = [basin for basin, _ in ends] + [None] * outside
    groups = within_radius(points, Q(4))
    found = {frozenset(group) for group in groups}
    met = {basin for basin, _ in ends}
    wanted = {frozenset(i for i, own in enumerate(basins) if own == basin) for basin in met}
    return equal(len(wanted - found), 0)


@published("modes paper, Proposition A.5")
@refuted(ends=((0, Q(0)), (0, Q(1, 2))), modes=2)
def ward_merge_is_pure(ends: tuple[tuple[int, Q], ...], modes: int) -> Finding:
    """Ward's clustering of endpoints that are within h/4 of their modes into M clusters has, for
    each mode, a cluster of its own endpoints. (The input is 'contained in' the endpoints of all
    basins: with none of one basin, the other is split and the mode has no cluster.)
    """
    points = [10 * basin + off for basin, off in ends]
    groups = ward(points, modes)
    pure = is_pure_cover(groups, [basin for basin, _ in ends], modes)
    return holds(pure, "each group is of one basin and each basin has a group")


@repairs(ward_merge_is_pure)
@certified(ends=ENDPOINTS, modes=st.just(3), examples=FEW)
def ward_merge_is_pure_if_all_basins_are_met(ends: list[tuple[int, Q]], modes: int) -> Finding:
    """If the input meets every basin and N h²/4 < (Δ_min − h/2)²/2, Ward's clusters are the basins:
    here for modes at 0, 10 and 20, h = 4, and up to 9 endpoints within 1 of them.
    """
    assume({basin for basin, _ in ends} == set(range(modes)))
    return ward_merge_is_pure(ends, modes)


@published("modes paper, Theorem 4.5: M̂ = {μ̂_1, …, μ̂_M}; Definition 6")
@refuted(ends=(Q(0), Q(1, 10), Q(100)), modes=1, radius=Q(1))
def merged_output_has_one_point_per_mode(ends: tuple[Q, ...], modes: int, radius: Q) -> Finding:
    """On the global good event the radius merge returns M points. (The event asks for a start in
    each basin, not for none elsewhere: one far out, where the score is 0, stays and is returned.)
    """
    return equal(Q(len(within_radius(list(ends), radius))), Q(modes))


@repairs(merged_output_has_one_point_per_mode)
@certified(
    ends=st.lists(NEARBY, min_size=1, max_size=8),
    modes=st.just(1),
    radius=st.just(Q(1)),
    examples=FEW,
)
def merged_output_of_contained_starts_has_one_point_per_mode(
    ends: list[Q], modes: int, radius: Q
) -> Finding:
    """With all starts in basins and all endpoints within h/4 of their modes the radius merge
    returns M points; both are hypotheses to add to the good event.
    """
    assume(all(4 * abs(end) <= radius for end in ends))
    return merged_output_has_one_point_per_mode(tuple(ends), modes, radius)


@published("modes paper, Theorem 4.5: the rate of the merged modes")
@open_(
    "Asymptotic, with unnamed constants; it needs the starts in the basins and the endpoints "
    "within h/4 of the modes, which the good event does not say, and averages over sets that do "
    "not depend on the endpoints. Its steps are claims of their own."
)
def merged_modes_converge_at_the_rate() -> Finding:
    """Up to a permutation each merged mode has Theorem 4.3's conditional mean squared error."""
    raise NotImplementedError


def _image(law: tuple[Q, ...], merged: tuple[int, ...]) -> list[Q]:
    """Return the law of the merged outcome 0 or 1."""
    pairs = list(zip(law, merged, strict=True))
    return [sum((mass for mass, place in pairs if place == j), start=Q(0)) for j in (0, 1)]


@published(
    "modes paper, Section 5.5; Algorithm 3; Algorithm 1, the merge", formula=privacy.hockey_stick
)
@certified(
    k=(Q(1), Q(3, 2)),
    p=((Q(1, 2), Q(1, 3), Q(1, 6)), (Q(1, 10), Q(2, 5), Q(1, 2))),
    merged=((0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 0, 0)),
)
def centres_are_post_processing(
    divergence: Formula, k: Q, p: tuple[Q, ...], merged: tuple[int, ...]
) -> Finding:
    """A function of released modes, such as merged centres, is no easier to tell apart than they
    are: the divergence of the images under any map is at most that of the laws. (Labels of the
    records are functions of the records too, and are not covered.)
    """
    q = (Q(1, 3), Q(1, 3), Q(1, 3))
    first, second = (_image(law, merged) for law in (p, q))
    whole = divergence(matrix([p])[0], matrix([q])[0], k)
    direct = sum((max(a - k * b, Q(0)) for a, b in zip(p, q, strict=True)), start=Q(0))
    image = divergence(matrix([first])[0], matrix([second])[0], k)
    return all_of(at_most(image, direct), equal(whole, direct))


@ours("modes paper, Section 5.5; Algorithm 3: the assignments")
@certified(centres=((Q(0), Q(10)), (Q(-5), Q(0), Q(5))), record=(Q(1),), other=(Q(9),))
def labels_tell_records_apart(centres: tuple[Q, ...], record: Q, other: Q) -> Finding:
    """The assignment y_i that Algorithm 3 may return is a function of X_i, not of the centres
    alone: at fixed centres it tells one record from another for certain, so it may be released for
    public points only.
    """
    labels = [min(range(len(centres)), key=lambda j: abs(x - centres[j])) for x in (record, other)]
    return negation(equal(Q(labels[0]), Q(labels[1])))
