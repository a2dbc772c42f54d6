"""Audits: test any mechanism against a claimed guarantee, from runs or from its exact law.

>>> from provedp.verify.audit import ApproximateDP, audit
>>> def release(data, rng, count):
...     return data + rng.laplace(scale=0.5, size=count)
>>> result = audit(release, pairs=(0, 1), claim=ApproximateDP(1.0), runs=2000, seed=1)
>>> result.refuted
True
"""

from typing import TYPE_CHECKING

from provedp.lazy_names import lazy_names

if TYPE_CHECKING:
    from provedp.verify.audit.canaries.audit import audit_canaries as audit_canaries
    from provedp.verify.audit.canaries.coins import canary_coins as canary_coins
    from provedp.verify.audit.canaries.result import CanaryResult as CanaryResult
    from provedp.verify.audit.procedures.audit import audit as audit
    from provedp.verify.audit.procedures.profile import audit_profile as audit_profile
    from provedp.verify.audit.recorded.samples import audit_samples as audit_samples
    from provedp.verify.audit.results.profile import ProfileResult as ProfileResult
    from provedp.verify.audit.results.result import AuditResult as AuditResult
    from provedp.verify.audit.runs.checks import DependentRuns as DependentRuns
    from provedp.verify.audit.runs.executors import run_task as run_task
    from provedp.verify.audit.runs.independence import Diagnostic as Diagnostic
    from provedp.verify.audit.runs.independence import check_runs as check_runs
    from provedp.verify.audit.runs.options import Options as Options
    from provedp.verify.audit.statistics.exact_test import Counts as Counts
    from provedp.verify.audit.statistics.exact_test import lower_bound as lower_bound
    from provedp.verify.audit.statistics.exact_test import p_value as p_value
    from provedp.verify.audit.targets.factories import fitted as fitted
    from provedp.verify.audit.targets.factories import program as program
    from provedp.verify.audit.targets.factories import target as target
    from provedp.verify.audit.targets.target import Target as Target
    from provedp.verify.audit.targets.target import TargetError as TargetError
    from provedp.verify.exact.densities.audits import DensityResult as DensityResult
    from provedp.verify.exact.densities.audits import audit_density as audit_density
    from provedp.verify.exact.densities.density import Density as Density
    from provedp.verify.exact.finite_laws import LevelResult as LevelResult
    from provedp.verify.exact.finite_laws import audit_finite as audit_finite
    from provedp.verify.exact.laws import LawResult as LawResult
    from provedp.verify.exact.laws import audit_gaussian as audit_gaussian
    from provedp.verify.exact.laws import audit_law as audit_law
    from provedp.verify.exact.matrices import ExactResult as ExactResult
    from provedp.verify.exact.matrices import audit_matrix as audit_matrix
    from provedp.verify.exact.matrices import audit_pmf as audit_pmf
    from provedp.verify.exact.stability import StabilityResult as StabilityResult
    from provedp.verify.exact.stability import audit_stability as audit_stability
    from provedp.verify.notions.notions import ApproximateDP as ApproximateDP
    from provedp.verify.notions.notions import GaussianDP as GaussianDP
    from provedp.verify.notions.notions import RenyiDP as RenyiDP
    from provedp.verify.notions.notions import ZeroConcentratedDP as ZeroConcentratedDP
    from provedp.verify.notions.profile import ProfileDP as ProfileDP
    from provedp.verify.notions.profile_point import DeltaAt as DeltaAt
    from provedp.verify.pairs.adjacency import require_adjacent as require_adjacent
    from provedp.verify.pairs.pair import Pair as Pair
    from provedp.verify.pairs.pair import drawn_pairs as drawn_pairs
    from provedp.verify.pairs.pair import read_data as read_data
    from provedp.verify.pairs.pair import read_pairs as read_pairs
    from provedp.verify.pairs.patterns import known_patterns as known_patterns
    from provedp.verify.pairs.patterns import shrunk as shrunk
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
