"""Generators of rational distributions, mechanisms, channels and parameters for claims."""

from fractions import Fraction as Q
from typing import Any

from hypothesis import strategies as st

from provedp.verify.ledger import levels

TRIALS = levels(60, 600)  # channels a claim about all of them is tried on


def ratios() -> st.SearchStrategy[Q]:
    """K = e^ε ≥ 1 with small numerators and denominators."""
    return st.builds(lambda a, b: 1 + Q(a, b), st.integers(0, 24), st.integers(1, 8))


def slacks() -> st.SearchStrategy[Q]:
    """δ in [0, 1)."""
    return st.sampled_from([Q(0), Q(1, 1000), Q(1, 20), Q(1, 10), Q(1, 3), Q(1, 2)])


def _weights(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any)


def _normalised(weights: list[int]) -> list[Q]:
    return [Q(weight, sum(weights)) for weight in weights]


def distributions(low: int, high: int) -> st.SearchStrategy[Any]:
    """Pairs of distributions over the same `low` to `high` outcomes."""
    return st.integers(low, high).flatmap(
        lambda size: st.tuples(*[_weights(size).map(_normalised)] * 2)
    )


def mechanisms(low: int, high: int) -> st.SearchStrategy[Any]:
    """Row-stochastic matrices with `low` to `high` rows and columns."""
    return st.integers(low, high).flatmap(
        lambda size: st.lists(_weights(size).map(_normalised), min_size=size, max_size=size)
    )


def channels(low: int, high: int) -> st.SearchStrategy[Any]:
    """Channels: row-stochastic matrices, the identity mixed in so that many are invertible."""
    return st.tuples(mechanisms(low, high), st.integers(0, 4)).map(lambda pair: _leaning(*pair))


def _leaning(mechanism: list[list[Q]], weight: int) -> list[list[Q]]:
    return [
        [(entry + weight * (i == j)) / (1 + weight) for j, entry in enumerate(row)]
        for i, row in enumerate(mechanism)
    ]


def near_identity(low: int, high: int) -> st.SearchStrategy[Any]:
    """Channels that rarely change a message, from once in ten to once in a million."""
    return st.tuples(mechanisms(low, high), st.integers(1, 6)).map(
        lambda pair: _leaning(pair[0], 10 ** pair[1])
    )


def circulants(low: int, high: int) -> st.SearchStrategy[Any]:
    """Circulant channels."""
    return (
        st.integers(low, high)
        .flatmap(_weights)
        .map(_normalised)
        .map(
            lambda row: [
                [row[(j - i) % len(row)] for j in range(len(row))] for i in range(len(row))
            ]
        )
    )


def doubly_stochastic(low: int, high: int) -> st.SearchStrategy[Any]:
    """Mixtures of a few permutations: channels whose columns sum to one too."""
    return st.integers(low, high).flatmap(
        lambda size: st.lists(
            st.tuples(st.permutations(range(size)), st.integers(1, 9)), min_size=1, max_size=4
        ).map(_mixed)
    )


def _mixed(parts: list[tuple[list[int], int]]) -> list[list[Q]]:
    total = sum(weight for _, weight in parts)
    size = len(parts[0][0])
    return [
        [Q(sum(w for order, w in parts if order[i] == j), total) for j in range(size)]
        for i in range(size)
    ]


def singular_channels(low: int, high: int) -> st.SearchStrategy[Any]:
    """Channels with one row that is a mixture of two others, or equal to one."""
    return st.tuples(channels(low, high), st.integers(0, 4)).map(
        lambda pair: _with_dependent_row(*pair)
    )


def _with_dependent_row(channel: list[list[Q]], share: int) -> list[list[Q]]:
    weight = Q(share, 4)
    first, second = channel[0], channel[1]
    last = [weight * a + (1 - weight) * b for a, b in zip(first, second, strict=True)]
    return [*channel[:-1], last]


def positive_channels(low: int, high: int) -> st.SearchStrategy[Any]:
    """Channels with positive entries."""
    return channels(low, high).map(
        lambda channel: [
            [(entry + Q(1, 20)) / (1 + Q(len(channel), 20)) for entry in row] for row in channel
        ]
    )


def rates() -> st.SearchStrategy[Q]:
    """Sampling rates in (0, 1]."""
    return st.builds(lambda a, b: Q(a, a + b), st.integers(1, 12), st.integers(0, 12))


ANY_CHANNEL: dict[str, Any] = {
    "channel": channels(2, 4),
    "k": ratios(),
    "delta": slacks(),
    "examples": TRIALS,
}
POSITIVE_CHANNEL = ANY_CHANNEL | {"channel": positive_channels(2, 4)}
NEAR_IDENTITY = ANY_CHANNEL | {"channel": near_identity(2, 5)}
