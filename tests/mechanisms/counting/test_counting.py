"""Mechanisms for a count: exact laws, exact draws, refusals, and the choice behind a channel."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import chi2

from provedp.mechanisms.counting import (
    BehindChannel,
    ExponentialMechanism,
    OptimalCount,
    RandomizedResponse,
    RoundedLaplace,
    TruncatedGeometric,
)
from provedp.mechanisms.exact import geometric
from provedp.theory.channels import psk_matrix
from provedp.theory.counting import error, release_matrix, worst_case_error
from provedp.theory.matrices import matrix, product
from provedp.theory.privacy import Adjacency, path_delta
from provedp.verify.spending.laws import drawn_law, refused_share

ALPHA = 1e-9  # false alarm of one statistical test; seeds are fixed, so each run decides alike
PEERS = [ExponentialMechanism, RandomizedResponse, RoundedLaplace, TruncatedGeometric]
NOISY = [[F(3, 5), F(1, 4), F(3, 20)], [F(1, 5), F(11, 20), F(1, 4)], [F(1, 10), F(3, 10), F(3, 5)]]


def mechanisms():
    yield OptimalCount(5, "ln(3/2)", "1/10", first=-2)
    yield from (peer(5, "ln(9/4)", first=-2) for peer in PEERS)
    yield BehindChannel(NOISY, "ln(2)", first=-2)


MECHANISMS = list(mechanisms())
NAMES = [type(mechanism).__name__ for mechanism in MECHANISMS]


@pytest.mark.parametrize("epsilon", [0, 1, 0.1, "ln(2)", F(7, 2), "1e-9"])
@pytest.mark.parametrize("delta", [0, 0.05, "1/3"])
@pytest.mark.parametrize("m", [2, 5, 8])
def test_optimal_release_keeps_its_promise_exactly(m, epsilon, delta):
    mechanism = OptimalCount(m, epsilon, delta)
    promise = mechanism.guarantee
    assert mechanism.law().tolist() == release_matrix(m, promise.ratio, promise.delta).tolist()
    assert path_delta(mechanism.law(), promise.ratio) == promise.delta
    assert mechanism.worst_case_error == error(m, promise.ratio, promise.delta)


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("epsilon", [0, 1, 0.1, "ln(2)", F(7, 2), "1e-9"])
@pytest.mark.parametrize("m", [2, 5, 8])
def test_peers_keep_their_promise_exactly_and_are_not_better(peer, epsilon, m):
    mechanism = peer(m, epsilon)
    assert mechanism.guarantee.delta == 0
    assert path_delta(mechanism.law(), mechanism.guarantee.ratio) == 0
    assert mechanism.guarantee.ratio <= OptimalCount(m, epsilon).ratio * (1 + F(1, 10**11))
    assert mechanism.worst_case_error >= error(m, mechanism.guarantee.ratio, 0)


def test_errors_of_the_peers_by_hand():
    # k = 4, m = 3: 2/(1 + k), 2/(k + 2), e^(−ε/2) and 1 − 1/(1 + 2/2).
    assert TruncatedGeometric(3, "ln(4)").worst_case_error == F(2, 5)
    assert RandomizedResponse(3, "ln(4)").worst_case_error == F(1, 3)
    assert RoundedLaplace(3, "ln(4)").worst_case_error == F(1, 2)
    assert ExponentialMechanism(3, "ln(4)").worst_case_error == F(1, 2)
    assert OptimalCount(3, "ln(4)").worst_case_error == F(1, 3)


def test_guarantee_says_what_and_why():
    promise = OptimalCount(8, 0.5, "1e-6").guarantee
    assert (promise.epsilon, promise.delta) == ("0.5", F(1, 10**6))
    assert promise.adjacency is Adjacency.NEIGHBOURING_COUNTS
    assert promise.claim == "counting.canonical_release_is_private"
    assert [mechanism.claimed for mechanism in MECHANISMS] == [m.guarantee for m in MECHANISMS]


BUILT = [OptimalCount, *PEERS]


@pytest.mark.parametrize("digit_bits", [1, 2, 8])
@pytest.mark.parametrize("build", BUILT)
@pytest.mark.parametrize("m", [2, 3, 4, 5, 9])
@pytest.mark.parametrize("epsilon", [0, "ln(9/4)"])
def test_laws_of_what_is_drawn_are_exact(build, m, epsilon, digit_bits, monkeypatch):
    """All answers of all draws, each of which is held against exact cuts; digits of any length."""
    monkeypatch.setattr(geometric, "DIGIT_BITS", digit_bits)
    mechanism = build(m, epsilon)
    assert drawn_law(mechanism).tolist() == mechanism.law().tolist()


@pytest.mark.parametrize("m", [2, 3, 4, 5, 6])
@pytest.mark.parametrize(("epsilon", "delta"), [("ln(3)", "1/3"), ("ln(5/4)", "2/5"), (0, "1/7")])
def test_laws_of_optimal_releases_with_delta_are_exact(m, epsilon, delta):
    mechanism = OptimalCount(m, epsilon, delta, first=-2)
    assert drawn_law(mechanism).tolist() == mechanism.law().tolist()


@pytest.mark.parametrize("build", BUILT)
@pytest.mark.parametrize("epsilon", ["ln(4)", "ln(9/4)"])
@pytest.mark.parametrize("m", [3, 6, 7])
def test_tries_are_refused_as_often_for_every_count(build, epsilon, m):
    mechanism = build(m, epsilon)
    assert len({refused_share(mechanism, count) for count in range(m)}) == 1


def test_a_try_is_refused_as_often_as_by_hand():
    """k = 4, m = 3: backwards 1/5, and the second of two distances 1/5 of the time."""
    assert refused_share(OptimalCount(3, "ln(4)"), 0) == F(1, 25)
    # r = 2, m = 3, from an end: forwards 2/3, of 4 distances 14/15 are possible.
    assert refused_share(ExponentialMechanism(3, "ln(4)"), 0) == 1 - F(2, 3) * F(14, 15)


class Listed:
    """A source of random bytes that keeps what it was asked for."""

    def __init__(self, seed):
        self.asked, self._rng = [], np.random.default_rng(seed)

    def bytes(self, length):
        self.asked.append(length)
        return self._rng.bytes(length)


@pytest.mark.parametrize("epsilon", ["1e-9", 0.5, 40])
@pytest.mark.parametrize("build", [OptimalCount, TruncatedGeometric, RandomizedResponse])
def test_what_is_drawn_does_not_depend_on_the_count(build, epsilon):
    """The same random numbers: as many calls, of the same lengths, and the same noise."""
    m = 1000
    for seed in range(20):
        calls = set()
        for count in (0, 1, 499, 500, 998, 999):
            source = Listed(seed)
            build(m, epsilon).release(count, source)
            calls.add(tuple(source.asked))
        assert len(calls) == 1


def test_rounded_laplace_noise_is_drawn_apart_from_the_count():
    mechanism = RoundedLaplace(1000, 0.5)
    for seed in range(20):
        sources = [Listed(seed) for _ in range(4)]
        for count, source in zip((0, 3, 500, 999), sources, strict=True):
            mechanism.release(count, source)
        assert len({tuple(source.asked) for source in sources}) == 1


@pytest.mark.parametrize("epsilon", ["1e-300", 5e-324, 1e-9, 1, "ln(10/7)", 1000])
def test_digits_take_a_word_each_whatever_is_drawn(epsilon):
    """⌈bits/8⌉ words of 8 bytes, and one for the side: neither k nor the distance matters."""
    mechanism = OptimalCount(2 * 10**9, epsilon)  # distances of 30 bits
    for seed in range(10):
        source = Listed(seed)
        assert mechanism._distances.draw(source) < 1 << 30
        assert source.asked == [8] * 4


LARGE = [(build, e) for build in BUILT for e in (1e-9, "1e-300", 5e-324, "ln(3/2)", 1000)]


@pytest.mark.parametrize(("build", "epsilon"), LARGE)
def test_a_thousand_million_counts_answer_at_once(build, epsilon):
    """The noise is of the right order; that nothing is written down is why this ends."""
    m = 10**9
    mechanism = build(m, epsilon, first=-5)
    rng = np.random.default_rng(11)
    released = mechanism.release([-5, 10**6, m - 6] * 10, rng)
    assert all(-5 <= each < m - 5 for each in released)
    assert "_law" not in vars(mechanism) and "_rows" not in vars(mechanism)
    assert 0 <= mechanism.worst_case_error_upper <= 1
    if epsilon == 1000:
        assert released == [-5, 10**6, m - 6] * 10
    if epsilon == "ln(3/2)" and build is not RandomizedResponse:
        # A distance above 200 has probability below 2 (3/2)^(−100).
        assert all(abs(each - 10**6) < 200 for each in released[1::3])


@pytest.mark.parametrize("build", BUILT)
@pytest.mark.parametrize("epsilon", ["1e-9", "ln(3/2)", 30])
def test_upper_bounds_of_worst_case_errors_are_tight(build, epsilon):
    for m in (2, 3, 8, 101):
        mechanism = build(m, epsilon)
        exact = mechanism.worst_case_error
        assert exact == worst_case_error(mechanism.law())
        assert exact <= mechanism.worst_case_error_upper < exact + F(1, 2**64)


def test_an_error_or_a_law_that_fills_memories_is_refused():
    mechanism = OptimalCount(10**9, 1)
    with pytest.raises(ValueError, match="worst_case_error: the fraction for m = 1000000000"):
        _ = mechanism.worst_case_error
    with pytest.raises(ValueError, match="m must be at most 5000"):
        mechanism.law()
    # 2/(1 + e), to which the error tends
    assert float(mechanism.worst_case_error_upper) == pytest.approx(2 / (1 + np.e), rel=1e-9)


def test_many_counts_are_released_without_their_matrix():
    mechanism = OptimalCount(1_000_001, 1, "1e-9")
    released = mechanism.release([0, 500_000, 1_000_000], np.random.default_rng(3))
    gaps = [
        min(abs(a - b), 1_000_001 - abs(a - b))
        for a, b in zip(released, [0, 500_000, 1_000_000], strict=True)
    ]
    # A step of more than 40 has probability below 2 e^(−40).
    assert max(gaps) <= 40
    assert "_law" not in vars(mechanism)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=NAMES)
def test_replayed_releases_follow_the_law(mechanism):
    size, rng = 20_000, np.random.default_rng(20250701)
    for row in (0, mechanism.m - 1):
        released = mechanism.release([mechanism.first + row] * size, rng)
        counts = np.bincount(np.array(released) - mechanism.first, minlength=mechanism.m)
        expected = np.array([float(p) for p in mechanism.law()[row]]) * size
        possible = expected > 0
        assert counts[~possible].sum() == 0
        statistic = np.sum((counts - expected)[possible] ** 2 / expected[possible])
        assert statistic <= chi2.isf(ALPHA, possible.sum() - 1)


def test_seeds_replay_and_secret_draws_differ():
    mechanism = OptimalCount(64, 1)
    counts = list(range(64)) * 4
    first = mechanism.release(counts, np.random.default_rng(7))
    assert first == mechanism.release(np.array(counts), np.random.default_rng(7))
    assert mechanism.release(counts) != mechanism.release(counts)  # equal once in more than 2^256


def test_one_count_gives_an_integer_and_several_a_list():
    mechanism = OptimalCount(4, 1, first=10)
    assert type(mechanism.release(10)) is int
    assert type(mechanism.release(np.int64(13))) is int
    assert set(mechanism.release(count for count in [10, 11, 12] * 50)) <= {10, 11, 12, 13}
    assert mechanism.release([]) == []


@pytest.mark.parametrize(
    ("counts", "name"),
    [
        (8, "counts"),
        (-1, "counts"),
        (2.5, "counts"),
        (float("nan"), "counts"),
        (True, "counts"),
        (None, "counts"),
        ([0, 1, 9], "counts[2]"),
        ([0, 1.0], "counts[1]"),
        (np.array([0.0, np.nan]), "counts[0]"),
        ([0, None], "counts[1]"),
        ("12", "counts[0]"),
        ([[1, 2]], "counts[0]"),
    ],
)
def test_bad_counts_are_named_but_not_told_before_anything_is_drawn(counts, name):
    class Untouched:
        def bytes(self, length):
            raise AssertionError("drawn")

    with pytest.raises(ValueError) as caught:
        OptimalCount(8, 1).release(counts, Untouched())
    assert str(caught.value) == (
        f"The '{name}' parameter of OptimalCount.release must be an integer in the range [0, 7]. "
        "Got something else instead."
    )


@pytest.mark.parametrize("m", [1, 0, 2.0, "3", None])
def test_bad_sizes_are_refused(m):
    with pytest.raises(ValueError, match="The 'm' parameter of OptimalCount must be an integer in"):
        OptimalCount(m, 1)


def test_a_law_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        OptimalCount(3, 1).law()[0, 0] = F(1)


@pytest.mark.parametrize(
    ("channel", "epsilon", "construction", "expected"),
    [
        (NOISY, "ln(8)", "assignment", F(9, 20)),
        (NOISY, "ln(2)", "mixing", F(87, 160)),
        ([[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]], "ln(3)", "assignment", F(1, 3)),
        ([[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], "ln(2)", "mixing", F(1, 3)),
        ([[F(1, 2), F(1, 3), F(1, 6)]] * 3, "ln(2)", "assignment", F(5, 6)),
        (np.eye(3), "ln(2)", "mixing", F(1, 2)),
    ],
)
def test_choice_behind_a_channel(channel, epsilon, construction, expected):
    mechanism = BehindChannel(channel, epsilon)
    assert mechanism.construction == construction
    assert mechanism.worst_case_error == expected


@pytest.mark.parametrize("decibels", [-5.0, 0.0, 10.0])
@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0), (0.5, 0), (2, "1/50"), (6, 0)])
def test_what_arrives_through_a_float_channel_is_exactly_private(decibels, epsilon, delta):
    mechanism = BehindChannel(psk_matrix(8, decibels), epsilon, delta)
    assert [sum(row) for row in mechanism.channel] == [1] * 8
    received = mechanism.end_to_end()
    assert received.tolist() == product(mechanism.law(), mechanism.channel).tolist()
    assert all(sum(row) == 1 and min(row) >= 0 for row in mechanism.law())
    assert path_delta(received, mechanism.guarantee.ratio) <= mechanism.guarantee.delta
    assert mechanism.worst_case_error >= error(8, mechanism.ratio, mechanism.delta)


def test_a_given_matrix_is_checked_exactly():
    identity = [[F(1), F(0)], [F(0), F(1)]]
    channel = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]
    allowed = BehindChannel(channel, "ln(2)", matrix=identity)
    assert allowed.construction == "given"
    assert allowed.worst_case_error == F(1, 3)
    with pytest.raises(ValueError, match=r"'matrix' parameter .* needs δ ≥ 0.000333"):
        BehindChannel(channel, "ln(1.999)", matrix=identity)
    with pytest.raises(ValueError, match=r"'matrix' parameter .* row 1 that sums to 3/2"):
        BehindChannel(channel, "ln(2)", matrix=[[F(1), F(1, 2)], [F(0), F(1)]])
    with pytest.raises(ValueError, match=r"'matrix' parameter .* with 2 rows. Got a matrix of 3"):
        BehindChannel(channel, "ln(2)", matrix=np.eye(3))


def test_a_bad_channel_is_refused():
    with pytest.raises(
        ValueError, match=r"'channel' parameter of BehindChannel .* row 2 that sums"
    ):
        BehindChannel([[1.0, 0.0], [0.4, 0.5]], 1)
    with pytest.raises(ValueError, match=r"'channel' parameter of BehindChannel .* entries that"):
        BehindChannel(matrix([[F(1, 2), F(1, 2)]] * 2, 3), 1)
