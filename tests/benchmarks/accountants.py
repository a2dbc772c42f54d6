"""Reported faults of accountants, with verdicts by `provedp account`, beside dp-accounting.

Each row is a report: what was said of which releases, the verdict and the bracket for ε, its CPU
seconds, the ε of dp-accounting's PLD accountant for the same event (an upper bound), and the ratio
of its time to ours. Where it is known, the verdict that the report deserves is compared.
"""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation, UnsupportedEventError

import provedp

LINE = "{:<34}{:>14}{:>12}  {:<24}{:>8}{:>12}{:>8}  {}"
RELATIONS = {
    "add-or-remove": NeighboringRelation.ADD_OR_REMOVE_ONE,
    "replace-one": NeighboringRelation.REPLACE_ONE,
}
REFUSED = "refused"


class Report(NamedTuple):
    """A report: the event, what was said of it, and the verdict that it deserves."""

    name: str
    event: Any
    epsilon: str
    delta: str
    verdict: str
    adjacency: str = "add-or-remove"


def gaussian(multiplier: float) -> Any:
    """Return Gaussian noise on all records."""
    return dp_event.GaussianDpEvent(multiplier)


def sampled(multiplier: float, rate: float, steps: int) -> Any:
    """Return Gaussian noise on Poisson samples."""
    one = dp_event.PoissonSampledDpEvent(rate, gaussian(multiplier))
    return dp_event.SelfComposedDpEvent(one, steps)


def classical(epsilon: float) -> Any:
    """Return Gaussian noise of the classical formula at δ = 1e-5."""
    return gaussian(math.sqrt(2 * math.log(1.25e5)) / epsilon)


FIXED = dp_event.SelfComposedDpEvent(
    dp_event.SampledWithoutReplacementDpEvent(1000, 10, gaussian(1.0)), 100
)
TRUNCATED = dp_event.TruncatedSubsampledGaussianDpEvent(60_000, 0.01, 700, 1.0)
REPORTS = [
    Report("google 378: replace one", gaussian(1.0), "4.72851", "1e-5", "refuted", "replace-one"),
    Report("google 378: fixed size", FIXED, "1.48253", "1e-5", "refuted", "replace-one"),
    Report("opacus 384: GDP", sampled(1.0, 0.01, 1000), "1.61771", "1e-5", "refuted"),
    Report("opacus 400: GDP", sampled(1.1, 1 / 240, 14400), "2.29358", "1e-5", "refuted"),
    Report("opacus 400: GDP, above", sampled(0.8, 0.125, 1000), "65.17", "1e-6", "proved"),
    Report("prv 17", sampled(4.0, 0.00033, 10000), "0.156", "1.1e-18", "proved"),
    Report("prv 36, opacus 601: error", sampled(0.8, 0.125, 1000), "56.73", "1e-6", "proved"),
    Report("opacus 19: steps", sampled(1.3, 256 / 60000, 14100), "1.82362", "1e-5", "refuted"),
    Report("smartnoise 462: 10", classical(10), "10", "1e-5", "refuted"),
    Report("programming-dp 45: 20", classical(20), "20", "1e-5", "refuted"),
    Report("autodp 2: first", sampled(0.93662, 0.01, 1), "1", "1e-6", "proved"),
    Report("autodp 2: second", sampled(1.25848, 0.01, 1), "1", "1e-6", "proved"),
    Report("autodp 39: 50", gaussian(0.158257), "50", "1e-6", "proved"),
    Report("autodp 39: 200", gaussian(0.0632764), "200", "1e-6", "proved"),
    Report("tf-privacy 166: 0", sampled(1.0, 0.00105, 1), "0", "1e-3", "proved"),
    Report("tf-privacy 173: Keras", sampled(1.1, 250 / 60000, 480), "0.8", "1e-5", "proved"),
    Report("opacus 585: negative", sampled(1.0, 0.01, 10), "-1", "1e-5", REFUSED),
    Report("jax-privacy 288: steps", sampled(1.0, 0.01, 2000), "1.32604737", "1e-5", "refuted"),
    Report("tf-privacy 483: truncated", TRUNCATED, "1", "1e-5", REFUSED),
]


def timed(function: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a function returns, and its CPU seconds."""
    start = time.process_time()
    found = function()
    return found, time.process_time() - start


def judged(report: Report) -> tuple[str, str]:
    """Return the verdict and the bracket."""
    try:
        found = provedp.account(
            report.event, claim=(report.epsilon, report.delta), adjacency=report.adjacency
        )
    except ValueError:
        return REFUSED, ""
    assert found.epsilon is not None
    return str(found.verdict), "[{:.7g}, {:.7g}]".format(*found.epsilon)


def peer(report: Report) -> str:
    """Return dp-accounting's ε, or a dash if it has no event for that."""
    try:
        accountant = pld_privacy_accountant.PLDAccountant(RELATIONS[report.adjacency])
        return f"{accountant.compose(report.event).get_epsilon(float(report.delta)):.7g}"
    except (UnsupportedEventError, ValueError):
        return "-"


def main() -> None:
    """Print the table."""
    print(LINE.format("report", "said", "verdict", "bracket", "CPU s", "dp-acc.", "ratio", ""))
    judged(REPORTS[2]), peer(REPORTS[2])  # imports
    for report in REPORTS:
        (verdict, bracket), seconds = timed(lambda report=report: judged(report))
        theirs, their_seconds = timed(lambda report=report: peer(report))
        ratio = "" if theirs == "-" else f"{their_seconds / max(seconds, 1e-4):.2f}"
        wrong = "" if verdict == report.verdict else f"WRONG: {report.verdict}"
        said = f"{report.epsilon}"
        row = (report.name, said, verdict, bracket, f"{seconds:.2f}", theirs, ratio, wrong)
        print(LINE.format(*row), flush=True)


if __name__ == "__main__":
    main()
