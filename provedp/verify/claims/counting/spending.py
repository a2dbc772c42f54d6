"""What mechanisms for counts draw: the law of the code against the promise."""

from provedp.mechanisms import counting
from provedp.theory.privacy import hockey_stick
from provedp.verify.claims.prelude import *
from provedp.verify.spending.cells import drawn_cells, joint_cells
from provedp.verify.spending.laws import arriving_law, digits_of

DISTURBED = ((Q(9, 10), Q(1, 10)), (Q(1, 10), Q(9, 10)))
# Of k − 1. The exponential mechanism's proof charges its normalisation as much as its weights.
ATTAINED = {"ExponentialMechanism": Q(1, 4)}
NEARLY_ALL = Q(9, 10)


def _mechanism(name: str, ratio: Q, delta: Q) -> counting.CountMechanism:
    """Return a mechanism for a few counts; ratio² where the law needs its root."""
    if name == "BehindChannel":
        return counting.BehindChannel(DISTURBED, f"ln({ratio})", delta)
    if name == "MatrixRelease":
        law = counting.OptimalCount(5, f"ln({ratio})", delta).law()
        return counting.MatrixRelease(law, f"ln({ratio})", delta)
    if name == "OptimalCount":
        return counting.OptimalCount(5, f"ln({ratio})", delta, first=-1)
    built: counting.CountMechanism = getattr(counting, name)(4, f"ln({ratio**2})")
    return built


def law_with_half_the_noise(mechanism: counting.CountMechanism) -> Matrix:
    """Return the law of a mechanism of twice the ε."""
    louder = _mechanism(type(mechanism).__name__, mechanism.ratio**2, mechanism.delta)
    return arriving_law(louder)


def law_that_tells_now_and_then(mechanism: counting.CountMechanism) -> Matrix:
    """Return the law of a mechanism that says the count once in fifty times."""
    identity = matrix([[Q(int(i == j)) for j in range(mechanism.m)] for i in range(mechanism.m)])
    found: Matrix = arriving_law(mechanism) * Q(49, 50) + identity * Q(1, 50)
    return found


@ours(
    Source(None, "mechanisms for counts", "as they are run"),
    formula=arriving_law,
    mutants=(law_with_half_the_noise, law_that_tells_now_and_then),
)
@certified(
    name=(
        "OptimalCount",
        "BehindChannel",
        "TruncatedGeometric",
        "RandomizedResponse",
        "RoundedLaplace",
        "ExponentialMechanism",
        "MatrixRelease",
    ),
    ratio=(Q(3, 2), Q(3)),
    delta=(Q(0), Q(1, 4)),
    digit=(1, 8),
)
def draws_of_counts_spend_what_they_promise(
    law: Formula, name: str, ratio: Q, delta: Q, digit: int
) -> Finding:
    """The law of `release`, found by running it with every answer that uniform integers and
    inversions can give, and behind a channel that of what arrives, is (ln k, δ)-private for
    neighbouring counts in exact arithmetic; with nine tenths of k − 1 (the exponential mechanism: a
    quarter) it would need more than δ. Geometric numbers are drawn in digits of one bit or of
    eight. Inversions have the probabilities that they say: at the cuts between their answers, exact
    sums of them, words of 64 and of 128 random bits decide as exact comparison does, or not.
    """
    assume(delta == 0 or name in ("OptimalCount", "BehindChannel", "MatrixRelease"))
    with digits_of(digit):
        mechanism = _mechanism(name, ratio, delta)
        drawn = law(mechanism)
    sums = all_of(*(equal(sum(row), Q(1)) for row in drawn))
    if sums.holds is not True:
        return sums
    steps = [(i, i + 1) for i in range(len(drawn) - 1)]
    inside = [(drawn[i], drawn[j]) for pair in steps for i, j in (pair, pair[::-1])]
    needed = [hockey_stick(p, q, mechanism.ratio) for p, q in inside]
    less_noise = 1 + (mechanism.ratio - 1) * ATTAINED.get(name, NEARLY_ALL)
    tighter = max(hockey_stick(p, q, less_noise) for p, q in inside)
    return all_of(
        sums,
        *(at_most(each, mechanism.delta) for each in needed),
        less(mechanism.delta, tighter),
    )


FARTHEST = 12  # steps of noise that are enumerated; what is farther is taken together


def cells_of_twice_the_epsilon(mechanism: counting.UniversalCount, count: int, far: int) -> Any:
    """Return the law of the cells of a mechanism of twice the ε."""
    louder = counting.UniversalCount(f"ln({mechanism.ratio**2})", mechanism.delta)
    return drawn_cells(louder, count, far)


def cells_of_half_the_counts(mechanism: counting.UniversalCount, count: int, far: int) -> Any:
    """Return the law of the cells where the count is moved twice as far."""
    return drawn_cells(mechanism, 2 * count, far)


@ours(
    Source(None, "UniversalCount", "as it is run"),
    formula=drawn_cells,
    mutants=(cells_of_twice_the_epsilon, cells_of_half_the_counts),
)
@certified(
    name=("UniversalCount",),
    ratio=(Q(1), Q(3, 2), Q(3)),
    delta=(Q(0), Q(1, 100), Q(2, 5)),
    count=(-1, 4),
)
def draws_of_universal_counts_spend_what_they_promise(
    cells: Formula, name: str, ratio: Q, delta: Q, count: int
) -> Finding:
    """The law of the cell that `release` gives, found by running it with every answer of its
    draws, is (ln k, δ)-private for neighbouring counts in exact arithmetic, and spends δ to the
    last; with nine tenths of k − 1 it would need more. Noise beyond 12 steps is taken together.
    """
    assume(ratio > 1 or delta > 0)
    mechanism = getattr(counting, name)(f"ln({ratio})", delta)
    laws = [cells(mechanism, count + step, FARTHEST) for step in (0, 1)]
    low, high = Q(count - FARTHEST, 1) + Q(3, 2), Q(count + FARTHEST, 1) - Q(1, 2)
    pairs = joint_cells(laws[0], laws[1], low, high)
    p, q = ([pair[side] for pair in pairs] for side in (0, 1))
    sums = all_of(equal(sum(p), Q(1)), equal(sum(q), Q(1)))
    if sums.holds is not True:
        return sums
    rows = matrix([p, q])
    orders = ((rows[0], rows[1]), (rows[1], rows[0]))
    spent = [hockey_stick(first, second, mechanism.ratio) for first, second in orders]
    less_noise = 1 + (mechanism.ratio - 1) * NEARLY_ALL
    tighter = hockey_stick(rows[0], rows[1], less_noise)
    within = equal(spent, [delta, delta])
    return all_of(sums, within, *([less(delta, tighter)] if ratio > 1 else []))
