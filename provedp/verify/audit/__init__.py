"""Audits: test any mechanism against a claimed guarantee, from runs or from its exact law.

>>> from provedp.verify.audit import ApproximateDP, audit
>>> def release(data, rng, count):
...     return data + rng.laplace(scale=0.5, size=count)
>>> result = audit(release, pairs=(0, 1), claim=ApproximateDP(1.0), runs=2000, seed=1)
>>> result.refuted
True
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from provedp.verify.audit.notions.notions import (
        ApproximateDP,
        GaussianDP,
        RenyiDP,
        ZeroConcentratedDP,
    )
    from provedp.verify.audit.notions.profile_point import DeltaAt
    from provedp.verify.audit.pairs.adjacency import require_adjacent
    from provedp.verify.audit.pairs.pair import Pair, drawn_pairs, read_data, read_pairs
    from provedp.verify.audit.pairs.patterns import known_patterns, shrunk
    from provedp.verify.audit.procedures.audit import audit
    from provedp.verify.audit.procedures.profile import audit_profile
    from provedp.verify.audit.results.profile import ProfileResult
    from provedp.verify.audit.results.result import AuditResult
    from provedp.verify.audit.runs.independence import Finding, check_runs
    from provedp.verify.audit.statistics.exact_test import Counts, lower_bound, p_value
    from provedp.verify.audit.targets.target import Target, TargetError, fitted, program, target
    from provedp.verify.exact.densities.audits import DensityResult, audit_density
    from provedp.verify.exact.densities.density import Density
    from provedp.verify.exact.finite_laws import LevelResult, audit_finite
    from provedp.verify.exact.laws import LawResult, audit_gaussian, audit_law
    from provedp.verify.exact.matrices import ExactResult, audit_matrix, audit_pmf
    from provedp.verify.exact.stability import StabilityResult, audit_stability

__all__ = [
    "ApproximateDP",
    "AuditResult",
    "Counts",
    "DeltaAt",
    "Density",
    "DensityResult",
    "ExactResult",
    "Finding",
    "GaussianDP",
    "LawResult",
    "LevelResult",
    "Pair",
    "ProfileResult",
    "RenyiDP",
    "StabilityResult",
    "Target",
    "TargetError",
    "ZeroConcentratedDP",
    "audit",
    "audit_density",
    "audit_finite",
    "audit_gaussian",
    "audit_law",
    "audit_matrix",
    "audit_pmf",
    "audit_profile",
    "audit_stability",
    "check_runs",
    "drawn_pairs",
    "fitted",
    "known_patterns",
    "lower_bound",
    "p_value",
    "program",
    "read_data",
    "read_pairs",
    "require_adjacent",
    "shrunk",
    "target",
]

_HOMES = {
    "Finding": "audit.runs.independence",
    "check_runs": "audit.runs.independence",
    "DeltaAt": "audit.notions.profile_point",
    "ProfileResult": "audit.results.profile",
    "audit_profile": "audit.procedures.profile",
    "Density": "exact.densities.density",
    "DensityResult": "exact.densities.audits",
    "audit_density": "exact.densities.audits",
    "LevelResult": "exact.finite_laws",
    "audit_finite": "exact.finite_laws",
    "LawResult": "exact.laws",
    "audit_law": "exact.laws",
    "audit_gaussian": "exact.laws",
    "StabilityResult": "exact.stability",
    "audit_stability": "exact.stability",
    "ExactResult": "exact.matrices",
    "audit_pmf": "exact.matrices",
    "audit_matrix": "exact.matrices",
    "shrunk": "audit.pairs.patterns",
    "known_patterns": "audit.pairs.patterns",
    "read_pairs": "audit.pairs.pair",
    "read_data": "audit.pairs.pair",
    "drawn_pairs": "audit.pairs.pair",
    "Pair": "audit.pairs.pair",
    "require_adjacent": "audit.pairs.adjacency",
    "AuditResult": "audit.results.result",
    "audit": "audit.procedures.audit",
    "Counts": "audit.statistics.exact_test",
    "lower_bound": "audit.statistics.exact_test",
    "p_value": "audit.statistics.exact_test",
    "ApproximateDP": "audit.notions.notions",
    "GaussianDP": "audit.notions.notions",
    "RenyiDP": "audit.notions.notions",
    "ZeroConcentratedDP": "audit.notions.notions",
    "Target": "audit.targets.target",
    "TargetError": "audit.targets.target",
    "fitted": "audit.targets.target",
    "program": "audit.targets.target",
    "target": "audit.targets.target",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: the child process needs few of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"provedp.verify.{_HOMES[name]}"), name)
