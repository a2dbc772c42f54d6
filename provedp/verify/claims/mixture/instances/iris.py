"""The Iris data, exactly as printed and standardised."""

import functools

import numpy as np

from provedp.theory.matrices import matrix
from provedp.theory.mixture import LabelledData
from provedp.verify.ledger import as_printed

__all__ = ["exact_iris", "iris_feature", "standardised_iris"]


@functools.cache
def _table() -> tuple[list[list[float]], tuple[int, ...]]:
    from sklearn.datasets import load_iris  # takes a second to import, and few claims need it

    features, labels = load_iris(return_X_y=True)
    return features.tolist(), tuple(labels.tolist())


def standardised_iris() -> LabelledData:
    """Return the 150 records as floats, each feature with mean 0 and variance 1."""
    features, labels = _table()
    table = np.array(features)
    return LabelledData((table - table.mean(axis=0)) / table.std(axis=0), labels, 3)


def iris_feature(index: int) -> LabelledData:
    """Return one feature of the 150 records as exact decimals."""
    features, labels = _table()
    column = [[as_printed(row[index])] for row in features]
    return LabelledData(matrix(column), labels, 3)


def exact_iris() -> LabelledData:
    """Return the 150 records with four features as exact decimals."""
    features, labels = _table()
    exact = [[as_printed(value) for value in row] for row in features]
    return LabelledData(matrix(exact), labels, 3)
