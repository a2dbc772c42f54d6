"""Lesson 7: the best release for a loss, a prior, neighbours; small cases that prove nothing."""

from collections.abc import Sequence
from fractions import Fraction as F
from typing import Any

from provedp.course.answers import described, listed, vector, whole
from provedp.course.checks.tables import (
    THINK_PRIVATE,
    mechanism,
    require_distribution,
    require_private,
)
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.theory import counting
from provedp.theory.counting.canonical import canonical_cdf
from provedp.theory.counting.graphs import ball_bound
from provedp.theory.counting.losses import loss_matrix
from provedp.theory.counting.rivals import coarse_choice_error
from provedp.theory.matrices import Matrix
from provedp.theory.numbers import rational
from provedp.verify.claims.counting.instances.small_graphs import DOUBLE_STAR, shape
from provedp.verify.solvers.release.graphs import Edges, checked, reached, within
from provedp.verify.solvers.release.problem import ReleaseBracket, ReleaseProblem
from provedp.verify.solvers.release.remapped import least_remapped_loss
from provedp.verify.solvers.release.solver import enclosed

Losses = Sequence[Sequence[F | int]]

PARITY = [[(i - j) % 2 for j in range(3)] for i in range(3)]
PARITY_RATIO, PARITY_DELTA = F(3), F(1, 20)
AWAKE_RATIO, AWAKE_LOSS = F(7, 4), F(99, 100)
NOISE_RATIO, NOISE_DELTA, NOISE_LOSS = F(3, 2), F(1, 10), F(3, 4)
VERTICES = 7
GAPS, CHOICE_RATIO = (-2, -1, 0, 1, 2), F(4)


def _losses(law: Matrix, loss: Losses) -> list[F]:
    return [
        sum((x * p for x, p in zip(costs, row, strict=True)), start=F(0))
        for costs, row in zip(loss, law, strict=True)
    ]


def _require_loss(law: Matrix, loss: Losses, most: F, what: str, think: str) -> None:
    """Raise `WrongError` if a count loses more than is asked for."""
    for i, value in enumerate(_losses(law, loss), start=1):
        if value > most:
            raise WrongError(
                f"It is private, but for count {i} the {what} is {value}, more than {most}.", think
            )


def _best(
    loss: Losses, ratio: F, delta: F = F(0), prior: Sequence[F] | None = None, edges: Edges = ()
) -> ReleaseBracket:
    """Return the least loss on a graph of counts, the path if it is not given."""
    costs = tuple(tuple(F(entry) for entry in row) for row in loss)
    weights = None if prior is None else tuple(prior)
    neighbours = edges or within(len(costs), 1)
    return enclosed(ReleaseProblem(costs, weights, neighbours, ratio, delta))


def _least_parity(m: int, delta: F) -> F:
    loss = [[(i - j) % 2 for j in range(m)] for i in range(m)]
    return _best(loss, PARITY_RATIO, delta).upper


def _parity(answer: Any) -> str:
    read = mechanism(answer, 3, 3)
    require_private(read, PARITY_RATIO, row="count")
    least = _least_parity(3, F(0))
    _require_loss(
        read, PARITY, least, "probability of the wrong parity",
        "Think: forget the count. Which two answers are enough?",
    )  # fmt: skip
    return "The parity is answered as well as privacy allows."


def _awake(answer: Any) -> str:
    read = mechanism(answer, 3, 3)
    require_private(read, AWAKE_RATIO, row="count")
    _require_loss(
        read, loss_matrix("squared", 3), AWAKE_LOSS, "mean squared error",
        "Think: a release that always says 2 has 1 at both ends. Which rows can still gain?",
    )  # fmt: skip
    return "It listens to the data, and that pays."


def _weights(answer: Any) -> list[F]:
    weights = vector(answer, 3)
    require_distribution(weights, "the answer")
    return weights


def _favourable(answer: Any) -> str:
    weights = _weights(answer)
    loss = loss_matrix("absolute", 3)
    least = _best(loss, F(2)).lower
    found = _best(loss, F(2), prior=weights)
    if found.lower < least:
        raise WrongError(
            f"Who believes these weights can have a mean loss of {found.upper}, less than {least}.",
            "Think: no count should be better off than another, and the two ends are alike.",
        )
    return f"With these weights nobody loses less than {least}: so some count always does not."


def _odd_one_out(answer: Any) -> str:
    weights = _weights(answer)
    loss = loss_matrix("zero-one", 3)
    best = _best(loss, F(2), prior=weights, edges=within(3, 2)).upper
    law = counting.randomized_response_matrix(3, F(2)).tolist()
    served = least_remapped_loss(law, loss, tuple(weights))
    if served == best:
        raise WrongError(
            f"Randomised response, remapped, errs with {served}, and for these weights no release"
            " errs less.",
            "Think: whom does it serve badly that it keeps all three values apart?",
        )
    return f"Randomised response errs with {served} at best, and some release with {best}."


def _graph(answer: Any) -> str:
    edges = [_edge(each) for each in listed(answer)]
    missing = set(range(1, VERTICES + 1)) - reached(VERTICES, edges)
    if missing:
        raise WrongError(f"There is no way from vertex 1 to vertex {min(missing)}.")
    try:
        kept = checked("the graph", edges, VERTICES)
    except ValueError:
        raise WrongError("An edge is there twice, or leads from a vertex to itself.") from None
    if shape(VERTICES, kept) == shape(VERTICES, DOUBLE_STAR):
        raise WrongError(
            "This is the double star of the lesson.", "Think: which edge may be added?"
        )
    bound = rational(ball_bound(VERTICES, kept, F(3), F(0)))
    best = _best(loss_matrix("zero-one", VERTICES), F(3), edges=kept)
    if best.lower == bound:
        raise WrongError(
            f"Here the least error is {bound}, and the bound is attained.",
            "Think: change as little as possible in the double star.",
        )
    return f"The bound is {bound}, and the least error {best.lower}."


def _edge(entry: Any) -> tuple[int, int]:
    ends = [whole(end, "an end of an edge") for end in listed(entry, "an edge")]
    if len(ends) != 2 or not all(1 <= end <= VERTICES for end in ends):
        raise UnreadableError(
            f"An edge should be two vertices from 1 to {VERTICES}. Got {described(entry)}."
        )
    return ends[0], ends[1]


def _thresholds(answer: Any) -> str:
    first, second = vector(answer, 2)
    if first > second:
        raise WrongError("The thresholds should ascend: the output counts those that are exceeded.")
    if max(abs(first), abs(second)) > 100:
        raise WrongError("No noise leads so far: both lie between −100 and 100.")
    rows = []
    for i in (1, 2, 3):
        below = [rational(canonical_cdf(x - i, NOISE_RATIO, NOISE_DELTA)) for x in (first, second)]
        rows.append([below[0], below[1] - below[0], 1 - below[1]])
    lost = [
        sum((x * p for x, p in zip(costs, row, strict=True)), start=F(0))
        for costs, row in zip(loss_matrix("squared", 3), rows, strict=True)
    ]
    worst = max(lost)
    if worst > NOISE_LOSS:
        raise WrongError(
            f"Count {lost.index(worst) + 1} has the mean squared error {worst}, more than"
            f" {NOISE_LOSS}.",
            "Think: the ends are alike, so the thresholds lie on both sides of 2, equally far.",
        )
    return "No private release has less in its worst case, and the same noise serves others too."


def _choice(answer: Any) -> str:
    read = mechanism(answer, len(GAPS), 2)
    pairs = [pair for a, b in within(len(GAPS), 2) for pair in ((a, b), (b, a))]
    try:
        require_private(read, CHOICE_RATIO, pairs=pairs)
    except WrongError as error:
        lines = [line for line in str(error).split("\n") if line != THINK_PRIVATE]
        think = "Think: rows are neighbours up to two apart, since both scores may move by one."
        raise WrongError(*lines, think) from None
    for i, (gap, row) in enumerate(zip(GAPS, read, strict=True), start=1):
        worse = row[1] if gap > 0 else row[0] if gap < 0 else F(0)
        least = rational(coarse_choice_error(CHOICE_RATIO, abs(gap)))
        if worse > least:
            raise WrongError(
                f"It is private, but in row {i} the worse candidate has probability {worse}, and"
                " less is possible.",
                "Think: ratios of 4 against the rows two away. Which rows do they tie together?",
            )
    return "At every gap it errs least; permute-and-flip errs more often at the odd ones."


EXERCISES = (
    Exercise(
        "optimal-1", 7, "Even or odd",
        "Only the parity of a count is asked for: whoever gets a number of the wrong parity loses"
        " 1, and nobody else loses anything. What is the least worst-case loss of a"
        " (ln 3, 1/20)-private release of a count in {1, …, 4}?",
        "an exact number", "Fraction(1, 2)",
        ("neighbouring counts have different parities: it is a question with two answers.",
         "without δ, randomised response of the parity is right with probability 3/4.",
         "with probability δ the parity may be told: (1 − δ)/(k + 1)."),
        exact_number(
            lambda: _least_parity(4, PARITY_DELTA),
            [Mistake(lambda: _least_parity(4, F(0)),
                     "This is the least loss for δ = 0.\n"
                     "Think: what may a release do with probability δ?"),
             Mistake(lambda: 1 - _least_parity(4, PARITY_DELTA),
                     "This is the probability of the right parity.\nThink: a loss is asked for."),
             Mistake(lambda: counting.error(4, PARITY_RATIO, PARITY_DELTA),
                     "This is the least probability of a wrong count.\n"
                     "Think: the counts 1 and 3 are equally good here.")],
            low="It is too small: no release loses so little.\n"
                "Think: how well can two neighbours be told apart?",
            high="Some release loses less.\nThink: forget the count, and answer the parity.",
            praise="Randomised response of the parity, told outright with probability δ.",
            allowed=(0, 1)),
    ),
    Exercise(
        "optimal-2", 7, "Answer what is asked",
        "For three counts, e^ε = 3 and δ = 0, give a private release whose output has the wrong"
        " parity with probability 1/4 at most, whatever the count is.",
        "a 3 × 3 table of exact numbers",
        '[["3/4", "3/16", "1/16"], ["1/4", "1/2", "1/4"], ["1/16", "3/16", "3/4"]]',
        ("the counts 1 and 3 may have the same row.",
         "output 2 means even; outputs 1 and 3 both mean odd.",
         "two rows: one says 2 with probability 3/4, the others with 1/4."),
        _parity,
    ),
    Exercise(
        "optimal-3", 7, "When it pays to listen",
        "For three counts, e^ε = 7/4 and δ = 0, a release that always says 2 has the worst-case"
        " squared error 1. Give a private release whose worst-case squared error is at most"
        " 99/100.",
        "a 3 × 3 table of exact numbers", "[[0, 1, 0]] * 3",
        ("the middle count can afford some error: it has none so far.",
         "let count 2 say 1, 2 and 3, and the ends say their own number k times as often.",
         "row 2 is (x, 1 − 2x, x), row 1 is (k x, 1 − k x − x/k, x/k); the smallest worst case has"
         " all rows alike or row 2 as large as it may be."),
        _awake,
    ),
    Exercise(
        "optimal-4", 7, "The least favourable beliefs",
        "For three counts, e^ε = 2, δ = 0 and absolute loss, the least worst-case loss is 4/7."
        " Prove that none is smaller by weights of the counts under which no private release has a"
        " smaller mean loss.",
        "a list of three exact numbers", '["1/3", "1/3", "1/3"]',
        ("a prior is a lower bound: the worst case is at least the mean.",
         "the weights are alike from both ends.",
         "`solve_release(3, 'ln(2)', loss='absolute').weights` has them."),
        _favourable,
    ),
    Exercise(
        "optimal-5", 7, "The odd one out",
        "Three values that are all neighbours, e^ε = 2, δ = 0, and the probability of error as"
        " loss. Give a prior for which randomised response, even after the best remap, is beaten by"
        " another private release.",
        "a list of three exact numbers", '["1/3", "1/3", "1/3"]',
        ("for the uniform prior randomised response is the only optimum.",
         "think of somebody who knows that one value does not occur.",
         "then two answers are enough, and randomised response spends privacy on three."),
        _odd_one_out,
    ),
    Exercise(
        "optimal-6", 7, "Another of seven",
        "Find another connected graph with seven vertices, not the double star with other names,"
        " on which the ball bound is not the least error, at e^ε = 3 and δ = 0.",
        "a list of edges, pairs of vertices from 1 to 7",
        "[[1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7]]",
        ("there are only two more, and both look much like the double star.",
         "the hubs of the double star, 1-2, 1-3, 1-4, 2-5, 5-6, 5-7, are 1 and 5.",
         "join the two leaves of a hub to each other."),
        _graph,
    ),
    Exercise(
        "optimal-7", 7, "Round it yourself",
        "A count in {1, 2, 3} was released with continuous canonical noise for e^ε = 3/2 and"
        " δ = 1/10. You fear the worst-case squared error, and say 1 plus the number of thresholds"
        " below what you got. Give the two thresholds for which it is 3/4.",
        "a list of two exact numbers", '["3/2", "5/2"]',
        ("the thresholds lie on both sides of 2, equally far away.",
         "`theory.counting.canonical.canonical_cdf` has the law of the noise: search.",
         "`worst_case_rounding(UniversalCount('ln(3/2)', '1/10'), 3, 'squared', first=1).cuts`."),
        _thresholds,
    ),
    Exercise(
        "optimal-8", 7, "Coarser is better",
        "Two candidates have whole scores, one record moves each by at most 1, and e^ε = 4, δ = 0."
        " Give for the score differences −2, −1, 0, 1, 2 (first less second) the probabilities of"
        " the first and of the second, so that rows at most two apart are private, and at every"
        " difference the worse candidate is chosen as rarely as possible.",
        "a table of five rows of two exact numbers",
        '[["1/8", "7/8"], ["1/4", "3/4"], ["1/2", "1/2"], ["3/4", "1/4"], ["7/8", "1/8"]]',
        ("at differences of 0 and 2 permute-and-flip is optimal: 1/2, and 1/2 divided by 4.",
         "at 1 and −1 it is a question with two answers that are two apart.",
         "randomised response with k = 4 between the rows of −1 and 1."),
        _choice,
    ),
)  # fmt: skip
