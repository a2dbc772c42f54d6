"""Reported faults of accountants, with verdicts by `provedp account`, beside other accountants.

Each row is a report: what was said of which releases, the verdict and the bracket for ε with its
CPU seconds, and what others say of ε now, with theirs: dp-accounting's PLD accountant and autodp's
Rényi divergences (upper bounds), and the upper end of prv-accountant. A dash: it has no event for
that, or was not asked. A verdict that is not the deserved one is marked.

The peers run in an environment of their own (`make bench-peers`); `--python` names its interpreter,
without which dp-accounting alone is asked.
"""

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

from accounting import Case, Found, measured, print_row
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation, UnsupportedEventError
from reported import ADD, REFUSED, REPLACE, REPORTS, Report

import provedp

RELATIONS = {
    ADD: NeighboringRelation.ADD_OR_REMOVE_ONE,
    REPLACE: NeighboringRelation.REPLACE_ONE,
}
HEADER = ("report", "said", "verdict", "provedp", "dp-accounting", "prv-accountant", "autodp")
NONE = "–"


def judged(report: Report) -> tuple[str, str]:
    """Return the verdict and the bracket."""
    try:
        found = provedp.account(
            report.releases, claim=(report.epsilon, report.delta), adjacency=report.adjacency
        )
    except ValueError:
        return REFUSED, ""
    assert found.epsilon is not None
    return str(found.verdict), "[{:.7g}, {:.7g}]".format(*found.epsilon)


def timed(function: Callable[[], Any]) -> tuple[Any, str]:
    """Return what a function returns, and its CPU seconds."""
    start = time.process_time()
    found = function()
    return found, f" ({time.process_time() - start:.2f} s)"


def by_loss_distribution(report: Report) -> str:
    """Return dp-accounting's ε, or a dash if it has no event for that."""
    if report.adjacency is None or isinstance(report.releases, dict):
        return NONE
    try:
        accountant = pld_privacy_accountant.PLDAccountant(RELATIONS[report.adjacency])
        return f"{accountant.compose(report.releases).get_epsilon(float(report.delta)):.7g}"
    except (UnsupportedEventError, ValueError):
        return NONE


def as_samples(report: Report) -> Case | None:
    """Return the setting, if it is Gaussian noise on Poisson samples or on all records."""
    event, rounds, rate = report.releases, 1, 1.0
    if isinstance(event, dp_event.SelfComposedDpEvent):
        event, rounds = event.event, event.count
    if isinstance(event, dp_event.PoissonSampledDpEvent):
        event, rate = event.event, event.sampling_probability
    if not isinstance(event, dp_event.GaussianDpEvent) or report.adjacency == REPLACE:
        return None
    return Case(event.noise_multiplier, rate, rounds, float(report.delta), float("nan"))


def by_peer(python: str | None, method: str, report: Report) -> str:
    """Return the upper end of a peer with its seconds, or what came instead."""
    case = as_samples(report)
    if python is None or case is None:
        return NONE
    found: Found | None = measured(python, method, case)
    return "fails" if found is None else f"{found['upper']:.7g} ({found['seconds']:.2f} s)"


def main() -> None:
    """Print the table; the status is 1 if a verdict is not the deserved one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="of the peers' environment")
    python = parser.parse_args().python
    judged(REPORTS[3]), by_loss_distribution(REPORTS[3])  # imports
    print_row(HEADER)
    print_row(["---"] * len(HEADER))
    wrong = 0
    for report in REPORTS:
        (verdict, bracket), seconds = timed(lambda report=report: judged(report))
        theirs, their_seconds = timed(lambda report=report: by_loss_distribution(report))
        wrong += verdict != report.verdict
        mark = "" if verdict == report.verdict else f" WRONG: {report.verdict}"
        peers = [by_peer(python, method, report) for method in ("prv-accountant", "autodp")]
        print_row(
            (
                report.name,
                f"({report.epsilon}, {report.delta})",
                verdict + mark,
                bracket + seconds,
                theirs + (their_seconds if theirs != NONE else ""),
                *peers,
            )
        )
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
