"""The zoo: laws against frequencies, truths against laws, verdicts of audits."""

import importlib
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special, stats

from provedp.theory.privacy import zcdp
from provedp.verify.audit import (
    audit,
    audit_gaussian,
    audit_matrix,
    audit_pmf,
    check_runs,
    target,
)
from provedp.verify.audit.zoo import accounts, by_name, entries, responses
from provedp.verify.audit.zoo.cells import limit
from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Verdict
from provedp.verify.notions.notions import ApproximateDP

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(BENCHMARKS)
    TABLE = importlib.import_module("audits")
ENTRIES = {entry.name: entry for entry in entries()}
ACCOUNTS = accounts()
LAWS = {name: entry.law() for name, entry in ENTRIES.items() if entry.law is not None}
COMPARED = [name for name in LAWS if ENTRIES[name].other_claim is None]
UNDECIDED = {  # no exact audit: bits of floats, and a law that is an integral
    "Laplace on a grid, bits",
    "numpy Laplace, bits",
    "diffprivlib #23: Wishart",
}
RARE = {  # need more runs than the others
    "no sampling",
    "sparse vector, Alg. 3",
    "partition, threshold − 1",
    "diffprivlib #104: shared budget",
    "opacus #571: divides by n",
    "opendp #2933: one sample",
    "smartnoise #316: squared scale",
    "WFA #4333: noise cut short",
}
RUNS = 20_000
ALPHA = 1e-9  # false alarms of one frequency: under 10⁻⁵ over all of them
CONFIDENCE = 0.999  # of the audits here, which are about verdicts
STEP = 0.02  # by which a truth is made too small; the cells of a law resolve it
LAW = stats.laplace


def excess(cells: Any, epsilon: float) -> float:
    """Return the hockey-stick divergence of the cells, the larger one."""
    k = math.exp(epsilon)
    ways = ((cells.p, cells.q), (cells.q, cells.p))
    return max(float(np.maximum(a - k * b, 0).sum()) for a, b in ways)


@pytest.mark.parametrize("name", LAWS)
def test_frequencies_agree_with_the_law(name: str) -> None:
    """Events of the best kind, exactly by the binomial law, on both data sets."""
    entry, cells = ENTRIES[name], LAWS[name]
    order = cells.order
    for side, (data, law) in enumerate(zip(entry.pair, (cells.p, cells.q), strict=True)):
        assert law.sum() == pytest.approx(1, abs=1e-5) and law.min() >= 0
        outputs = entry.release(data, np.random.default_rng([side, 5]), RUNS)
        found = np.bincount(cells.cell_index(outputs), minlength=len(law))
        assert len(found) == len(law)
        assert found[law == 0].sum() == 0
        hits, shares = (np.cumsum(each[order]) for each in (found, law))
        kept = np.unique(np.searchsorted(shares, np.linspace(0.001, 0.999, 12)))
        hits, shares = hits[kept], np.minimum(1.0, shares[kept])
        assert np.all(stats.binom.cdf(hits, RUNS, shares) > ALPHA / 2)
        assert np.all(stats.binom.sf(hits - 1, RUNS, shares) > ALPHA / 2)


@pytest.mark.parametrize("name", COMPARED)
def test_truth_is_the_least_epsilon_of_the_law(name: str) -> None:
    entry, cells = ENTRIES[name], LAWS[name]
    assert (excess(cells, entry.epsilon) > entry.delta * (1 + 1e-9) + 1e-12) == entry.wrong
    if math.isfinite(entry.truth):
        assert excess(cells, entry.truth) <= entry.delta * (1 + 1e-6) + 1e-9
        assert entry.truth == 0 or excess(cells, entry.truth - STEP) > entry.delta
    assert (entry.truth > entry.epsilon * (1 + 1e-9)) == entry.wrong


@pytest.mark.parametrize("name", LAWS)
def test_the_limit_is_below_the_truth(name: str) -> None:
    entry = ENTRIES[name]
    assert 0 <= limit(LAWS[name], entry.claim, 400) <= entry.truth


def test_the_limit_for_laplace_noise_is_that_of_the_two_half_lines() -> None:
    """Folded: half of 2N runs are below 0 for 0 or above 1 for 1, e⁻¹/2 of them the wrong way."""
    runs = 100_000
    success, failure = runs, round(runs / math.e)
    share = special.betaincinv(success, failure + 1, 0.05)
    found = limit(LAWS["numpy Laplace"], ApproximateDP(1.0), runs)
    assert found == pytest.approx(math.log(share / (1 - share)), abs=2e-4)


@pytest.mark.parametrize("name", sorted(ENTRIES.keys() - UNDECIDED))
def test_exact_audits_decide(name: str) -> None:
    exact = ENTRIES[name].exact
    assert exact is not None
    assert exact() is ENTRIES[name].wrong


def test_general_exact_audits_agree() -> None:
    """What the formulas say, from the laws alone: of floats, of a matrix, of the shift."""
    discrete = LAWS["discrete Gaussian"]
    found = audit_pmf(discrete.p, discrete.q, 1, 1e-5)
    assert found.refuted and float(found.delta) == pytest.approx(1.03457e-5, rel=1e-5)
    assert audit_gaussian(1 / 0.4845, 10, 1e-5) is True
    for matrix, delta in ((responses.OPTIMAL, Fraction(1, 20)), (responses.GEOMETRIC, 0)):
        k = 2 if delta else 3
        assert not audit_matrix(matrix, ("ratio", k), delta).refuted
        assert audit_matrix(matrix, ("ratio", k - Fraction(1, 10**9)), delta).refuted


@pytest.mark.parametrize("account", ACCOUNTS, ids=lambda account: account.name)
def test_accounts_are_decided_exactly(account: Any) -> None:
    assert account.exact() is account.wrong


def test_names_are_unique_and_found() -> None:
    names = [each.name for each in (*entries(), *ACCOUNTS)]
    assert len(set(names)) == len(names) >= 60
    assert all(by_name(entry.name) is entry for entry in entries())
    with pytest.raises(ValueError, match="'name'.*Got 'numpy laplace'.*Did you mean 'numpy Lapl"):
        by_name("numpy laplace")


def test_entries_say_all_that_is_needed() -> None:
    for entry in entries():
        assert entry.why and entry.epsilon >= 0 and 0 <= entry.delta < 1
        assert entry.law is not None or entry.channel == "bits"
        assert (entry.truth > entry.claim.level * (1 + 1e-9)) == entry.wrong  # truths are floats


def test_every_truth_rests_on_a_claim_of_the_ledger() -> None:
    for each in (*ENTRIES.values(), *(account for account in ACCOUNTS if account.proof)):
        claim = registry.find(each.proof)
        assert claim.verdict >= Verdict.REFUTED, each.name
        if not each.wrong:
            assert claim.verdict > Verdict.REFUTED, each.name


@pytest.mark.parametrize("name", ENTRIES)
def test_runs_refute_what_is_wrong_and_nothing_else(name: str) -> None:
    entry = ENTRIES[name]
    runs = 1000 if entry.channel == "bits" else 5 * RUNS if name in RARE else RUNS
    what = target(entry.release, isolated=False)
    options = {"channel": entry.channel, "confidence": CONFIDENCE, "checks": not entry.wrong}
    result = audit(what, entry.pair, entry.claim, runs=runs, **options)
    assert result.refuted == (entry.wrong and not entry.hard)
    assert result.epsilon_lower <= entry.truth


def test_hard_faults_are_marked_and_refuted_by_their_law(capsys: pytest.CaptureFixture) -> None:
    hard = [entry for entry in ENTRIES.values() if entry.hard]
    assert len(hard) == 2
    for entry in hard:
        assert not TABLE.print_row(entry, 2000, 1, isolated=False)
        row = capsys.readouterr().out
        assert row.rstrip().endswith("refuted  not seen")


def test_the_run_check_sees_reused_noise() -> None:
    same = ENTRIES["same noise in every run"].release

    def fixed_seed(data: float, rng: Any, count: int) -> Any:
        return data + np.random.default_rng(7).laplace(size=count)

    for release, check in ((same, "varies"), (fixed_seed, "restarts")):
        found = check_runs(target(release, isolated=False), 0.0)
        assert check in {each.name for each in found if not each.passed}


def test_ten_reports_and_some_that_must_pass() -> None:
    reported = [name for name in ENTRIES if "#" in name]
    assert len(reported) >= 15
    assert all(ENTRIES[name].wrong for name in reported)
    assert sum(name.startswith("must pass") for name in ENTRIES) >= 4
    assert sum(account.wrong for account in ACCOUNTS) >= 6


def test_noisy_max_by_quadrature() -> None:
    """P(argmax = 0) for (2, 0, 0, 0, 0) and noise of scale 2, against 1/5."""
    share = integrate.quad(
        lambda x: LAW.pdf(x, loc=2, scale=2) * LAW.cdf(x, scale=2) ** 4, -60, 60, points=[0, 2]
    )[0]
    assert math.log(share / 0.2) == pytest.approx(ENTRIES["noisy max, index"].truth, abs=1e-8)


def test_probabilities_of_reported_thresholds() -> None:
    k = np.arange(-400, 401)
    for scale, least, name in (
        (1.0, 4, "opendp #2922: >= for >"),
        (2.0, 5, "google #101: threshold cut"),
    ):
        mass = np.exp(-np.abs(k) / scale)
        tail = mass[k >= least].sum() / mass.sum()
        assert LAWS[name].q[1] == pytest.approx(tail)
        assert tail > ENTRIES[name].delta


def test_permute_and_flip_breaks_its_concentrated_claim() -> None:
    p, q = np.array([0.5, 0.5]), np.array([1 - math.exp(-2) / 2, math.exp(-2) / 2])
    entry = ENTRIES["opendp #2911: permute and flip"]
    assert zcdp(p, q).contains(entry.truth)
    assert entry.truth >= math.log(np.sum(p**2 / q)) / 2 > 0.5
    assert not isinstance(entry.claim, ApproximateDP)
