"""The guarantees that mechanisms carry, the claims that they cite, and how strong these are."""

from provedp.mechanisms.counting import (
    BehindChannel,
    ExponentialMechanism,
    MatrixRelease,
    OptimalCount,
    RandomizedResponse,
    RoundedLaplace,
    TruncatedGeometric,
    UniversalCount,
)
from provedp.mechanisms.mixture.private import settings as mixture
from provedp.mechanisms.mixture.published.baselines import (
    ColouredGaussian,
    IndependentGaussian,
    LaplaceMixture,
)
from provedp.mechanisms.modes.private import settings as modes
from provedp.theory.privacy import definitions
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.theorems import is_settled, proof_data

COUNTS = (
    *(OptimalCount, UniversalCount, MatrixRelease, BehindChannel, TruncatedGeometric),
    *(RandomizedResponse, RoundedLaplace, ExponentialMechanism),
)
BASELINES = (LaplaceMixture, IndependentGaussian, ColouredGaussian)


def cited() -> dict[str, str]:
    """Return the id of the claim that each guarantee cites, by what carries it."""
    found = {mechanism.__name__: mechanism.claim for mechanism in COUNTS}
    found |= {"several releases": definitions.BASIC_COMPOSITION}
    found |= {"what is computed from a release": definitions.POST_PROCESSING}
    found |= {"groups": definitions.GROUP_PRIVACY}
    found |= {f"PrivateMixture, {name}": claim for name, claim in mixture.CLAIMS.items()}
    found |= {
        f"private modes, {method}, {adjacency}": claim
        for (method, adjacency), claim in modes.CLAIMS.items()
    }
    public = {f"{each.__name__}, public sizes": each.public_claim for each in BASELINES}
    return found | public


def evidence(claim: Claim) -> str:
    """Return the kind of evidence that stands for a claim, in words."""
    if is_settled(claim):
        return "machine-checked"
    kind = str(claim.verdict)
    if claim.argued:
        steps = len(claim.argued)
        kind += f", {steps} argued step{'s' if steps != 1 else ''}"
    return f"{kind}; machine-checked in part" if proof_data(claim) else kind
