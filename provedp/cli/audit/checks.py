"""Before an audit: whether the runs of its target may be counted as independent ones."""

from collections.abc import Sequence
from typing import Any

from provedp.cli.audit.request import Request
from provedp.verify.audit.runs.independence import Diagnostic, check_runs
from provedp.verify.audit.targets.target import TargetError
from provedp.verify.pairs.pair import Pair

SHARE, FEWEST, MOST = 50, 100, 2000  # one run in so many, per request
HARMLESS = {"varies", "repeats"}  # a map without noise can be audited, too


class DependentRuns(TargetError):
    """Runs of the target depend on one another, so that counts of them prove nothing."""


def checked_runs(request: Request, pair: Pair) -> list[Diagnostic]:
    """Return what was found on the first data set of a pair.

    Raises
    ------
    DependentRuns
        If a check failed that the counts rely on.
    TargetError
        If the target fails.
    """
    runs = min(MOST, max(FEWEST, request.options.runs // SHARE))
    diagnostics = check_runs(request.target, pair.first, runs=runs, seed=request.options.seed)
    failed = [each for each in diagnostics if not each.passed and each.name not in HARMLESS]
    if failed:
        reasons = "; ".join(in_words(each) for each in failed)
        raise DependentRuns(
            f"Its runs are not independent: {reasons}. An audit counts independent runs; if this is"
            " how the mechanism is deployed, that is a fault of its own. --no-checks audits it all"
            " the same."
        )
    return diagnostics


def in_words(diagnostic: Diagnostic) -> str:
    """Return one diagnostic in words."""
    certainty = "" if diagnostic.p_value is None else f" (p = {diagnostic.p_value:.1e})"
    return f"{diagnostic.words}{certainty if not diagnostic.passed else ''}"


def line_of(diagnostics: Sequence[Diagnostic]) -> str:
    """Return what was found, in a line."""
    return "; ".join(map(in_words, diagnostics)) if diagnostics else "not checked"


def records_of(diagnostics: Sequence[Diagnostic]) -> list[dict[str, Any]]:
    """Return what was found as JSON data."""
    return [vars(each) for each in diagnostics]
