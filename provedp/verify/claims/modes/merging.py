"""Definition 6, Lemmas 21 and 22, Propositions A.4 and A.5, Theorem 4.5, Algorithm 3: merging."""

from hypothesis import strategies as st

from provedp.theory import privacy
from provedp.verify.claims.modes.instances.ward import pure_basins, ward, within_radius
from provedp.verify.claims.prelude import *

FEW = levels(12, 300)  # examples
DEVIATIONS = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=1, max_size=4)
NEARBY = st.fractions(-1, 1, max_denominator=9).map(lambda x: x / 4)


@published(Source(MODES, "Lemma 21"), Source(MODES, "Definition 6"))
@proved(argued=())
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


@published(Source(MODES, "Lemma 22"), defect=Defect.FALSE)
@machine_checked("witnesses.merged_point_loses_the_error_of_its_parts")
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


@repairs(merged_point_keeps_the_error_of_its_parts, rests_on=("modes.averaging_does_not_lengthen",))
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


@published(Source(MODES, "Lemma 22", "the proof"))
@machine_checked("means.averaging_does_not_lengthen")
@proved(argued=("induction on the number of points, of which the step is decided; coordinates",))
def averaging_does_not_lengthen() -> Finding:
    """‖mean‖² ≤ mean of the ‖·‖² for any number of points: one more, b, takes the mean a of k to
    (ka + b)/(k + 1), whose square is at most (ka² + b²)/(k + 1), coordinate by coordinate.
    """
    k, a, b = sympy.symbols("k a b", real=True)
    return entails([k >= 1], (k * a + b) ** 2 <= (k * a**2 + b**2) * (k + 1))


@published(Source(MODES, "Proposition A.4"))
@proved(
    argued=(
        "a group is what is within h of its first point, or a chain of steps of at most h: either "
        "way none leaves or enters I_j, and all of I_j is together",
    )
)
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


@published(Source(MODES, "Proposition A.4"), rests_on=(radius_merge_keeps_basins_apart,))
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


@published(Source(MODES, "Proposition A.5", "the proof"))
@proved(
    argued=(
        "means of points within h/4 of a mode are within h/4 of it; modes of means are no nearer",
        "Ward's rule merges the pair of least linkage: as long as there are more than M clusters, "
        "two are of one basin, so that no merge crosses basins; with M left each basin has one",
    )
)
def ward_linkage_is_smaller_within_a_basin() -> Finding:
    """Clusters of a and b endpoints of one basin with at most N have linkage ab/(a + b) ‖·‖² ≤ N
    h²/16, clusters of two basins at least (Δ − h/2)²/2 for Δ ≥ h/2. If N h²/16 < (Δ − h/2)²/2,
    which the paper's N h²/4 < (Δ − h/2)²/2 implies, all merges within basins come before any
    across: if each basin is met, M clusters are the basins.
    """
    a, b, most, h, apart, gap = sympy.symbols("a b N h D g", positive=True)
    factor = a * b / (a + b)
    left, right = sympy.symbols("u v", nonnegative=True)
    return all_of(
        entails([a + b <= most], 4 * a * b <= most * (a + b)),
        entails([left <= h / 4, right <= h / 4, gap <= left + right], 4 * gap**2 <= h**2),
        entails([4 * factor <= most, 4 * gap**2 <= h**2], factor * gap**2 <= most * h**2 / 16),
        entails([a >= 1, b >= 1], 2 * a * b >= a + b),
        entails(
            [2 * factor >= 1, gap >= apart - h / 2, 2 * apart >= h],
            factor * gap**2 >= (apart - h / 2) ** 2 / 2,
        ),
        entails(
            [most * h**2 / 4 < (apart - h / 2) ** 2 / 2],
            most * h**2 / 16 < (apart - h / 2) ** 2 / 2,
        ),
    )


@published(Source(MODES, "Proposition A.5"), defect=Defect.DEGENERATE)
@refuted(ends=((0, Q(0)), (0, Q(1, 2)), (1, Q(0))), given=(0, 1), modes=2)
def ward_merge_is_pure(
    ends: tuple[tuple[int, Q], ...], given: tuple[int, ...], modes: int
) -> Finding:
    """Where every basin has an endpoint and all are within h/4 of their modes, Ward's clustering of
    an input set that is contained in them into M clusters has, for each mode, a cluster of its own
    endpoints. (Taken literally, 'contained in' allows an input without any endpoint of one basin:
    another basin is split and that mode has no cluster.)
    """
    assume({basin for basin, _ in ends} == set(range(modes)))
    chosen = [ends[i] for i in given]
    points = [10 * basin + off for basin, off in chosen]
    groups = ward(points, modes)
    return equal(Q(pure_basins(groups, [basin for basin, _ in chosen])), Q(modes))


@repairs(ward_merge_is_pure, rests_on=(ward_linkage_is_smaller_within_a_basin,))
@certified(
    ends=st.lists(
        st.tuples(st.integers(0, 2), st.fractions(-1, 1, max_denominator=9)),
        min_size=3,
        max_size=12,
    ).map(tuple),
    given=st.lists(st.integers(0, 11), min_size=3, max_size=12, unique=True).map(tuple),
    modes=st.just(3),
    examples=levels(40, 160),
)
def ward_merge_is_pure_if_all_basins_are_met(
    ends: tuple[tuple[int, Q], ...], given: tuple[int, ...], modes: int
) -> Finding:
    """If the input meets every basin and N h²/4 < (Δ_min − h/2)²/2 for the N endpoints of the basin
    with most, Ward's clusters are the basins: here for modes at 0, 10 and 20, h = 4 and endpoints
    within 1 of them.
    """
    assume(max(given) < len(ends))
    met = [ends[i][0] for i in given]
    most, h, apart = max(met.count(basin) for basin in met), Q(4), Q(10)
    assume(set(met) == set(range(modes)), most * h**2 / 4 < (apart - h / 2) ** 2 / 2)
    return ward_merge_is_pure(ends, given, modes)


@published(
    Source(
        MODES,
        "Theorem 4.5",
        "M̂ = {μ̂_1, …, μ̂_M}, 'each point in the final merged estimator "
        "corresponds to some population mode'",
    ),
    Source(MODES, "Definition 6"),
    defect=Defect.FALSE,
)
@refuted(ends=((0, Q(0)), (0, Q(1, 10)), (None, Q(100))), modes=1, radius=Q(1))
def merged_output_has_one_point_per_mode(
    ends: tuple[tuple[int | None, Q], ...], modes: int, radius: Q
) -> Finding:
    """On the global good event the radius merge returns M points. (The event asks for a start in
    each basin, not for none elsewhere: one far out, where the score is 0, stays and is returned.)
    """
    assume(set(range(modes)) <= {basin for basin, _ in ends})
    points = [off if basin is None else 10 * basin + off for basin, off in ends]
    return equal(Q(len(within_radius(points, radius))), Q(modes))


@repairs(merged_output_has_one_point_per_mode, rests_on=(radius_merge_keeps_basins_apart,))
@certified(
    ends=st.lists(st.tuples(st.integers(0, 2), NEARBY), min_size=1, max_size=8).map(tuple),
    modes=st.integers(1, 3),
    radius=st.just(Q(1)),
    examples=levels(40, 400),
)
def merged_output_of_contained_starts_has_one_point_per_mode(
    ends: tuple[tuple[int | None, Q], ...], modes: int, radius: Q
) -> Finding:
    """With all starts in basins and all endpoints within h/4 of their modes, here one to three of
    them 10 radii apart, the radius merge returns M points; both are hypotheses to add to the good
    event.
    """
    basins = {basin for basin, _ in ends}
    assume(basins == set(range(modes)), all(4 * abs(off) <= radius for _, off in ends))
    return merged_output_has_one_point_per_mode(ends, modes, radius)


@published(
    Source(MODES, "Theorem 4.5", "the rate of the merged modes"),
    rests_on=(
        radius_merge_keeps_basins_apart,
        averaging_does_not_lengthen,
        ward_linkage_is_smaller_within_a_basin,
    ),
)
@proved(
    argued=(
        "given the starts I_j is fixed, and on the event below the merge's cluster is all of I_j",
        "Chebyshev's inequality for each endpoint, and a union over all k",
        "the merge event lies in the events of staying, so that its indicator is the smaller one",
    )
)
def merged_modes_converge_at_the_rate() -> Finding:
    """If all starts are in basins, each is met, E[‖x_T − μ_j‖² 1_stay | data] ≤ R for each start of
    basin j, and a path leaves with probability at most q, then all k paths stay and end within h/4
    of their modes but for a probability of kq + 16kR/h²; on that event there are M merged modes for
    a radius of h < (2/3) Δ_min, and E[‖μ̂_j − μ_j‖² 1] ≤ R: given the event, at most R/(1 − kq −
    16kR/h²). With R of order h^(2(β − 1)), R/h² is of order h^(2(β − 2)), which tends to 0. (As
    printed it asks for no start outside the basins, and averages over a set that the endpoints
    choose.)
    """
    rate, h, far, fails, count, leaves = sympy.symbols("R h p f k q", positive=True)
    mean, merged, given, good = sympy.symbols("m x y g", positive=True)
    beta = 2 + sympy.Symbol("b", positive=True)
    return all_of(
        entails([far * (h / 4) ** 2 <= rate], far <= 16 * rate / h**2),
        entails(
            [fails <= count * (leaves + far), far <= 16 * rate / h**2],
            fails <= count * leaves + 16 * count * rate / h**2,
        ),
        entails([merged <= mean, mean <= rate], merged <= rate),
        entails([given * good <= merged, merged <= rate], given <= rate / good),
        equal(h ** (2 * (beta - 1)) / h**2, h ** (2 * (beta - 2))),
        less(0, beta - 2),
    )


def _image(law: tuple[Q, ...], merged: tuple[int, ...]) -> list[Q]:
    """Return the law of the merged outcome 0 or 1."""
    pairs = list(zip(law, merged, strict=True))
    return [sum((mass for mass, place in pairs if place == j), start=Q(0)) for j in (0, 1)]


@published(
    Source(MODES, "Section 5.5"),
    Source(MODES, "Algorithm 3"),
    Source(MODES, "Algorithm 1", "the merge"),
    formula=privacy.hockey_stick,
)
@certified(
    k=(Q(1), Q(6, 5)),
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


@ours(Source(MODES, "Section 5.5"), Source(MODES, "Algorithm 3", "the assignments"))
@certified(centres=((Q(0), Q(10)), (Q(-5), Q(0), Q(5))), record=(Q(1),), other=(Q(9),))
def labels_tell_records_apart(centres: tuple[Q, ...], record: Q, other: Q) -> Finding:
    """The assignment y_i that Algorithm 3 may return is a function of X_i, not of the centres
    alone: at fixed centres it tells one record from another for certain, so it may be released for
    public points only.
    """
    labels = [min(range(len(centres)), key=lambda j: abs(x - centres[j])) for x in (record, other)]
    return negation(equal(Q(labels[0]), Q(labels[1])))
