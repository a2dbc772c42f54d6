"""Section IV-C and Remark 1: records that leave, join or change."""

import functools
import itertools

import numpy as np

from provedp.theory import counting, mixture
from provedp.theory.mixture import LabelledData
from provedp.theory.privacy import path_delta
from provedp.verify.claims.prelude import *

COUNTS = [
    counts for classes in (2, 3, 4) for counts in itertools.product((3, 4, 5), repeat=classes)
]


@published(
    Source(MIXTURE, "eq. (31)"),
    Source(MIXTURE, "Section IV-C", "at most K neighbours"),
    formula=mixture.remove_one_histograms,
)
@certified(counts=COUNTS)
def removing_one_record_gives_at_most_k_histograms(
    neighbours: Formula, counts: tuple[int, ...]
) -> Finding:
    """Removing one record changes one count by one, ‖(N − 1)π′ − Nπ‖₁ = 1, and leaves the others:
    at most K histograms, one for each class with at least four records, and never more than a flip
    gives.
    """
    found = {tuple(m) for m in neighbours(list(counts))}
    n = sum(counts)
    by_norm = {
        m
        for m in mixture.histogram_set(n - 1, len(counts))
        if sum(abs((n - 1) * Q(a, n - 1) - n * Q(b, n)) for a, b in zip(m, counts, strict=True))
        == 1
        and min(m) > 2
    }
    flips = mixture.neighbour_histograms(matrix([counts])[0])
    return all_of(
        same_set(found | {counts}, by_norm | {counts}),  # with classes of three there are none
        at_most(len(found), len(counts)),
        equal(len(found), sum(c > 3 for c in counts)),
        at_most(len(found), len(flips)),
    )


@published(
    Source(MIXTURE, "Section IV-C", "'Adding one bounded data point'"),
    formula=mixture.add_one_histograms,
)
@certified(counts=COUNTS)
def adding_one_record_gives_k_histograms(neighbours: Formula, counts: tuple[int, ...]) -> Finding:
    """Adding one record gives exactly K histograms of N + 1 records, one for each class."""
    found = {tuple(m) for m in neighbours(list(counts))}
    every = mixture.histogram_set(sum(counts) + 1, len(counts))
    apart = {m for m in every if all(a >= b for a, b in zip(m, counts, strict=True))}
    return all_of(same_set(found, apart), equal(len(found), len(counts)))


def _grid(n: int, classes: int) -> set[tuple[Q, ...]]:
    """Return the set S of (3) for n records."""
    return {tuple(Q(c, n) for c in m) for m in mixture.histogram_set(n, classes)}


@published(
    Source(MIXTURE, "Section IV-C", "'adapts readily'"),
    Source(MIXTURE, "Remark 1", "'minor and principled modifications'"),
    defect=Defect.FALSE,
)
@machine_checked("witnesses.grids_of_consecutive_sizes_are_disjoint")
@refuted(n=8, classes=2)
def removing_one_record_needs_minor_changes_only(n: int, classes: int) -> Finding:
    """With (31) in the place of (16) the mapping of the weights works for data of N and N − 1
    records: some output of (3) is possible for both.

    The grids of 1/N and 1/(N − 1) have no point in common, so that for every λ the released
    weights tell N from N − 1 with certainty.
    """
    assume(n > classes >= 2)
    shared = _grid(n, classes) & _grid(n - 1, classes)
    return less(0, len(shared))


@repairs(
    removing_one_record_needs_minor_changes_only,
    formula=counting.truncated_geometric_matrix,
    survivors={"size off by one": "a law of one count more is private too"},
)
@certified(n=(4, 8), classes=(2, 3))
def counts_on_one_range_survive_a_removal(law: Formula, n: int, classes: int) -> Finding:
    """What N is must not decide what can come out. Counts released one by one on a fixed range
    0, …, n, here by truncated geometric noise, are (ε₀, 0)-private for removal and addition, which
    change one of the K counts by one; weights are then shares of the released counts.
    """
    findings = []
    for ratio in (Q(11, 10), Q(2)):
        found = law(n + 1, ratio)
        rows = [found[n // classes], found[n // classes - 1]]  # of the class of the record
        others = [found[n // classes]] * (classes - 1)
        joint = [functools.reduce(np.multiply.outer, [row, *others]).ravel() for row in rows]
        findings += [
            equal(path_delta(found, ratio), Q(0)),
            less(Q(0), found),
            *(at_most(list(p), list(ratio * q)) for p, q in (joint, joint[::-1])),
            equal(sum(joint[0]), Q(1)),
        ]
    return all_of(*findings)


@ours(Source(None, "the grids of N and N − 1 records"))
@machine_checked("witnesses.grids_of_consecutive_sizes_are_disjoint")
@proved(argued=("a common point has a_k/N = b_k/(N − 1) for every class, with 1 ≤ a_k ≤ N − 1",))
def grids_of_consecutive_sizes_are_disjoint() -> Finding:
    """For every N and K ≥ 2 the sets S of N and of N − 1 records are disjoint: a/N = b/(N − 1)
    gives a = N(a − b), and a multiple of N is not between 1 and N − 1.
    """
    n, a, b, multiple = sympy.symbols("N a b m", integer=True)
    return all_of(
        entails([n >= 2, sympy.Eq(a * (n - 1), b * n)], sympy.Eq(a, n * (a - b))),
        entails([n >= 2, sympy.Eq(a, n * multiple), multiple >= 1], a >= n),
        entails([n >= 2, sympy.Eq(a, n * multiple), multiple <= 0], a <= 0),
    )


@published(
    Source(MIXTURE, "Section IV-C", "'Changing one feature value'"), formula=mixture.class_weights
)
@certified(counts=COUNTS[:9], record=(0, 5))
def changing_a_feature_leaves_the_weights(
    weights: Formula, counts: tuple[int, ...], record: int
) -> Finding:
    """If a feature changes and no label does, the weights are the same, so releasing them as they
    are costs nothing.
    """
    labels = tuple(k for k, c in enumerate(counts) for _ in range(c))
    points = [[Q(n)] for n in range(len(labels))]
    changed = [[Q(-7)] if n == record else row for n, row in enumerate(points)]
    data, other = (LabelledData(matrix(p), labels, len(counts)) for p in (points, changed))
    return all_of(
        equal(list(weights(data)), list(weights(other))),
        equal(sum(weights(data)), Q(1)),
    )
