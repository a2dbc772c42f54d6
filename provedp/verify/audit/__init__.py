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
    from provedp.verify.audit.adjacency import require_adjacent
    from provedp.verify.audit.auditor import audit
    from provedp.verify.audit.bounds import Counts, lower_bound, p_value
    from provedp.verify.audit.delta_at import DeltaAt
    from provedp.verify.audit.densities import Density
    from provedp.verify.audit.density_audits import DensityResult, audit_density
    from provedp.verify.audit.exact import ExactResult, audit_matrix, audit_pmf
    from provedp.verify.audit.finite_laws import LevelResult, audit_finite
    from provedp.verify.audit.independence import Finding, check_runs
    from provedp.verify.audit.laws import LawResult, audit_gaussian, audit_law
    from provedp.verify.audit.notions import (
        ApproximateDP,
        GaussianDP,
        RenyiDP,
        ZeroConcentratedDP,
    )
    from provedp.verify.audit.pairs import Pair, drawn_pairs, read_data, read_pairs
    from provedp.verify.audit.profile import audit_profile
    from provedp.verify.audit.profile_result import ProfileResult
    from provedp.verify.audit.result import AuditResult
    from provedp.verify.audit.search import known_patterns, shrunk
    from provedp.verify.audit.stability import StabilityResult, audit_stability
    from provedp.verify.audit.targets import Target, TargetError, fitted, program, target

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
    "Finding": "independence",
    "check_runs": "independence",
    "DeltaAt": "delta_at",
    "ProfileResult": "profile_result",
    "audit_profile": "profile",
    "Density": "densities",
    "DensityResult": "density_audits",
    "audit_density": "density_audits",
    "LevelResult": "finite_laws",
    "audit_finite": "finite_laws",
    "LawResult": "laws",
    "audit_law": "laws",
    "StabilityResult": "stability",
    "ExactResult": "exact",
    "audit_stability": "stability",
    "audit_gaussian": "laws",
    "audit_pmf": "exact",
    "audit_matrix": "exact",
    "shrunk": "search",
    "known_patterns": "search",
    "read_pairs": "pairs",
    "read_data": "pairs",
    "drawn_pairs": "pairs",
    "require_adjacent": "adjacency",
    "AuditResult": "result",
    "audit": "auditor",
    "Counts": "bounds",
    "lower_bound": "bounds",
    "p_value": "bounds",
    "ApproximateDP": "notions",
    "GaussianDP": "notions",
    "RenyiDP": "notions",
    "ZeroConcentratedDP": "notions",
    "Pair": "pairs",
    "Target": "targets",
    "TargetError": "targets",
    "fitted": "targets",
    "program": "targets",
    "target": "targets",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: the child process needs few of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
