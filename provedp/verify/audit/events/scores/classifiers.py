"""Learned scores for vectors and mixed outputs, by scikit-learn, kept as plain numbers."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from provedp import extras
from provedp.theory.arrays import Floats
from provedp.verify.audit.events.scores.score import Score
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.audit.targets.shown import shown

Labels = NDArray[np.float64]

PAIRWISE = 8  # coordinates up to which differences are features
MOST_TOKENS = 30
ROWS, TREE_ROWS = 20_000, 8_000  # runs on each data set that a score or a tree is fitted on
LEAVES = 24
LEAF_RUNS = 20
PRIOR = 0.5
COLLINEAR = 1e-6  # share of variance below which a combination of columns is constant
CHANCE = 3.0  # standard errors


def features(batch: Batch, tokens: tuple[str, ...], width: int) -> Floats:
    """Return numbers, their squares and order statistics, gaps between them, and the tokens.

    Parameters
    ----------
    batch
        Outputs.
    tokens
        The tokens that have a column of their own.
    width
        How many numbers are looked at; missing ones count as 0 and have a column that says so.
    """
    x = np.zeros((len(batch), width))
    known = min(width, batch.numbers.shape[1])
    missing = np.ones_like(x)
    missing[:, :known] = np.isnan(batch.numbers[:, :known])
    x[:, :known] = np.where(missing[:, :known] > 0, 0.0, batch.numbers[:, :known])
    x = np.clip(x, -1e12, 1e12)
    columns = [x, missing, x * x]
    if width > 1:
        columns += [x.max(1)[:, None], x.min(1)[:, None], x.sum(1)[:, None]]
        columns.append((np.argmax(x, 1)[:, None] == np.arange(width)).astype(np.float64))
    if 1 < width <= PAIRWISE:
        i, j = np.triu_indices(width, 1)
        columns.append(np.abs(x[:, i] - x[:, j]))
    columns_of = np.array([tokens.index(t) if t in tokens else -1 for t in batch.tokens] or [-1])
    columns.append((columns_of[batch.codes][:, None] == np.arange(len(tokens))).astype(np.float64))
    return np.asarray(np.hstack(columns))


def shape_of(first: Batch, second: Batch) -> tuple[tuple[str, ...], int]:
    """Return the tokens and the width for `features`."""
    tokens = tuple(sorted(set(first.tokens) | set(second.tokens)))
    width = max(first.numbers.shape[1], second.numbers.shape[1])
    return (tokens if 1 < len(tokens) <= MOST_TOKENS else ()), width


def _training(
    first: Batch, second: Batch, rows: int
) -> tuple[Floats, Labels, tuple[str, ...], int]:
    tokens, width = shape_of(first, second)
    parts = [features(batch.rows(slice(0, rows)), tokens, width) for batch in (first, second)]
    labels = np.concatenate([np.ones(len(parts[0])), np.zeros(len(parts[1]))])
    return np.vstack(parts), labels, tokens, width


@dataclass(frozen=True)
class Linear(Score):
    """A weighted sum of features: logistic regression."""

    kind: ClassVar[str] = "linear"
    tokens: tuple[str, ...]
    width: int
    weights: tuple[float, ...]

    def of(self, batch: Batch) -> Floats:
        """Return the sums."""
        return np.asarray(features(batch, self.tokens, self.width) @ np.array(self.weights))

    def words(self, threshold: float, above: bool) -> str:
        """Name the largest weights."""
        order = np.argsort(-np.abs(self.weights[: self.width]))[:4]
        terms = " ".join(f"{self.weights[i]:+.3g}*output[{i}]" for i in order)
        comparison = ">=" if above else "<="
        return f"a learned linear score ({terms} + …) {comparison} {threshold:.6g}"


def fit_linear(first: Batch, second: Batch, squares: bool) -> Linear:
    """Return the logit of a logistic regression on the numbers alone, or on all features."""
    x, labels, tokens, width = _training(first, second, ROWS)
    spread = x.std(0)
    used = np.flatnonzero(spread > 0)
    if not squares:
        used = used[used < width]
    if len(used) == 0:
        return Linear(tokens, width, (0.0,) * x.shape[1])
    standard = (x[:, used] - x[:, used].mean(0)) / spread[used]
    basis = _basis(standard)
    linear_model = extras.load("sklearn.linear_model")
    model = linear_model.LogisticRegression(solver="newton-cholesky", max_iter=30)
    model.fit(standard @ basis, labels)
    weights = np.zeros(x.shape[1])
    weights[used] = _significant(basis @ model.coef_[0], basis, len(x)) / spread[used]
    return Linear(tokens, width, tuple(weights.tolist()))


def _basis(x: Floats) -> Floats:
    """Return combinations of standardised columns that are uncorrelated, of variance one."""
    values, vectors = np.linalg.eigh(x.T @ x / len(x))
    kept = values > COLLINEAR
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]))


def _significant(weights: Floats, basis: Floats, rows: int) -> Floats:
    """Return logistic weights without those that are 0 but for chance, each and all together.

    So that coordinates that say nothing do not blur what the others say.
    """
    covariance = basis @ basis.T * 4 / rows  # where the data sets are nearly alike
    small = np.abs(weights) < CHANCE * np.sqrt(np.diag(covariance))
    some = weights[small]
    together = some @ np.linalg.pinv(covariance[np.ix_(small, small)]) @ some
    if together > len(some) + CHANCE * np.sqrt(2 * len(some)):
        return weights
    return np.where(small, 0.0, weights)


@dataclass(frozen=True)
class Tree(Score):
    """The logarithm of the ratio of frequencies in the leaves of a decision tree."""

    kind: ClassVar[str] = "tree"
    tokens: tuple[str, ...]
    width: int
    column: tuple[int, ...]
    cut: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def of(self, batch: Batch) -> Floats:
        """Return the value of the leaf of each output."""
        x = features(batch, self.tokens, self.width).astype(np.float32)
        column, cut, left, right = map(np.array, (self.column, self.cut, self.left, self.right))
        node = np.zeros(len(batch), dtype=np.int64)
        while (inner := left[node] >= 0).any():
            at = node[inner]
            goes_left = x[inner, column[at]] <= cut[at]
            node[inner] = np.where(goes_left, left[at], right[at])
        return np.asarray(np.array(self.value)[node])

    def words(self, threshold: float, above: bool) -> str:
        """Say how many leaves."""
        comparison = ">=" if above else "<="
        leaves = sum(child < 0 for child in self.left)
        if leaves == 2 and (name := form_of(self.column[0], self.tokens, self.width)):
            right = self.value[self.right[0]]
            inside = right >= threshold if above else right <= threshold
            return f"the output is {'' if inside else 'not '}of the form {name}"
        return f"a learned tree of {leaves} leaves gives a log-ratio {comparison} {threshold:.6g}"


def form_of(column: int, tokens: tuple[str, ...], width: int) -> str | None:
    """Return the form of outputs whose token has this column among the features, or None.

    >>> form_of(4, ("null", '[0,"a"]'), 1)
    "[…, 'a']"
    """
    none = Batch(np.empty((0, width)), np.empty(0, dtype=np.int32), ())
    first = features(none, tokens, width).shape[1] - len(tokens)
    return None if column < first else shown(tokens[column - first], []).replace("nan", "…")


def fit_tree(first: Batch, second: Batch) -> Tree:
    """Return a decision tree on all features but squares, whose cuts two cuts replace."""
    trees = extras.load("sklearn.tree")
    x, labels, tokens, width = _training(first, second, TREE_ROWS)
    model = trees.DecisionTreeClassifier(
        max_leaf_nodes=LEAVES, min_samples_leaf=LEAF_RUNS, random_state=0, criterion="log_loss"
    )
    indices = np.arange(x.shape[1])
    used = indices[(x.std(0) > 0) & ((indices < 2 * width) | (indices >= 3 * width))]
    if len(used) == 0:
        return Tree(tokens, width, (0,), (0.0,), (-1,), (-1,), (0.0,))
    tree = model.fit(x[:, used], labels).tree_
    shares = tree.value[:, 0, :] * tree.n_node_samples[:, None]
    sizes = [labels.sum(), len(labels) - labels.sum()]
    value = np.log((shares[:, 1] + PRIOR) / sizes[0] * sizes[1] / (shares[:, 0] + PRIOR))
    fields = (
        used[np.maximum(tree.feature, 0)],
        tree.threshold,
        tree.children_left,
        tree.children_right,
        value,
    )
    return Tree(tokens, width, *(tuple(each.tolist()) for each in fields))
