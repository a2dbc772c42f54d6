"""Why binned counts are private with δ = 0, and which of their peaks the noise cannot explain."""

import numpy as np

from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.exact.two_sided_geometric import TwoSidedGeometric
from provedp.mechanisms.modes.private import steps
from provedp.mechanisms.modes.private.bins import BinAxis, binned, bins_noise, bits_of
from provedp.mechanisms.modes.private.box import pure_box_ratio
from provedp.mechanisms.modes.private.settings import BOX_SHARE
from provedp.theory import modes
from provedp.theory.numbers import rational
from provedp.verify.claims.modes import private
from provedp.verify.claims.prelude import *
from provedp.verify.spending.laws import falls_as_it_says


@ours(Source(None, "PrivateModes", "parts that are products over coordinates"))
@machine_checked("records.parts_of_a_record_sum_to_the_same")
@proved(argued=("induction on the coordinates, of which the base and the step are decided",))
def parts_of_a_record_sum_to_the_same() -> Finding:
    """A record's parts at the two nodes around it are P − f and f, P in all; over d coordinates
    they multiply, and the sum over the 2^d nodes is P^d wherever the record is.
    """
    whole, part, total = sympy.symbols("P f S", real=True)
    return all_of(
        equal((whole - part) * total + part * total, whole * total),
        base_case(equal((whole - part) + part, whole)),
    )


@ours(Source(None, "counts that records are shared out among"), formula=modes.bins_sensitivity)
@machine_checked("records.parts_bound_what_one_record_moves", "records.parts_apart_attain_the_move")
@proved(argued=("a sum over nodes, node by node",))
def parts_bound_what_one_record_moves(sensitivity: Formula) -> Finding:
    """A record adds w ≥ 0 with Σ w = W: coming or going it moves the counts by W; replaced, since
    |a − b| ≤ a + b for a, b ≥ 0, by Σ |w − w′| ≤ 2W, which records without a common node attain.
    """
    a, b, whole = sympy.symbols("a b W", real=True)
    return all_of(
        entails([a >= 0, b >= 0], sympy.And(a - b <= a + b, b - a <= a + b)),
        equal(sensitivity("replace-one", whole), whole + whole),
        equal(sensitivity("add-remove", whole), whole),
    )


@ours(Source(None, "two-sided geometric noise", "its law"))
@machine_checked(
    "releases.two_sided_geometric_law_is_one",
    part="sums of finitely many probabilities, not the draw from a uniform number",
)
@proved(argued=("the geometric series",))
def two_sided_geometric_law_is_one() -> Finding:
    """The probabilities (k − 1)/(k + 1) k^(−|n|) sum to one, and |N| ≥ n ≥ 1 has 2k^(−n)/(1 + 1/k).

    So ⌊ln(V (1 + 1/k)/2)/ln(1/k)⌋ for a uniform V, with a fair sign, has this law.
    """
    k = sympy.Symbol("k", positive=True)
    n = sympy.Symbol("n", integer=True, positive=True)
    first, ratio = (k - 1) / (k + 1), 1 / k
    tail = 2 * first * ratio**n / (1 - ratio)  # Σ_{j ≥ n} of both sides
    return all_of(
        equal(first + 2 * first * ratio / (1 - ratio), 1),
        equal(tail, 2 * ratio**n / (1 + ratio)),
        equal(tail - tail.subs(n, n + 1), 2 * first * ratio**n),
    )


@ours(
    Source(None, "two-sided geometric noise", "as it is drawn"),
    formula=falls_as_it_says,
    rests_on=(two_sided_geometric_law_is_one,),
)
@certified(bits=128, ratio=(Q(1001, 1000), Q(3, 2), Q(10**9)))
def two_sided_geometric_draws_fall_as_they_say(falls: Formula, ratio: Q) -> Finding:
    """For 200 uniform numbers, small, large and ordinary ones, what is drawn is the quantile of the
    exact law, decided without logarithms.
    """
    noise, source = TwoSidedGeometric(ratio), np.random.default_rng(0)
    bits = 128
    ordinary = [int.from_bytes(source.bytes(bits // 8), "little") for _ in range(190)]
    edges = [2, 3, 1 << 64, (1 << 64) + 1, (1 << 127) + 1, (1 << 128) - 1, (1 << 128) - 2]
    drawn = [falls(noise, uniform, bits) for uniform in (*ordinary, *edges)]
    decided = [each for each in drawn if each is not None]
    return all_of(
        equal(Q(sum(decided)), Q(len(decided))),
        at_most(Q(180), Q(len(decided))),
    )


@ours(
    Source(None, "two-sided geometric noise", "on integers"),
    rests_on=(two_sided_geometric_law_is_one,),
)
@machine_checked("sensitivities.geometric_noise_hides_steps")
@proved(argued=("independent draws multiply, and what is made of them is post-processing",))
def geometric_noise_hides_steps() -> Finding:
    """x and x′ give y with probabilities of ratio k^(|y − x′| − |y − x|) ≤ k^|x − x′|, so that
    integers that one record moves by S in all are released with ratio k^S and δ = 0.
    """
    y, x, other = sympy.symbols("y x x1", real=True)
    steps, moved, k = sympy.symbols("s S k", positive=True)
    triangle = all_of(
        *(
            entails([], sympy.Abs(left) <= sympy.Abs(right) + sympy.Abs(x - other))
            for left, right in ((y - other, y - x), (y - x, y - other))
        )
    )
    return all_of(triangle, equal(k**steps * k ** (moved - steps), k**moved))


@ours(Source(None, "PrivateModes", "a step from each peak"), formula=modes.bins_sensitivity)
@machine_checked("slopes.a_record_moves_slopes_by_at_most_its_parts")
@proved(argued=("a sum over coordinates; a record is in one cube at most",))
def a_record_moves_slopes_by_at_most_its_parts(sensitivity: Formula) -> Finding:
    """In a step a record adds integers w of any sign, at one peak alone: W times a point with
    Σ |tᵢ| ≤ 1, cut towards zero. So Σ |w| ≤ W, and it moves the slopes by W at most, coming or
    going, and by Σ |w − w′| ≤ 2W if it is replaced.
    """
    a, b, whole, s, t, v, w = sympy.symbols("a b W s t v w", real=True)
    cut = [whole >= 0, s + t <= 1, v <= whole * s, w <= whole * t]
    return all_of(
        entails(cut, v + w <= whole),
        entails([], sympy.Abs(a - b) <= sympy.Abs(a) + sympy.Abs(b)),
        equal(sensitivity("replace-one", whole), whole + whole),
        equal(sensitivity("add-remove", whole), whole),
    )


@ours(
    Source(None, "two-sided geometric noise", "of which a part can be taken off"),
    rests_on=(two_sided_geometric_law_is_one,),
)
@proved(
    argued=(
        "generating functions that are equal around the circle belong to one law",
        "the noisier integers are a function of the others and of fresh coins: post-processing; "
        "what is asked then depends on what was seen alone",
    )
)
def geometric_noise_can_be_refined() -> Finding:
    """For 1 < k₁ ≤ k, noise of ratio k plus a number that is 0 with probability
    p = (k/k₁) ((k₁ − 1)/(k − 1))², and else has ratio k₁, has ratio k₁. So integers with noise of
    ratio k₁ can be seen first, and those of ratio k later, for no more than k^S in all; if they are
    not seen, for k₁^S.
    """
    first, more, z = sympy.symbols("k1 t z", positive=True)
    k, d = sympy.symbols("k d", real=True)
    last = first + more  # more ≥ 0

    def law(ratio: sympy.Expr) -> sympy.Expr:
        return (ratio - 1) ** 2 / ((ratio - z) * (ratio - 1 / z))

    p = last / first * ((first - 1) / (last - 1)) ** 2
    rest = (more * (first * last - 1)) / (first * (last - 1) ** 2)
    return all_of(
        equal(law(last) * (p + (1 - p) * law(first)), law(first)),
        equal(1 - p, rest),
        entails([k > 1, d >= 0], d * (k * (k + d) - 1) >= 0),
    )


RELEASES = (
    a_record_moves_slopes_by_at_most_its_parts,
    geometric_noise_can_be_refined,
    geometric_noise_hides_steps,
    parts_bound_what_one_record_moves,
    parts_of_a_record_sum_to_the_same,
    two_sided_geometric_draws_fall_as_they_say,
    "privacy.guarantees_compose",
    "privacy.post_processing_keeps_guarantees",
    private.RUNS,
)
ROOTS = "`root_below` gives k with k^S at most e^ε: decided at each fit, in exact numbers or balls"
PARTS = "parts are integers that depend on one record and public nodes"


def _one_release(sensitivity: Formula, adjacency: str, times: int) -> Finding:
    """Find that noise of ratio e^(ε/S) costs ε for counts that move by S."""
    whole, epsilon, share = sympy.symbols("W e s", positive=True)
    moved = sensitivity(adjacency, whole)
    slopes = share * epsilon / (times * whole) * moved
    return all_of(
        equal(epsilon / (times * whole) * moved, epsilon),
        equal((1 - share) * epsilon / (times * whole) * moved + slopes, epsilon),
        a_record_moves_slopes_by_at_most_its_parts(sensitivity),
        geometric_noise_can_be_refined(),
        parts_bound_what_one_record_moves(sensitivity),
        parts_of_a_record_sum_to_the_same(),
        geometric_noise_hides_steps(),
    )


@ours(
    Source(None, "PrivateModes", "binned counts, replace one"),
    formula=modes.bins_sensitivity,
    rests_on=RELEASES,
)
@machine_checked(
    "releases.private_bins_hide_a_record",
    "slopes.private_box_bins_and_slopes",
    part="counts, and slopes after them, not refined noise; k^(2W) ≤ e^ε is given",
)
@proved(argued=(ROOTS, PARTS))
def private_bins_hide_a_record(sensitivity: Formula) -> Finding:
    """Binned counts, and what is made from them, are (ε, 0)-private if one record is replaced:
    integer parts that move by 2W in all, with two-sided geometric noise of ratio e^(ε/(2W)).
    So are counts with a part of ε, and then either the slopes around their peaks with the rest, or
    the same counts with the noise of the whole.
    """
    return _one_release(sensitivity, "replace-one", 2)


@ours(
    Source(None, "PrivateModes", "binned counts, add or remove one"),
    formula=modes.bins_sensitivity,
    rests_on=RELEASES,
)
@machine_checked(
    "releases.private_bins_hide_presence",
    "slopes.private_box_bins_and_slopes",
    part="counts, and slopes after them, not refined noise; k^W ≤ e^ε is given",
)
@proved(argued=(ROOTS, PARTS))
def private_bins_hide_presence(sensitivity: Formula) -> Finding:
    """Binned counts, and what is made from them, are (ε, 0)-private if one record is added or
    removed, with noise of ratio e^(ε/W), and so are slopes after them, or refined noise; the
    number of records is not used.
    """
    return _one_release(sensitivity, "add-remove", 1)


BOXED = (*RELEASES, private.counts_of_half_lines_move_by_at_most_one)


def _box_and_bins(adjacency: str, times: int) -> Finding:
    """Find that a tenth of ε for all questions, and the rest for the counts, are ε."""
    epsilon, questions = sympy.symbols("e Q", positive=True)
    share = sympy.Rational(BOX_SHARE.numerator, BOX_SHARE.denominator)
    box = questions * (share * epsilon / questions)
    return all_of(
        equal(box + (1 - share) * epsilon, epsilon),
        _one_release(modes.bins_sensitivity, adjacency, times),
        private.counts_of_half_lines_move_by_at_most_one(),
    )


@ours(Source(None, "PrivateModes", "bins in a private box, replace one"), rests_on=BOXED)
@machine_checked(
    "releases.private_box_and_bins",
    "slopes.private_box_bins_and_slopes",
    part="counts, integer parts and slopes with this noise, not refined; their ratios are given",
)
@proved(argued=(ROOTS, PARTS))
def private_box_and_bins_hide_a_record() -> Finding:
    """A private box, whose questions share a tenth of ε, and binned counts in it, with the rest,
    are (ε, 0)-private if one record is replaced.
    """
    return _box_and_bins("replace-one", 2)


@ours(Source(None, "PrivateModes", "bins in a private box, add or remove one"), rests_on=BOXED)
@machine_checked(
    "releases.private_box_and_bins",
    "slopes.private_box_bins_and_slopes",
    part="counts, integer parts and slopes with this noise, not refined; their ratios are given",
)
@proved(argued=(ROOTS, PARTS))
def private_box_and_bins_hide_presence() -> Finding:
    """A private box and binned counts are (ε, 0)-private if one record is added or removed."""
    return _box_and_bins("add-remove", 1)


@ours(
    Source(None, "PrivateModes", "binned counts, as they are run"),
    rests_on=(parts_bound_what_one_record_moves,),
)
@certified(
    bits=128,
    adjacency=("replace-one", "add-remove"),
    dimension=(1, 2, 3, 5),
    epsilon=(Q(1, 10), Q(1), Q(6)),
)
def what_bins_spend_meets_its_target(adjacency: str, dimension: int, epsilon: Q) -> Finding:
    """Records inside, outside and at nodes have parts that sum to the same integer W, none of them
    negative, and the noise of ratio k has k^S ≤ e^ε for S = W or 2W, in balls. All questions about
    a private box have a tenth of it.
    """
    axes = [BinAxis(-3.0, 5.0, 1.5, 1.1)] * dimension
    rng = np.random.default_rng(0)
    points = rng.normal(size=(40, dimension)) * 4
    points[:4] = [[-3.0], [5.0], [1e300], [-1e300]]
    sums = [binned(point[None], axes) for point in points]
    whole = 1 << bits_of(dimension) * dimension
    noise = bins_noise(dimension, adjacency, ratio_below(epsilon))
    moved = rational(modes.bins_sensitivity(adjacency, whole))
    questions = 1 + 2 * dimension * 9  # of bisections among 259 ends
    asked = ball(pure_box_ratio(dimension, ratio_below(epsilon / 10))).log() * questions
    return all_of(
        *(equal(Q(int(each.sum())), Q(whole)) for each in sums),
        at_most(Q(0), Q(int(min(each.min() for each in sums)))),
        at_most(ball(noise.ratio).log() * ball(moved), ball(epsilon)),
        at_most(asked, ball(epsilon / 10)),
    )


@ours(
    Source(None, "PrivateModes", "a step from each peak, as it is run"),
    rests_on=(a_record_moves_slopes_by_at_most_its_parts, geometric_noise_can_be_refined),
)
@certified(
    bits=128,
    adjacency=("replace-one", "add-remove"),
    dimension=(1, 2, 5),
    epsilon=(Q(1, 10), Q(1), Q(6)),
    share=(Q(3, 10), Q(7, 10)),
)
def what_steps_spend_meets_its_target(
    adjacency: str, dimension: int, epsilon: Q, share: Q
) -> Finding:
    """Records near peaks, far away, at ties and borders add integers with absolute values of sum W
    at most, at one of three peaks that are near each other. The noise of counts and slopes has
    (k₁k₂)^S ≤ e^ε, and that of refined counts k^S ≤ e^ε with k₁ ≤ k, in balls.
    """
    rng = np.random.default_rng(0)
    places = rng.normal(size=(3, dimension))
    points = np.vstack([rng.normal(size=(60, dimension)), places, places + 0.5, -places * 1e300])
    sums = [steps.slopes(point[None], places, np.full(dimension, 0.7), 0.25) for point in points]
    before, rest = steps.StepRule(share, 0.25).parts(ratio_below(epsilon))
    counts = [bins_noise(dimension, adjacency, k) for k in (before, ratio_below(epsilon))]
    slopes = steps.step_noise(adjacency, rest)
    one = 1 << bits_of(dimension) * dimension
    moved = [rational(modes.bins_sensitivity(adjacency, w)) for w in (one, steps.WHOLE)]
    first, last = (ball(noise.ratio).log() * ball(moved[0]) for noise in counts)
    return all_of(
        *(at_most(Q(int(np.abs(each).sum())), Q(steps.WHOLE)) for each in sums),
        *(at_most(Q(int((each != 0).any(axis=1).sum())), Q(1)) for each in sums),
        at_most(first + ball(slopes.ratio).log() * ball(moved[1]), ball(epsilon)),
        at_most(last, ball(epsilon)),
        at_most(counts[0].ratio, counts[1].ratio),
    )


@ours(Source(None, "PrivateModes", "peaks that are sure"))
@proved(
    argued=(
        "a part of a grid that is at least as high somewhere as all around it holds a local "
        "maximum; parts of two sure peaks do not meet, since the lower one would hold the higher",
    )
)
def sure_peaks_are_of_the_data() -> Finding:
    """Let noise be at most t on a grid, g a point of height H, and C the part of the grid above
    H − 2t that is connected with g. Without noise g is at least H − t, and what surrounds C at most
    that: C holds a local maximum of the estimate without noise.
    """
    height, t, exact, around, noisy = sympy.symbols("H t g c n", real=True)
    return all_of(
        entails([height - exact <= t], exact >= height - t),
        entails([noisy <= height - 2 * t, around - noisy <= t], around <= height - t),
        entails([exact >= height - t, around <= height - t], exact >= around),
    )


@ours(Source(None, "PrivateModes", "how far smoothed geometric noise reaches"))
@proved(
    argued=(
        "sinh is convex on [0, ∞) and 0 at 0: sinh(s/2)/sinh(γ/2) ≤ s/γ for 0 ≤ s ≤ γ",
        "−ln(1 − z) is convex and 0 at 0: it is at most (z/w)(−ln(1 − w)) for 0 ≤ z ≤ w < 1",
        "Markov's inequality for e^(λ Σ aᵢXᵢ) with λ = uγ/A, and a union bound over both signs and "
        "all points of a grid",
    )
)
def geometric_sums_reach_as_far_as_exponential_ones() -> Finding:
    """For two-sided geometric X of ratio e^γ, E e^(sX) = 1/(1 − sinh(s/2)²/sinh(γ/2)²), at most
    1/(1 − (s/γ)²). So Σ aᵢXᵢ with |aᵢ| ≤ A and ‖a‖² ≤ V is above
    A/(γu) (L − (V/A²) ln(1 − u²)) with probability at most e^(−L), for every u in (0, 1).
    """
    x, q = sympy.symbols("x q", positive=True)  # e^s and e^(−γ)
    moment = (1 - q) ** 2 / ((1 - q * x) * (1 - q / x))
    squares = (x - 2 + 1 / x) / (1 / q - 2 + q)  # of hyperbolic sines
    u, scale, rate, level, number = sympy.symbols("u A g L R", positive=True)
    reach = scale / (rate * u) * (level - number * sympy.log(1 - u**2))
    markov = -(u * rate / scale) * reach - number * sympy.log(1 - u**2)
    return all_of(equal(moment, 1 / (1 - squares)), equal(markov, -level))
