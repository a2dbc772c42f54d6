"""Section IV-C, (30)–(34), the scalable variant, and Section V-E: features in a ball."""

from provedp.theory import mixture
from provedp.theory.mixture import LabelledData
from provedp.verify.claims.prelude import *

bound, epsilon, delta = sympy.symbols("B epsilon delta", positive=True)
count = sympy.Symbol("N", integer=True, positive=True)
size = sympy.Symbol("N", positive=True)  # the same as a real, which z3 decides
# Squared norms of two vectors and their inner product, in any dimension.
xx, yy, xy = sympy.symbols("xx yy xy", real=True)
IN_BALL = [xx >= 0, yy >= 0, xx <= bound**2, yy <= bound**2, xy**2 <= xx * yy]


@published(
    Source(MIXTURE, "eq. (30)"),
    Source(MIXTURE, "eq. (32)"),
    formula=mixture.feature_change_sensitivity,
    survivors={"of the other sign": "the sensitivity is squared"},
)
@machine_checked(
    "sensitivities.changing_features_moves_a_mean",
    "sensitivities.changing_features_attains_the_move",
)
@proved(argued=("Cauchy's inequality, ⟨x, x′⟩² ≤ |x|²|x′|²",))
def changing_features_moves_a_mean_by_so_much(sensitivity: Formula) -> Finding:
    """If one record of a class changes from x to x′ within the ball of radius B, its mean moves by
    (x − x′)/N_k, at most 2B/N_k, in any dimension: |x − x′|² = |x|² + |x′|² − 2⟨x, x′⟩ ≤ 4B². It is
    attained by x′ = −x on the sphere.
    """
    found = sensitivity(bound, count)
    square = xx + yy - 2 * xy
    opposite = square.subs({yy: bound**2, xy: -(bound**2), xx: bound**2})
    old, new, others = sympy.symbols("x y s", real=True)  # one coordinate
    return all_of(
        equal((others + old) / count - (others + new) / count, (old - new) / count),
        entails(IN_BALL, square <= 4 * bound**2),
        equal(opposite / count**2, found**2),
    )


@published(
    Source(MIXTURE, "eq. (33)"),
    Source(MIXTURE, "eq. (34)"),
    formula=mixture.feature_change_variance,
    rests_on=(changing_features_moves_a_mean_by_so_much,),
)
@proved(
    argued=(
        "‖Γ‖₂ is one over the least eigenvalue of Γ⁻¹, and ΔᵀΓΔ ≤ ‖Γ‖₂ |Δ|²",
        "(33) is Lemma 1's condition for (ε_k, δ) in the place of (ε_k, δ/2)",
    )
)
def isotropic_bound_is_the_condition_on_the_mean(variance: Formula) -> Finding:
    """(33), 4B²‖Γ‖₂ ≤ ε_k²N_k²/(2 ln(2/δ)), is (34), Γ⁻¹ ⪰ v I with v = 8B² ln(2/δ)/(N_k² ε_k²),
    since ‖Γ‖₂ ≤ 1/v exactly if Γ⁻¹ ⪰ v I; and it bounds ΔᵀΓΔ ≤ ‖Γ‖₂ |Δ|² for every Δ of (32).
    """
    found = variance(bound, count, epsilon, delta)
    norm, v, b, moved, form = sympy.symbols("norm v b moved form", positive=True)
    return all_of(
        equal(4 * bound**2 / found, epsilon**2 * count**2 / (2 * sympy.log(2 / delta))),
        entails([norm <= 1 / v], 4 * b**2 * norm <= 4 * b**2 / v),
        entails([4 * b**2 * norm <= 4 * b**2 / v], norm <= 1 / v),
        entails([form <= norm * moved, moved <= 4 * b**2, norm <= 1 / v], form <= 4 * b**2 / v),
    )


@published(
    Source(MIXTURE, "Section V-E", "'proportional to B²'"),
    formula=mixture.feature_change_variance,
    survivors={
        "times 1 + 1e-4; times 1 − 1e-4; doubled; halved": "a multiple is proportional to B² too"
    },
)
@proved(argued=())
def record_level_noise_grows_with_the_square_of_the_bound(variance: Formula) -> Finding:
    """For fixed class sizes and budgets the bound (34) on Γ_k⁻¹ is proportional to B²: at cB it is
    c² times as large, so a smaller B asks for less noise.
    """
    factor = sympy.Symbol("c", positive=True)
    growth = sympy.Symbol("g", positive=True)
    small = 2 / (1 + growth)  # δ < 2, so that the logarithm is positive
    here, there = (variance(each, count, epsilon, delta) for each in (bound, factor * bound))
    return all_of(
        equal(there, factor**2 * here),
        less(0, sympy.diff(variance(bound, count, epsilon, delta), bound).subs(delta, small)),
    )


@published(
    Source(MIXTURE, "Section IV-C", "a scalable variant, 2B/(N_k − 1)"),
    formula=mixture.scalable_variance,
)
@machine_checked("means.scalable_variant_covers_every_flip")
@proved(argued=("Cauchy's inequality for the record and the mean, which is in the ball too",))
def scalable_variant_covers_every_flip(variance: Formula) -> Finding:
    """In the ball of radius B a label flip moves a class mean by at most 2B/(N_k − 1): a record
    that leaves by (x − m)/N_k, with m the mean of the others, one that joins by (x − μ_k)/(N_k +
    1). So Γ⁻¹ ⪰ 8B² ln(4/δ)/((N_k − 1)² ε_k²) I meets (10) for every flip.
    """
    found = variance(bound, count, epsilon, delta)
    square = xx + yy - 2 * xy
    loose = 4 * bound**2 / (size - 1) ** 2
    return all_of(
        entails([*IN_BALL, size >= 2], square / size**2 <= loose),
        entails([*IN_BALL, size >= 2], square / (size + 1) ** 2 <= loose),
        equal((2 * bound / (count - 1)) ** 2 / found, mixture.mean_budget(epsilon, delta)),
    )


@ours(Source(None, "how far a flip moves a class mean"), formula=mixture.leave_sensitivity)
@machine_checked("means.flips_move_means_by_so_much", "means.flips_attain_the_move")
@proved(argued=("Cauchy's inequality for the record and the mean, which is in the ball too",))
def flips_move_means_by_so_much(leave: Formula) -> Finding:
    """In the ball of radius B a class mean moves by at most 2B/N_k if a record leaves, and 2B/(N_k
    + 1) if one joins, in any dimension, and both are attained: by x on the sphere with all others
    at −x. So N_k does where the paper's variant has N_k − 1.
    """
    square = xx + yy - 2 * xy
    mean = (bound - (count - 1) * bound) / count  # of one record at B and the others at −B
    return all_of(
        entails(IN_BALL, square <= 4 * bound**2),
        equal((bound - mean) / (count - 1), leave(bound, count)),
        equal((bound - -bound) / (count + 1), mixture.join_sensitivity(bound, count)),
        entails([size >= 2], 2 * bound / (size + 1) < 2 * bound / size),
        entails([size >= 2], 2 * bound / size < 2 * bound / (size - 1)),
    )


@ours(Source(None, "how far a flip moves a class mean"), formula=mixture.join_sensitivity)
@certified(n=(3, 4, 9), radius=(Q(1), Q(5, 2)))
def bounds_on_moved_means_are_attained(join: Formula, n: int, radius: Q) -> Finding:
    """On data with all records but one at −B the displacements of the means are 2B/N_k for the
    class that the record leaves and 2B/(N_k + 1) for the one that it joins, and no smaller.
    """
    points = matrix([[radius], *([[-radius]] * (2 * n))])
    data = LabelledData(points, (0,) * (n + 1) + (1,) * n, 2)
    moved = [max(abs(step) for step in mixture.mean_displacements(data, k)[:, 0]) for k in (0, 1)]
    return equal(moved, [mixture.leave_sensitivity(radius, n + 1), join(radius, n)])


@ours(
    Source(None, "label flips and changed features on the same data"),
    formula=mixture.feature_change_sensitivity,
)
@certified(counts=((4, 4), (5, 3), (4, 5, 6)), radius=(Q(1), Q(5, 2)))
def label_flips_may_move_no_mean(change: Formula, counts: tuple[int, ...], radius: Q) -> Finding:
    """How far a flip moves means depends on the data: if all records are equal no flip moves any,
    and (10) asks for no noise at all, while one changed record moves its mean by up to 2B/N_k. With
    one record at −B a flip moves some mean.
    """
    labels = tuple(k for k, c in enumerate(counts) for _ in range(c))
    size = len(labels)
    equal_records, one_apart = (
        LabelledData(matrix([[first], *[[radius]] * (size - 1)]), labels, len(counts))
        for first in (radius, -radius)
    )
    furthest, moved = (
        [list(mixture.mean_displacements(data, k)[:, 0]) for k in range(len(counts))]
        for data in (equal_records, one_apart)
    )
    changed = mixture.class_means(equal_records) - mixture.class_means(one_apart)
    return all_of(
        *(equal(step, 0) for steps in furthest for step in steps),
        less(0, max(abs(step) for steps in moved for step in steps)),
        equal(changed[0, 0], change(radius, counts[0])),
    )


@ours(
    Source(None, "label flips and changed features over all data"),
    formula=mixture.feature_change_sensitivity,
    rests_on=(flips_move_means_by_so_much, changing_features_moves_a_mean_by_so_much),
)
@proved(argued=())
def label_flips_and_changes_move_means_equally_far(change: Formula) -> Finding:
    """Over all data in the ball, a record that leaves a class moves its mean as far as one that
    changes, by up to 2B/N_k, and one that joins less far: on the worst data label flips are as
    demanding as changed features, on given data they may be less so. What record-level privacy adds
    is the change of a record and its label at once, and of N.
    """
    return all_of(
        equal(change(bound, count), mixture.leave_sensitivity(bound, count)),
        less(mixture.join_sensitivity(bound, count), change(bound, count)),
    )


def _clipped(norm: Q, radius: Q, *, at_one: bool) -> Q:
    """Return the norm of a record after x ← x · min{B/|x|}, or x ← x · min{1, B/|x|}."""
    factor = radius / norm
    return norm * (min(Q(1), factor) if at_one else factor)


@published(Source(MIXTURE, "Section V-E", "x ← x · min{B/|x|}"), defect=Defect.MISPRINT)
@machine_checked("witnesses.clipping_as_printed_moves_small_records")
@refuted(norm=Q(1, 2), radius=Q(1))
def clipping_as_printed_leaves_small_records_alone(norm: Q, radius: Q) -> Finding:
    """Clipping by x ← x · min{B/|x|} makes (30) hold and changes only records outside the ball.

    It moves every record to the sphere of radius B, those inside it too.
    """
    found = _clipped(norm, radius, at_one=False)
    return all_of(at_most(found, radius), equal(found, min(norm, radius)))


@repairs(clipping_as_printed_leaves_small_records_alone)
@proved(argued=("x · B/|x| is the point of the ball that is nearest to an x outside",))
def clipping_by_at_most_one_projects_on_the_ball() -> Finding:
    """With min{1, B/|x|} a record inside the ball stays and any other goes to its nearest point on
    the sphere, so (30) holds.
    """
    norm, radius = sympy.symbols("r B", positive=True)
    factor = sympy.Min(1, radius / norm)
    return all_of(
        entails([norm <= radius], sympy.Eq(norm * factor, norm)),
        entails([norm > radius], sympy.Eq(norm * factor, radius)),
        entails([], norm * factor <= radius),
    )
