"""Why the private density estimate is private, and what its noise amounts to."""

import numpy as np

from provedp.mechanisms.exact.gaussian_budget import gaussian_budget
from provedp.mechanisms.exact.parameters import ratio_below
from provedp.mechanisms.modes.private.box import box_cost, box_deviation
from provedp.mechanisms.modes.private.field import Axis, field_noise
from provedp.mechanisms.modes.private.local import THRESHOLD_SHARE, release_local
from provedp.mechanisms.modes.private.settings import BOX_SHARE
from provedp.theory import mixture, modes, privacy
from provedp.verify.claims.mixture import private as moments
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy import gaussian_composition


@ours(Source(None, "PrivateModes", "a kernel in two halves"))
@proved(argued=("kernels are products over coordinates, and estimates are sums over records",))
def gaussian_kernel_is_a_smaller_one_twice() -> Finding:
    """With b = h/√2, ∫ e^(−(x − t)²/(2b²)) e^(−(t − y)²/(2b²)) dt = √π b e^(−(x − y)²/(2h²)): sums
    smoothed with b, and smoothed with b again, are the kernel estimate of bandwidth h.
    """
    x, y, t = sympy.symbols("x y t", real=True)
    h = sympy.Symbol("h", positive=True)
    b = h / sympy.sqrt(2)
    product = sympy.exp(-((x - t) ** 2) / (2 * b**2) - (t - y) ** 2 / (2 * b**2))
    found = sympy.integrate(product, (t, -sympy.oo, sympy.oo))
    return equal(found, sympy.sqrt(sympy.pi) * b * sympy.exp(-((x - y) ** 2) / (2 * h**2)))


@ours(
    Source(None, "PrivateModes", "noise of the estimate"),
    rests_on=(gaussian_kernel_is_a_smaller_one_twice,),
)
@proved(
    argued=(
        "noise of variance σ²v at every place, smoothed with a weight of squared length v, has "
        "variance σ²v²; coordinates multiply",
        "two records whose weights do not overlap move the sums by 2v in squared length",
    )
)
def estimate_is_as_noisy_as_one_ball_count() -> Finding:
    """One record moves the smoothed sums by a vector of squared length v = ∫ e^(−t²/b²) dt for each
    coordinate, and adds v to the estimate at its own place; noise of variance σ² v on the sums is
    noise of variance σ² v² there. So the estimate has noise of σ records, at all points at once:
    what a single count with Gaussian noise would need where a record comes or goes, and √2 times
    that where one is replaced.
    """
    t = sympy.Symbol("t", real=True)
    b, sigma = sympy.symbols("b sigma", positive=True)
    squared = sympy.integrate(sympy.exp(-(t**2) / b**2), (t, -sympy.oo, sympy.oo))
    added = sympy.sqrt(sympy.pi) * b  # of `gaussian_kernel_is_a_smaller_one_twice` at x = y
    return all_of(
        equal(squared, added),
        equal(sympy.sqrt(sigma**2 * squared * squared) / added, sigma),
        # a replaced record: 2v of the sums against 1 of a count
        equal(sympy.sqrt(2 * squared), sympy.sqrt(2) * sympy.sqrt(squared)),
    )


@ours(Source(None, "PrivateModes", "weights that are products over coordinates"))
@machine_checked("records.lengths_of_products_are_products")
@proved(argued=("induction on the coordinates of u, of which the base and the step are decided",))
def lengths_of_products_are_products() -> Finding:
    """Σ_ij (u_i v_j)² = Σ u_i² Σ v_j²: without coordinates of u both are 0, and one more, u, adds
    u² Σ v_j² to both.
    """
    total, first, second, u = sympy.symbols("S U V u", real=True)
    return all_of(
        equal((total + u**2 * second).subs(total, first * second), (first + u**2) * second),
        base_case(equal((first * second).subs(first, 0), 0)),
    )


@ours(Source(None, "sums of non-negative weights"), formula=modes.field_cost)
@machine_checked(
    "records.weights_bound_what_one_record_moves", "records.weights_apart_attain_the_move"
)
@proved(argued=("⟨w, w′⟩ = Σ w_i w′_i ≥ 0 for w, w′ ≥ 0",))
def weights_bound_what_one_record_moves(cost: Formula) -> Finding:
    """One record adds a vector w ≥ 0 with ‖w‖² ≤ L, in any dimension: replaced, it moves the sums
    by ‖w − w′‖² = ‖w‖² + ‖w′‖² − 2⟨w, w′⟩ ≤ 2L; coming or going, by at most L. Two records whose
    weights do not overlap attain it.
    """
    square, other, inner, length = sympy.symbols("w w1 c L", real=True)
    sizes = [inner >= 0, square <= length, other <= length]
    moved = square + other - 2 * inner
    return all_of(
        entails(sizes, moved <= cost("replace-one", length)),
        entails(sizes, square <= cost("add-remove", length)),
        equal(moved.subs({inner: 0, square: length, other: length}), cost("replace-one", length)),
        equal(square.subs(square, length), cost("add-remove", length)),
    )


def _one_release(cost: Formula, adjacency: str, whole: int) -> Finding:
    """Find that noise of variance whole · L/μ² costs μ², and that rounding costs nothing."""
    length, budget = sympy.symbols("L V", positive=True)
    variance = whole * length / budget
    rounded = gaussian_composition.rounded_noise_on_integers_is_gaussian_noise
    return all_of(
        equal(cost(adjacency, length / variance), budget),
        weights_bound_what_one_record_moves(cost),
        lengths_of_products_are_products(),
        rounded(),
    )


@ours(Source(None, "Gaussian noise", "the profile at ε as a function of the shift μ"))
@proved(argued=("P(E) − e^ε Q(E) is largest over a half-line, as ln p/q = μy − μ²/2 is monotone",))
def gaussian_profile_grows_with_the_shift() -> Finding:
    """Of N(μ, 1) and N(0, 1) the excess over {y > ε/μ + μ/2} is Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ).
    Its derivative in μ is φ(μ/2 − ε/μ) > 0, so that what costs at most μ² has at most the profile
    of μ.
    """
    mu, level = sympy.symbols("mu e", positive=True)
    y = sympy.Symbol("y", real=True)
    root, half = sympy.sqrt(2), sympy.Rational(1, 2)

    def cdf(x: Any) -> Any:
        return half + sympy.erf(x / root) / 2

    profile = cdf(mu / 2 - level / mu) - sympy.exp(level) * cdf(-mu / 2 - level / mu)
    density = sympy.exp(-((mu / 2 - level / mu) ** 2) / 2) / sympy.sqrt(2 * sympy.pi)
    edge = level / mu + mu / 2
    return all_of(
        equal(sympy.diff(profile, mu), density),
        less(0, density),
        # the edge of the half-line is where the log-ratio is ε; P(y > edge) and Q(y > edge)
        equal((mu * y - mu**2 / 2).subs(y, edge), level),
        equal(mu - edge, mu / 2 - level / mu),
        equal(-edge, -mu / 2 - level / mu),
    )


RELEASES = (
    gaussian_profile_grows_with_the_shift,
    "privacy.rounded_noise_on_integers_is_gaussian_noise",
    "privacy.adaptive_gaussian_releases_are_one",
    "privacy.post_processing_keeps_guarantees",
)
RUNS = "modes.runs_of_private_modes_spend_what_they_promise"  # the code, not only the proof
FIELD = (weights_bound_what_one_record_moves, lengths_of_products_are_products, *RELEASES, RUNS)
CALIBRATED = "`gaussian_budget` gives a μ² whose profile at ε is at most δ: in balls at each fit"


@ours(Source(None, "PrivateModes", "replace one"), formula=modes.field_cost, rests_on=FIELD)
@proved(argued=(CALIBRATED, "the weights are integers that depend on one record and public places"))
def private_field_hides_a_record(cost: Formula) -> Finding:
    """The private density estimate, and what is made from it, is (ε, δ)-private if one record is
    replaced: integer sums of public weights with rounded Gaussian noise, whose profile at ε is at
    most δ by calibration; the rest is post-processing.
    """
    return _one_release(cost, "replace-one", 2)


@ours(Source(None, "PrivateModes", "add or remove one"), formula=modes.field_cost, rests_on=FIELD)
@proved(argued=(CALIBRATED, "the weights are integers that depend on one record and public places"))
def private_field_hides_presence(cost: Formula) -> Finding:
    """The private density estimate, and what is made from it, is (ε, δ)-private if one record is
    added or removed, by the same step; the number of records is not used.
    """
    return _one_release(cost, "add-remove", 1)


@ours(Source(None, "PrivateModes", "as it is run"), rests_on=(weights_bound_what_one_record_moves,))
@certified(
    bits=128,
    adjacency=("replace-one", "add-remove"),
    dimension=(1, 2, 3),
    epsilon=(Q(1, 10), Q(1), Q(6)),
    delta=(Q(1, 100), Q(1, 10**6)),
)
def what_a_field_spends_meets_its_target(
    adjacency: str, dimension: int, epsilon: Q, delta: Q
) -> Finding:
    """On its lattice of integers, the noise costs at most the budget in exact arithmetic, the
    longest column of the weights included, and the profile at ε is at most δ, in balls.
    """
    axes = [Axis(-3.0, 5.0, 1.5), Axis(0.0, 1.0, 0.3), Axis(-2.0, 2.0, 0.9)][:dimension]
    budget = gaussian_budget(ratio_below(epsilon), delta)
    noise = field_noise(axes, adjacency, budget)
    longest = Q(1)
    for axis in axes:
        weights = axis.weights(noise.bits).astype(object)
        longest *= max(int((column * column).sum()) for column in weights.T)
    spent = modes.field_cost(adjacency, longest / noise.deviation**2)
    profile = privacy.gaussian_delta(ball(spent).sqrt(), ball(epsilon))
    return all_of(
        equal(spent, noise.cost(adjacency)),
        at_most(spent, budget),
        at_most(profile, ball(delta)),
    )


def only_one_side(k: arb, threshold: arb) -> arb:
    """Return Φ(−t): what one of the two neighbours adds."""
    return ball(modes.threshold_delta(k, threshold) / (1 + k))


@ours(
    Source(None, "histograms of occupied cells"),
    formula=modes.threshold_delta,
    mutants=(only_one_side,),
)
@certified(bits=128, k=(Q(1), Q(3, 2), Q(20)), threshold=(Q(0), Q(1), Q(6)))
def threshold_formula_is_the_tail(added: Formula, k: Q, threshold: Q) -> Finding:
    """The formula is (1 + k) P(Z ≥ t) for a standard normal Z, by an integral of its density."""
    level = ball(threshold)
    tail = (level / arb(2).sqrt()).erfc() / 2
    return close(added(ball(k), level), (1 + ball(k)) * tail, tolerance=1e-30)


@ours(Source(None, "histograms of occupied cells"))
@machine_checked("releases.threshold_hides_which_cells_are_occupied")
@proved(
    argued=(
        "a coupling: the release and the fuller one differ only where the added empty cell is over "
        "the threshold, later steps included",
    )
)
def threshold_hides_which_cells_are_occupied() -> Finding:
    """Let p be the law of a release that leaves out cells without records and cells whose noisy
    count is low, p̃ that with the cells of its neighbour too, q and q̃ likewise for the neighbour.
    One cell at most is added to either, it is empty there, and noise takes it over the threshold
    with probability at most β: |p − p̃| ≤ β and |q − q̃| ≤ β for every event. If p̃ ≤ k q̃ + δ,
    then p ≤ k q + δ + (1 + k) β.
    """
    p, fuller, q, other, k, slack, beta = sympy.symbols("p p1 q q1 k delta beta", real=True)
    inside = [k >= 1, beta >= 0, fuller <= k * other + slack]
    inside += [p <= fuller + beta, other <= q + beta]
    return entails(inside, p <= k * q + slack + (1 + k) * beta)


def _cells_and_balls(cost: Formula, adjacency: str) -> Finding:
    """Find that the cells and all rounds cost their shares, and that everything composes."""
    x, y = sympy.symbols("x y", positive=True)
    parts = {"replace-one": ((x + y) / 4, (x + y) / 4), "add-remove": (x, y)}[adjacency]
    cell = x if adjacency == "add-remove" else x / 2
    return all_of(
        equal(cost(adjacency, *parts, 0), x + y),
        equal(mixture.histogram_cost(adjacency, cell), x),
        threshold_hides_which_cells_are_occupied(),
        moments.moments_bound_what_one_record_moves(cost),
        moments.histograms_bound_what_one_record_moves(mixture.histogram_cost),
        gaussian_composition.adaptive_gaussian_releases_are_one(),
        gaussian_composition.rounded_noise_on_integers_is_gaussian_noise(),
    )


LOCAL = (
    threshold_hides_which_cells_are_occupied,
    moments.moments_bound_what_one_record_moves,
    moments.histograms_bound_what_one_record_moves,
    *RELEASES,
    RUNS,
)
IN_BALLS = (
    CALIBRATED,
    "each record is in one cell and nearest to one place, so that it moves one count and one sum "
    "of a clipped vector in each round, of places that were released before",
)


@ours(
    Source(None, "PrivateModes by the local method", "replace one"),
    formula=mixture.moment_cost,
    rests_on=LOCAL,
)
@proved(argued=IN_BALLS)
def private_balls_hide_a_record(cost: Formula) -> Finding:
    """The local method is (ε, δ)-private if one record is replaced: counts of occupied cells with a
    threshold, then counts and sums of the records nearest to places that were released before,
    clipped to a ball; each step costs its share of μ², whose profile at ε is at most 3δ/4, and the
    threshold adds at most δ/4.
    """
    return _cells_and_balls(cost, "replace-one")


@ours(
    Source(None, "PrivateModes by the local method", "add or remove one"),
    formula=mixture.moment_cost,
    rests_on=LOCAL,
)
@proved(argued=IN_BALLS)
def private_balls_hide_presence(cost: Formula) -> Finding:
    """The local method is (ε, δ)-private if one record is added or removed, by the same steps."""
    return _cells_and_balls(cost, "add-remove")


@ours(Source(None, "PrivateModes by the local method", "as it is run"))
@certified(
    bits=128,
    adjacency=("replace-one", "add-remove"),
    epsilon=(Q(1, 2), Q(4)),
    delta=(Q(1, 100), Q(1, 10**6)),
)
def what_cells_and_balls_spend_meets_its_target(adjacency: str, epsilon: Q, delta: Q) -> Finding:
    """The noise of all steps costs at most what 3δ/4 allows, in exact arithmetic, and together with
    the threshold the profile at ε is at most δ, in balls.
    """
    points = np.random.default_rng(0).normal(size=(500, 5))
    axes = [Axis(-4.0, 4.0, 1.0)] * 5
    ratio = ratio_below(epsilon)
    source = np.random.default_rng(1)
    budget = gaussian_budget(ratio, delta * (1 - THRESHOLD_SHARE))
    _, (cells, rounds) = release_local(points, axes, 2, ratio, delta, adjacency, budget, source)
    spent = cells.cost(adjacency) + sum(each.cost(adjacency) for each in rounds)
    profile = privacy.gaussian_delta(ball(spent).sqrt(), ball(epsilon))
    return all_of(
        at_most(spent, budget),
        at_most(profile + cells.delta(ratio), ball(delta)),
    )


@ours(Source(None, "PrivateModes without a public box"))
@machine_checked("records.counts_of_half_lines_move_by_at_most_one", part="how far a count moves")
@proved(argued=("the number of bisections is fixed, and each asks for one count of a half-line",))
def counts_of_half_lines_move_by_at_most_one() -> Finding:
    """How many records are at most a number changes by at most 1 if one is replaced, comes or goes:
    a question for a private box costs 1/σ², and bisection asks as many whatever the answers are.
    """
    before, after = sympy.symbols("before after", integer=True)
    inside = [before >= 0, before <= 1, after >= 0, after <= 1]
    return entails(inside, sympy.And(before - after <= 1, after - before <= 1))


def _box_and_modes(adjacency: str) -> Finding:
    """Find that a tenth of the smaller budget and nine tenths of either are within it."""
    small, large, profile, tail, delta = sympy.symbols("V W p t delta", positive=True)
    share = sympy.Rational(BOX_SHARE.numerator, BOX_SHARE.denominator)
    field = entails([small <= large], share * small + (1 - share) * large <= large)
    part = sympy.Rational(THRESHOLD_SHARE.numerator, THRESHOLD_SHARE.denominator)
    local = entails([profile <= (1 - part) * delta, tail <= part * delta], profile + tail <= delta)
    one = _one_release(modes.field_cost, adjacency, 2 if adjacency == "replace-one" else 1)
    return all_of(
        field,
        equal(share * small + (1 - share) * small, small),
        local,
        one,
        _cells_and_balls(mixture.moment_cost, adjacency),
        counts_of_half_lines_move_by_at_most_one(),
        gaussian_composition.adaptive_gaussian_releases_are_one(),
    )


BOX = (counts_of_half_lines_move_by_at_most_one, *FIELD, *LOCAL[:3])
BOXED = (*IN_BALLS, "the method that follows depends on the number of features alone")


@ours(Source(None, "PrivateModes without a public box", "replace one"), rests_on=BOX)
@proved(argued=BOXED)
def private_box_and_modes_hide_a_record() -> Finding:
    """A private box and what follows it, by either method, are (ε, δ)-private if one record is
    replaced: the box takes a tenth of what 3δ/4 allows, the field nine tenths of what δ allows, the
    local method nine tenths of what 3δ/4 allows and a threshold that adds at most δ/4. Which method
    follows depends on the number of features alone.
    """
    return _box_and_modes("replace-one")


@ours(Source(None, "PrivateModes without a public box", "add or remove one"), rests_on=BOX)
@proved(argued=BOXED)
def private_box_and_modes_hide_presence() -> Finding:
    """A private box and what follows it are (ε, δ)-private if one record is added or removed."""
    return _box_and_modes("add-remove")


@ours(Source(None, "PrivateModes without a public box", "as it is run"))
@certified(
    bits=128,
    adjacency=("replace-one", "add-remove"),
    columns=(1, 2, 5),
    epsilon=(Q(1, 2), Q(4)),
    delta=(Q(1, 100), Q(1, 10**6)),
)
def what_a_box_and_the_rest_spend_meets_its_target(
    adjacency: str, columns: int, epsilon: Q, delta: Q
) -> Finding:
    """Box and local method together, with their noise as it is rounded, meet (ε, δ) in balls, and
    so do box and field.
    """
    ratio = ratio_below(epsilon)
    small = gaussian_budget(ratio, delta * (1 - THRESHOLD_SHARE))
    whole = gaussian_budget(ratio, delta)
    box = box_cost(columns, box_deviation(columns, small * BOX_SHARE))
    axes = [Axis(-4.0, 4.0, 1.0)] * columns
    points = np.zeros((9, columns))
    rest, source = 1 - BOX_SHARE, np.random.default_rng(1)
    _, (cells, rounds) = release_local(
        points, axes, 2, ratio, delta, adjacency, small * rest, source
    )
    local = box + cells.cost(adjacency) + sum(each.cost(adjacency) for each in rounds)
    field = box + field_noise(axes[:2], adjacency, whole * rest).cost(adjacency)
    level, allowed = ball(epsilon), ball(delta)
    added = cells.delta(ratio)
    return all_of(
        at_most(privacy.gaussian_delta(ball(local).sqrt(), level) + added, allowed),
        at_most(privacy.gaussian_delta(ball(field).sqrt(), level), allowed),
    )
