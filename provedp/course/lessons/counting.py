"""Lesson 3: optimal releases of a count, certificates, channels, and a false bound."""

import itertools
from collections.abc import Mapping
from fractions import Fraction as F
from typing import Any

from provedp.course.answers import number, parts, vector, whole
from provedp.course.checks.functions import call, function
from provedp.course.checks.tables import (
    event_text,
    mechanism,
    require_kept,
    require_private,
)
from provedp.course.checks.values import Mistake, exact_number
from provedp.course.exercise import Exercise, UnreadableError, WrongError
from provedp.theory import channels, counting
from provedp.theory.matrices import Matrix, matrix, product
from provedp.theory.privacy import hockey_stick, worst_event
from provedp.verify.solvers.channel import optimum
from provedp.verify.solvers.check import CertificateError, check_dual

PROVED = F(15, 31)
FLIP = F(2, 9)
NOISY = matrix([[F(4, 5) if i == j else F(1, 10) for j in range(3)] for i in range(3)])
TRIED = [(m, k) for m in (2, 3, 4, 5, 6) for k in (F(3, 2), F(3))]


def _another(answer: Any) -> str:
    read = mechanism(answer, 3, 3)
    require_private(read, 2, row="count")
    require_kept(read, counting.diagonal(3, F(2), F(0)), stated=True)
    if (read == counting.release_matrix(3, F(2), F(0))).all():
        raise WrongError(
            "It is private and optimal, but it is P* itself.",
            "Think: which entries of P* are off the diagonal and not in the middle row?",
        )
    return "As good as P*, and another table."


def _multipliers(answer: Any) -> dict[tuple[int, int], list[F]]:
    if not isinstance(answer, Mapping):
        raise UnreadableError("The multipliers should be a dictionary from (a, b) to five numbers.")
    found = {}
    for key, row in answer.items():
        listed = key.strip("() ").split(",") if isinstance(key, str) else key
        a, b = vector(list(listed), 2, "a pair of rows")
        pair = whole(a), whole(b)
        found[pair] = vector(row, 5, f"the multipliers of {pair}")
    return found


def _certificate(answer: Any) -> str:
    given, rows = parts(answer, "weights", "multipliers")
    weights, multipliers = vector(given, 5, "the weights"), _multipliers(rows)
    for (a, b), row in multipliers.items():
        if min(row) < 0:
            raise WrongError(f"The multipliers of {(a, b)} hold {min(row)}: none may be negative.")
    try:
        bound = check_dual(weights, multipliers, F(2), F(0))
    except CertificateError as error:
        raise WrongError(
            f"It is no certificate: {str(error).replace('y is', 'the weights are')}"
        ) from None
    if bound < PROVED:
        raise WrongError(
            f"It proves that the error is at least {bound}, which is less than {PROVED}.",
            _where_it_leaks(weights, multipliers),
        )
    return f"It proves that every release errs with probability at least {bound}."


def _where_it_leaks(weights: list[F], multipliers: dict[tuple[int, int], list[F]]) -> str:
    """Return a sentence on the row whose coefficients differ most: that is what a row costs."""
    spreads = []
    for i in range(1, 6):
        gain = [weights[i - 1] * (i == j) for j in range(1, 6)]
        for (a, b), row in multipliers.items():
            if a == i:
                gain = [g - x for g, x in zip(gain, row, strict=True)]
            if b == i:
                gain = [g + 2 * x for g, x in zip(gain, row, strict=True)]
        spreads.append((max(gain), i))
    largest, i = max(spreads)
    return (
        f"Think: in row {i} the largest coefficient that is left is {largest}. In all rows but one"
        " they could cancel."
    )


def _false_bound(answer: Any) -> str:
    given, ratio = parts(answer, "channel", "k")
    channel = mechanism(given, 3, 3, "the channel")
    k = number(ratio, "k")
    for (i, j), entry in _entries(channel):
        if entry == 0:
            raise WrongError(f"Row {i}, column {j} of the channel is 0, and zeros are not allowed.")
    if not 1 < k <= 100:
        raise WrongError(f"k should be above 1 and at most 100. Got {k}.")
    try:
        bound = channels.assignment_mixing_error_as_printed(channel, k, F(0))
    except (ValueError, ZeroDivisionError):
        raise WrongError(
            "The printed bound is not defined for this channel.",
            "Think: it needs a channel that can be inverted.",
        ) from None
    best = optimum.least_error_behind(channel, k, F(0))
    if bound >= best.lower:
        raise WrongError(
            f"Here the printed bound is {bound}, and the least error is {best.lower}: it holds.",
            "Think: for which k is the channel itself more private than asked for?",
        )
    return f"The printed bound is {bound}, below the least error {best.lower}."


def _entries(read: Matrix) -> list[tuple[tuple[int, int], F]]:
    places = itertools.product(*(range(size) for size in read.shape))
    return [((i + 1, j + 1), read[i, j]) for i, j in places]


def _sent(answer: Any) -> str:
    read = mechanism(answer, 3, 3)
    seen = product(read, NOISY)
    require_private(seen, 2, name="What the reader sees, P T,", row="count")
    require_kept(seen, counting.diagonal(3, F(2), F(0)))
    return "The reader sees a private release that no other one beats: the channel costs nothing."


def _every_size(answer: Any) -> str:
    mine = function(answer)
    for m, k in TRIED:
        words = f"for m = {m}, k = {k}"
        found = call(mine, m, k, with_words=words)
        try:
            read = mechanism(found, m, m, "the table")
            require_private(read, k, row="count")
            require_kept(read, counting.diagonal(m, k, F(0)))
        except (WrongError, UnreadableError) as error:
            raise type(error)(f"It goes wrong {words}.", *str(error).split("\n")) from None
    return f"Optimal in all {len(TRIED)} cases that were tried."


def _not_cyclic(answer: Any) -> str:
    read = mechanism(answer, 4, 4)
    require_private(read, 2, row="count")
    gaps = [hockey_stick(read[a], read[b], F(2)) for a, b in ((0, 3), (3, 0))]
    if max(gaps) == 0:
        ratio = max(max(p / q, q / p) for p, q in zip(read[0], read[3], strict=True) if p and q)
        raise WrongError(
            f"It is private along the line, and around the circle too: counts 1 and 4 differ by the"
            f" factor {ratio} at most.",
            "Think: how far can three steps lead?",
        )
    a, b = ((1, 4), (4, 1))[gaps.index(max(gaps))]
    event = worst_event(read[a - 1], read[b - 1], F(2)).outcomes
    return (
        f"Counts {a} and {b} are told apart by the event {event_text(j + 1 for j in event)}, and no"
        " neighbours are."
    )


EXERCISES = (
    Exercise(
        "counting-1", 3, "The least error",
        "What is the least worst-case error of a consistent release of a count in {1, …, 6} that"
        " is (ln 3, 1/20)-private?",
        "an exact number", "Fraction(1, 2)",
        ("Theorem 1: (1 − δ)(1 − α).",
         "1/α is the sum of k^(−d) over the distances around a circle of six points.",
         "the distances are 0, 1, 1, 2, 2, 3."),
        exact_number(
            lambda: counting.error(6, F(3), F(1, 20)),
            [Mistake(lambda: counting.error(6, F(3), F(0)),
                     "This is the least error for δ = 0.\n"
                     "Think: with probability δ the release may do what it likes."
                     " What would you have it do?"),
             Mistake(lambda: counting.diagonal(6, F(3), F(1, 20)),
                     "This is the probability to be right.\nThink: an error is asked for."),
             Mistake(lambda: F(19, 20) * (1 - 1 / sum(F(3) ** -d for d in range(6))),
                     "You measured distances along the line, from its end.\n"
                     "Think: in the theorem the counts stand around a circle."),
             Mistake(lambda: F(5, 8), "This is randomised response.\n"
                     "Think: near counts may be confused more often than far ones."),
             Mistake(lambda: counting.error_limit(F(3), F(1, 20)),
                     "This is the limit for many counts, and there are six.")],
            low="It is too small: no release errs so little.\n"
                "Think: (1 − δ)(1 − α); what is α on a circle of six?",
            high="Some release errs less.\nThink: (1 − δ)(1 − α); what is α on a circle of six?",
            praise="Theorem 1, and the linear program agrees.", allowed=(0, 1)),
    ),
    Exercise(
        "counting-2", 3, "Another optimum",
        "For three counts, e^ε = 2 and δ = 0, P* errs with probability 1/2. Find another release"
        " that is private and errs with probability 1/2 at most.",
        "a 3 × 3 table of exact numbers",
        '[["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]',
        ("the diagonal and the middle row are forced.",
         "row 1 is (1/2, 1/4, 1/4) in P*: move mass between its last two entries.",
         "stop before a constraint against row 2, (1/4, 1/2, 1/4), breaks."),
        _another,
    ),
    Exercise(
        "counting-3", 3, "A certificate of your own",
        "For five counts, e^ε = 2 and δ = 0, prove that every release errs with probability at"
        " least 15/31. Give weights w₁, …, w₅ of x ≤ p_ii (sum one), and for some pairs (a, b) of"
        " neighbouring rows five multipliers μ_j ≥ 0 of p_aj ≤ 2 p_bj.",
        "a dictionary with the keys 'weights' and 'multipliers', the latter a dictionary from"
        " (a, b) to five numbers",
        '{"weights": ["1/5"] * 5, "multipliers": {(2, 1): [0, "1/5", 0, 0, 0]}}',
        ("put the centre of the certificate on the first row.",
         "weights that halve from row to row; each row i > 1 against row i − 1.",
         "row i carries its weight on the outcomes i, …, 5."),
        _certificate,
    ),
    Exercise(
        "counting-4", 3, "A false bound",
        "Find a channel for three counts, without zeros, and a k at which the printed third bound"
        " u₃ is below the least error p_e*(T), at δ = 0.",
        "a dictionary with the keys 'channel' (a 3 × 3 table) and 'k' (an exact number)",
        '{"channel": [["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]],'
        ' "k": 2}',
        ("in the lesson T was a 2 × 2 table. Which one, in words?",
         "it was the optimal release for a smaller k.",
         "do the same with three counts: the printed weight exceeds 1 to use up what is left."),
        _false_bound,
    ),
    Exercise(
        "counting-5", 3, "When a channel is free",
        "A binary channel flips two messages in nine. Up to which k = e^ε can the reader receive"
        " P* for two counts, at δ = 0?",
        "an exact number", "Fraction(2, 1)",
        ("for two counts P* is randomised response.",
         "sending can only add noise to that of the channel.",
         "when does P* flip two in nine?"),
        exact_number(
            lambda: (1 - FLIP) / FLIP,
            [Mistake(lambda: 1 / FLIP, "1/k is not the probability to err.\n"
                     "Think: P* errs with probability 1/(k + 1)."),
             Mistake(lambda: FLIP / (1 - FLIP), "It is upside down.\nThink: k is at least 1.")],
            low="Up to there it is free indeed, and beyond as well.\n"
                "Think: compare the noise of the channel with that of P*.",
            high="There P* has less noise than the channel, and the reader cannot receive it.\n"
                 "Think: compare the noise of the channel with that of P*.",
            praise="There P* is the channel itself."),
    ),
    Exercise(
        "counting-6", 3, "What to send",
        "T keeps each of three messages with probability 4/5 and turns it into each other one with"
        " probability 1/10. Give a table P of what to send so that the reader's table P T is"
        " (ln 2, 0)-private and errs as little as if there were no channel.",
        "a 3 × 3 table of exact numbers",
        '[["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]',
        ("the reader should receive an optimal release.",
         "solve P T = P* for P.",
         "T = 7/10 I + 1/10 J, with J all ones: subtract 1/10 everywhere and divide by 7/10."),
        _sent,
    ),
    Exercise(
        "counting-7", 3, "Every size",
        "Write a function of m and k (a Fraction) that returns the table of an optimal release of a"
        " count in {1, …, m}, at e^ε = k and δ = 0. It is tried for several m and k.",
        "a function of m and k",
        "lambda m, k: [[Fraction(1, m)] * m for _ in range(m)]",
        ("weights k^(−d) with a distance d, divided by their sum.",
         "d is measured around a circle of m points.",
         "d(i, j) = min(|i − j|, m − |i − j|)."),
        _every_size,
    ),
    Exercise(
        "counting-8", 3, "Not around the circle",
        "P* is private around the circle: counts 1 and m too are hard to tell apart. Privacy asks"
        " for neighbours on the line only. For four counts, find a (ln 2, 0)-private release"
        " in which some event is more than twice as likely for one of the counts 1 and 4 as for"
        " the other.",
        "a 4 × 4 table of exact numbers", "[[1, 0, 0, 0]] * 4",
        ("a peer of P* will do.",
         "noise that stops at the ends, in the place of going around.",
         "the truncated geometric mechanism."),
        _not_cyclic,
    ),
)  # fmt: skip
