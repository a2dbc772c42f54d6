"""Executable checks of papers on differential privacy, and the mechanisms that survive them.

`provedp.theory` holds the formulas, `provedp.mechanisms` what runs on data, `provedp.verify` the
ledger of claims, the solvers and the certificates. The names listed here are what most users need;
they are imported when they are first used.
"""

from typing import TYPE_CHECKING, Any

from provedp import extras
from provedp.lazy_names import lazy_names as _lazy_names

__version__ = "0.1.0"

if TYPE_CHECKING:
    from provedp.accounts import AccountantAudit as AccountantAudit
    from provedp.accounts import Judgement as Judgement
    from provedp.accounts import Setting as Setting
    from provedp.accounts import account as account
    from provedp.accounts import audit_accountant as audit_accountant
    from provedp.certificates import CertificateCheck as CertificateCheck
    from provedp.certificates import check_certificate as check_certificate
    from provedp.comparisons import Comparison as Comparison
    from provedp.comparisons import compare_counting as compare_counting
    from provedp.course.grading import grade as grade
    from provedp.ledger import claims as claims
    from provedp.ledger import find_claim as find_claim
    from provedp.ledger import list_claims as list_claims
    from provedp.ledger import list_items as list_items
    from provedp.ledger import run_claim as run_claim
    from provedp.ledger import run_claims as run_claims
    from provedp.ledger import show as show
    from provedp.mechanisms.counting import BehindChannel as BehindChannel
    from provedp.mechanisms.counting import ExponentialMechanism as ExponentialMechanism
    from provedp.mechanisms.counting import MatrixRelease as MatrixRelease
    from provedp.mechanisms.counting import OptimalCount as OptimalCount
    from provedp.mechanisms.counting import RandomizedResponse as RandomizedResponse
    from provedp.mechanisms.counting import RoundedLaplace as RoundedLaplace
    from provedp.mechanisms.counting import TruncatedGeometric as TruncatedGeometric
    from provedp.mechanisms.counting import UniversalCount as UniversalCount
    from provedp.mechanisms.mixture import LabelledMixture as LabelledMixture
    from provedp.mechanisms.mixture import MixtureDiagnosis as MixtureDiagnosis
    from provedp.mechanisms.mixture import PrivateMixture as PrivateMixture
    from provedp.mechanisms.mixture import PublishedMixture as PublishedMixture
    from provedp.mechanisms.mixture import diagnose_mixture as diagnose_mixture
    from provedp.mechanisms.modes import PrivateModalClustering as PrivateModalClustering
    from provedp.mechanisms.modes import PrivateModalRegression as PrivateModalRegression
    from provedp.mechanisms.modes import PrivateModes as PrivateModes
    from provedp.optima import CountingOptimum as CountingOptimum
    from provedp.optima import Noise as Noise
    from provedp.optima import NoiseShape as NoiseShape
    from provedp.optima import Profile as Profile
    from provedp.optima import solve_counting as solve_counting
    from provedp.optima import solve_gaussian as solve_gaussian
    from provedp.optima import solve_noise_shape as solve_noise_shape
    from provedp.optima import solve_profile as solve_profile
    from provedp.pytest_plugin import PrivacyViolation as PrivacyViolation
    from provedp.pytest_plugin import assert_private as assert_private
    from provedp.releases import OptimalRelease as OptimalRelease
    from provedp.releases import ReleaseOptimum as ReleaseOptimum
    from provedp.releases import solve_release as solve_release
    from provedp.repeats import Replay as Replay
    from provedp.repeats import replay as replay
    from provedp.repeats import reproduce as reproduce
    from provedp.roundings import worst_case_rounding as worst_case_rounding
    from provedp.theory.privacy import Adjacency as Adjacency
    from provedp.theory.privacy import Guarantee as Guarantee
    from provedp.theory.privacy import hockey_stick as hockey_stick
    from provedp.theory.privacy import path_delta as path_delta
    from provedp.values import Value as Value
    from provedp.values import formulas as formulas
    from provedp.values import value as value
    from provedp.verify.audit import ApproximateDP as ApproximateDP
    from provedp.verify.audit import AuditResult as AuditResult
    from provedp.verify.audit import audit as audit
    from provedp.verify.audit import audit_canaries as audit_canaries
    from provedp.verify.audit import audit_matrix as audit_matrix
    from provedp.verify.audit import audit_profile as audit_profile
    from provedp.verify.audit import audit_samples as audit_samples
    from provedp.verify.audit import check_runs as check_runs
    from provedp.verify.ledger import Claim as Claim
    from provedp.verify.ledger import Paper as Paper
    from provedp.verify.ledger import Reference as Reference
    from provedp.verify.ledger import Source as Source
else:
    _imported, __dir__, __all__ = _lazy_names(__name__)

    def __getattr__(name: str) -> Any:
        with extras.explained():
            return _imported(name)
