"""Audits of recorded outputs: shuffle, learn an event on one part, count it on the rest."""

import hashlib
import math
from typing import Any

import numpy as np

from provedp.theory.domain import check_argument, check_float, integers, reals
from provedp.verify.audit.events.event import Event
from provedp.verify.audit.events.learning import learn
from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.recorded.rows import require_rows, rows_checked, rows_of
from provedp.verify.audit.results.result import AuditResult, counted_result
from provedp.verify.audit.runs.checks import require_independent
from provedp.verify.audit.statistics.exact_test import CONFIDENCE, Counts
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.notions.notions import PrivacyNotion, as_notion

SHARE = 0.25  # of the rows of each side that are learned from, unless it is said
SHARES = reals(0, 1, open_low=True, open_high=True)
SPREADS = 3.2  # √rows that fair coins may want more of one side than half: once in 10⁵ audits
CHECK_ERROR = 1e-6  # of the tests of the order, for rows that are independent
TARGET = "recorded outputs"


def audit_samples(
    first: Any,
    second: Any,
    claim: PrivacyNotion | float,
    *,
    confidence: float = 0.95,
    channel: str = "value",
    share: float | None = None,
    seed: int = 0,
    checks: bool = True,
) -> AuditResult:
    """Test a claim on outputs of a mechanism that were recorded on two adjacent data sets.

    Each row is taken as a run of its own. Records that one fitted generator draws are one run, as
    are the canaries of one training: see `audit_canaries`.

    Parameters
    ----------
    first, second
        Outputs on the two data sets: arrays with a row per run, or lists of anything that a
        mechanism may return. Their numbers of rows may differ.
    claim
        As for `audit`.
    confidence
        Of the bound.
    channel
        'value' or 'bits': see `Options`.
    share
        Part of the rows from which the event is learned; a quarter unless given.
    seed
        Of the coins that draw this part, together with a hash of all rows.
    checks
        Whether each side is tested for rows that depend on those before.

    Returns
    -------
    An `AuditResult` of the target 'recorded outputs'.

    Raises
    ------
    ValueError
        If there are fewer than 40 rows of either, they differ in width, or one side is a copy.
    DependentRuns
        If rows depend on those before them, or drift.

    >>> rng = np.random.default_rng(1)
    >>> rows = rng.laplace(scale=0.5, size=3000), 1 + rng.laplace(scale=0.5, size=2000)
    >>> audit_samples(*rows, 1.0).refuted
    True
    """
    check_argument("audit_samples", "confidence", CONFIDENCE, confidence)
    check_argument("audit_samples", "seed", integers(0), seed)
    given = SHARE if share is None else share
    part = check_float("audit_samples", "share", SHARES, given)
    if channel not in ("value", "bits"):
        raise ValueError(
            "The 'channel' parameter of audit_samples must be 'value' or 'bits': no times are"
            f" recorded. Got {channel!r} instead."
        )
    asked = as_notion("audit_samples", claim)
    sides = rows_of(first, "first"), rows_of(second, "second")
    require_rows(*sides)
    found = rows_checked(*sides, CHECK_ERROR) if checks else ()
    require_independent(found)
    rng = np.random.default_rng([seed, *_hash(*sides)])
    learned, rest = _parted(sides[0], part, rng)
    learned_second, rest_second = _parted(sides[1], part, rng)
    fair = fair_rows(len(rest), len(rest_second))
    event = learn(learned, learned_second, asked, max(1, fair // 2), channel).event
    counts, coins = counts_of(event, rest, rest_second, rng)
    return counted_result(
        counts,
        asked,
        confidence,
        event=event.words,
        event_record={**event.record(), "coins": coins},
        channel=channel,
        pair=0,
        runs=sum(map(len, sides)),
        seed=seed,
        target=TARGET,
        checks=found,
    )


def fair_rows(first: int, second: int) -> int:
    """Return how many rows fair coins can draw from two sides that have so many.

    N rows, of which K ~ Bin(N, 1/2) are of the first; neither side is too short but once in 10⁵.

    >>> fair_rows(700, 1500)
    1230
    """
    fewest = min(first, second)
    return max(0, math.floor(2 * (fewest - SPREADS * math.sqrt(fewest))))


def counts_of(
    event: Event, first: Batch, second: Batch, rng: np.random.Generator
) -> tuple[Counts, int | None]:
    """Return the counts of an event on shuffled rows, and how many fair coins were thrown, if any.

    An event with two sides is counted by the coin that says which side each row is taken from: to
    fold all rows there are would take unequal numbers for the coin's, and refute what is true.
    """
    coins = None
    if event.folded:
        coins = fair_rows(len(first), len(second))
        heads = int(rng.binomial(coins, 0.5))
        if coins == 0 or heads > len(first) or coins - heads > len(second):
            raise ValueError("There are too few rows to draw from both sides by fair coins.")
        first, second = first.rows(slice(heads)), second.rows(slice(coins - heads))
    tally = Tally((len(first), len(second)), event.counts(first), event.counts(second))
    return event.counts_of(tally), coins


def _parted(side: Batch, share: float, rng: np.random.Generator) -> tuple[Batch, Batch]:
    """Return a random part of the rows, and the rest, both in random order."""
    order = rng.permutation(len(side))
    cut = min(len(side) - 1, max(10, round(share * len(side))))
    return side.rows(order[:cut]), side.rows(order[cut:])


def _hash(*sides: Batch) -> list[int]:
    """Return a hash of all rows, so that one request has one answer."""
    digest = hashlib.sha256()
    for side in sides:
        digest.update(repr((side.numbers.shape, side.tokens)).encode())
        digest.update(side.numbers.tobytes() + side.codes.tobytes())
    whole = digest.digest()
    return [int.from_bytes(whole[i : i + 4], "big") for i in range(0, 16, 4)]
