"""Why the private mixture is private: what one record moves, and what all steps cost."""

import functools

import numpy as np

from provedp.mechanisms.mixture import PrivateMixture
from provedp.theory import mixture, privacy
from provedp.theory.privacy.functions import normal_cdf
from provedp.verify.claims.prelude import *
from provedp.verify.claims.privacy import finite, gaussian_composition

SYMBOLS = sympy.symbols("n a b", nonnegative=True)  # 1/σ₀², R²/σ₁², R⁴/σ₂²


def half_the_cost(adjacency: str, count: Any, first: Any, second: Any) -> Any:
    """Return half of μ²."""
    return mixture.moment_cost(adjacency, count, first, second) / 2


def moments_that_cancel(adjacency: str, count: Any, first: Any, second: Any) -> Any:
    """Return μ² as if a record could not move within its class."""
    other = "label" if adjacency == "replace-one" else adjacency
    return mixture.moment_cost(other, count, first, second)


MUTANTS = (half_the_cost, moments_that_cancel)


@ours(Source(None, "second moments in the Frobenius norm"))
@machine_checked("records.products_of_moments_are_squares")
@proved(argued=("induction over the coordinates, from none, and ‖A − B‖² = ‖A‖² + ‖B‖² − 2⟨A, B⟩",))
def products_of_moments_are_squares() -> Finding:
    """⟨z zᵀ, w wᵀ⟩ = (zᵀw)² in any dimension: with s = Σ z_i w_i and S = Σ z_i z_j w_i w_j, S = s²
    holds without coordinates, and one more coordinate z, w adds 2 z w s + z² w² to both. So
    ‖z zᵀ‖ = ‖z‖² and ‖z zᵀ − w wᵀ‖² = ‖z‖⁴ + ‖w‖⁴ − 2 (zᵀw)².
    """
    s, z, w = sympy.symbols("s z w", real=True)
    return equal(s**2 + 2 * z * w * s + z**2 * w**2, (s + z * w) ** 2)


@ours(
    Source(None, "counts, sums and second moments of classes"),
    formula=mixture.moment_cost,
    mutants=MUTANTS,
    rests_on=(products_of_moments_are_squares,),
)
@machine_checked(
    "records.moments_move_by_so_much",
    "records.product_is_bounded",
    "records.moments_bound_what_one_record_moves",
)
@proved(
    argued=(
        "moments of a class are sums over its records, each of its own centre and map: one record "
        "changes them by its own terms",
        "c = zᵀz′/R² has c² ≤ r r′, Cauchy's inequality",
    )
)
def moments_bound_what_one_record_moves(cost: Formula) -> Finding:
    """In units of the noise, one record moves the counts, sums and second moments of all classes
    by at most `moment_cost`, for any centres and maps of the classes, if ‖z‖ ≤ R: with r = ‖z‖²/R²
    and r′ before and after, in two classes by 2n + a (r + r′) + b (r² + r′²), in one by
    a (r + r′ − 2c) + b (r² + r′² − 2c²) with c² ≤ r r′, alone by n + a r + b r².
    """
    n, a, b = SYMBOLS
    r, s, c = sympy.symbols("r s c", real=True)
    inside = [r >= 0, r <= 1, s >= 0, s <= 1, c**2 <= r * s]
    apart = 2 * n + a * (r + s) + b * (r**2 + s**2)
    within = a * (r + s - 2 * c) + b * (r**2 + s**2 - 2 * c**2)
    return all_of(
        entails(inside, apart <= cost("label", n, a, b)),
        entails(inside, apart <= cost("replace-one", n, a, b)),
        entails(inside, within <= cost("replace-one", n, a, b)),
        entails(inside, n + a * r + b * r**2 <= cost("add-remove", n, a, b)),
        # Both are attained on the sphere: by two records in two classes, and by z = −z′.
        equal(apart.subs({r: 1, s: 1}), cost("label", n, a, b)),
        equal(within.subs({r: 1, s: 1, c: -1, b: 0}), cost("replace-one", 0, a, 0)),
    )


def histogram_that_moves_once(adjacency: str, count: Any) -> Any:
    """Return the cost of one cell."""
    return count


@ours(
    Source(None, "histograms of distances"),
    formula=mixture.histogram_cost,
    mutants=(histogram_that_moves_once,),
)
@machine_checked(
    "records.histograms_move_by_so_much", "records.histograms_bound_what_one_record_moves"
)
@proved(argued=("every record of the ball is in one cell of the histogram",))
def histograms_bound_what_one_record_moves(cost: Formula) -> Finding:
    """A record that leaves a cell and enters another moves a histogram by (−1, 1), of squared
    length 2; one that comes or goes, by one cell. Its class's centre only decides which cell.
    """
    n = SYMBOLS[0]
    return all_of(
        *(equal(cost(name, n), n * (1 + (-1) ** 2)) for name in ("label", "replace-one")),
        equal(cost("add-remove", n), n),
    )


def half_the_pooled_cost(adjacency: str, square: Any, second: Any) -> Any:
    """Return half of μ²."""
    return mixture.pooled_cost(adjacency, square, second) / 2


@ours(
    Source(None, "second moments of all classes together"),
    formula=mixture.pooled_cost,
    mutants=(half_the_pooled_cost,),
    rests_on=(products_of_moments_are_squares,),
)
@machine_checked(
    "records.pooled_moments_move_by_so_much", "records.pooled_moments_bound_what_one_record_moves"
)
@proved(
    argued=(
        "moments of all classes are sums over the records, each of its own centre: one record "
        "changes them by its own terms",
    )
)
def pooled_moments_bound_what_one_record_moves(cost: Formula) -> Finding:
    """In units of the noise, one record moves Σ ‖z‖² and Σ z zᵀ over the records of all classes by
    at most `pooled_cost`, for any centres of the classes, if ‖z‖ ≤ R: with r = ‖z‖²/R² and r′
    before and after, and c = zᵀz′/R², by s (r − r′)² and b (r² + r′² − 2c²) where its label or it
    changes, by s r² and b r² where it comes or goes.
    """
    weight, _, b = SYMBOLS
    r, s, c = sympy.symbols("r s c", real=True)
    inside = [r >= 0, r <= 1, s >= 0, s <= 1]
    changed = ("label", "replace-one")
    return all_of(
        *(entails(inside, weight * (r - s) ** 2 <= cost(each, weight, 0)) for each in changed),
        *(entails(inside, b * (r**2 + s**2 - 2 * c**2) <= cost(each, 0, b)) for each in changed),
        entails(inside, weight * r**2 <= cost("add-remove", weight, 0)),
        entails(inside, b * r**2 <= cost("add-remove", 0, b)),
        # Attained on the sphere: by a record that goes to the centre, and by z ⊥ z′.
        *(equal(weight, cost(each, weight, 0)) for each in (*changed, "add-remove")),
        *(equal(2 * b, cost(each, 0, b)) for each in changed),
        equal(b, cost("add-remove", 0, b)),
    )


STEPS = (
    moments_bound_what_one_record_moves,
    pooled_moments_bound_what_one_record_moves,
    histograms_bound_what_one_record_moves,
    gaussian_composition.adaptive_gaussian_releases_are_one,
    gaussian_composition.rounded_noise_on_integers_is_gaussian_noise,
    finite.post_processing_keeps_guarantees,
    "mixture.runs_of_private_mixtures_spend_what_they_promise",  # the code, not only the proof
)
ARGUED = (
    "each step's centres, maps and radii are functions of earlier releases and public numbers",
    "the shares of a plan sum to one, and the noise drawn is the noise charged: "
    "what_a_release_spends_meets_its_target checks runs",
    "μ² is calibrated by balls, so that the profile at ε is at most δ",
)


def _all_steps(cost: Formula, histogram: Formula, adjacency: str) -> Finding:
    """Find that a step with shares x, y, z of the budget costs x + y + z, and so do all together.

    The shares of counts, sums and second moments are divided as `noise_for` does.
    """
    x, y, z = sympy.symbols("x y z", positive=True)
    parts = {
        "label": (x / 2, y / 2, z / 2),
        "replace-one": ((x + y) / 4, (x + y) / 4, z / 2),
        "add-remove": (x, y, z),
    }[adjacency]
    cell = x if adjacency == "add-remove" else x / 2
    pooled = mixture.pooled_cost
    return all_of(
        equal(cost(adjacency, *parts), x + y + z),
        equal(cost(adjacency, 0, *parts[1:]).subs(x, 0), y + z),
        equal(histogram(adjacency, cell), x),
        equal(pooled(adjacency, x, 0), x),
        equal(pooled(adjacency, 0, cell), x),
        moments_bound_what_one_record_moves(cost),
        histograms_bound_what_one_record_moves(histogram),
        pooled_moments_bound_what_one_record_moves(pooled),
    )


def _answers_shift_the_loss() -> Finding:
    """Find that the joint profile is the mean of what the two answers leave of the Gaussian one.

    After an answer of probability p here and q there, P(A) p − e^ε Q(A) q is largest for the events
    where the Gaussian likelihood ratio exceeds c = e^ε q/p, a half-line from ln c/μ + μ/2: p times
    the Gaussian profile at ln c.
    """
    k, mu = sympy.symbols("k mu", positive=True)
    epsilon, y = sympy.Symbol("epsilon", nonnegative=True), sympy.Symbol("y", real=True)

    def gap(here: Any, there: Any) -> Any:
        level = sympy.expand_log(epsilon + sympy.log(sympy.simplify(there / here)), force=True)
        beyond = normal_cdf(mu / 2 - level / mu), normal_cdf(-mu / 2 - level / mu)
        return here * beyond[0] - sympy.exp(epsilon) * there * beyond[1]

    truth, lie = k / (k + 1), 1 / (k + 1)
    joint = privacy.response_and_gaussian_delta(k, mu, epsilon)
    end = (y + mu**2 / 2) / mu  # where the log-ratio is y
    return all_of(
        equal(sympy.expand(joint - gap(truth, lie) - gap(lie, truth)), 0),
        equal(mu * end - mu**2 / 2, y),
        equal(mu - end, mu / 2 - y / mu),
    )


@ours(
    Source(None, "PrivateMixture", "label flips"),
    formula=mixture.moment_cost,
    mutants=(half_the_cost,),
    rests_on=(*STEPS, gaussian_composition.pure_releases_are_randomised_response),
)
@proved(
    argued=(
        *ARGUED,
        "with two classes, a Gaussian profile is the largest gap over half-lines (Neyman–Pearson)",
    )
)
def private_mixture_hides_a_label(cost: Formula) -> Finding:
    """The private mixture is (ε, δ)-private under label flips: each step releases integers with
    rounded Gaussian noise, about centres, maps and radii that were released before, and costs its
    share of μ²; the shares sum to one, steps compose to one Gaussian release with that μ², whose
    profile at ε is at most δ by calibration, and the rest is post-processing. With two classes the
    count is a (ln k, 0)-private release of its own, randomised response, after which the Gaussian
    ones are judged at ε − ln k or ε + ln k.
    """
    steps = _all_steps(cost, mixture.histogram_cost, "label")
    return all_of(steps, _answers_shift_the_loss())


@ours(
    Source(None, "PrivateMixture", "replace one"),
    formula=mixture.moment_cost,
    mutants=MUTANTS,
    rests_on=STEPS,
)
@proved(argued=ARGUED)
def private_mixture_hides_a_record(cost: Formula) -> Finding:
    """The private mixture is (ε, δ)-private if one record is replaced, features and label, by the
    same steps; noise on counts costs nothing where sums carry as much.
    """
    return _all_steps(cost, mixture.histogram_cost, "replace-one")


@ours(
    Source(None, "PrivateMixture", "add or remove one"),
    formula=mixture.moment_cost,
    mutants=(half_the_cost,),
    rests_on=STEPS,
)
@proved(argued=ARGUED)
def private_mixture_hides_presence(cost: Formula) -> Finding:
    """The private mixture is (ε, δ)-private if one record is added or removed, by the same steps;
    the number of records is not used there.
    """
    return _all_steps(cost, mixture.histogram_cost, "add-remove")


RECORDS = 400  # so many that every plan is chosen for some budget of the grid


@functools.cache
def _release(adjacency: str, classes: int, epsilon: Q, delta: Q) -> Any:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, classes, RECORDS)
    private = PrivateMixture(
        epsilon, delta, bound=4, classes=range(classes), adjacency=adjacency, records=RECORDS
    )
    return private.fit(rng.normal(size=(RECORDS, 2)), labels).release_


@ours(Source(None, "PrivateMixture", "as it is run"))
@certified(
    bits=128,
    adjacency=("label", "replace-one", "add-remove"),
    classes=(2, 3),
    epsilon=(Q(1, 20), Q(1), Q(6)),
    delta=(Q(1, 100), Q(1, 10**6)),
)
def what_a_release_spends_meets_its_target(
    adjacency: str, classes: int, epsilon: Q, delta: Q
) -> Finding:
    """The noise that a run reports, on its lattices, costs at most the budget in exact arithmetic,
    however it is split, the shares of the plan sum to one, and the profile of all steps at ε is at
    most δ, in balls.
    """
    release = _release(adjacency, classes, epsilon, delta)
    costs = [each.cost(adjacency) for each in release.noise]
    mu, level = ball(sum(costs)).sqrt(), ball(epsilon)
    ratio = ball(release.channel or Q(1))
    joint = privacy.response_and_gaussian_delta(ratio, mu, level)
    return all_of(
        equal(release.plan.total, Q(1)),
        at_most(sum(costs), release.budget),
        at_most(joint, ball(delta)),
    )
