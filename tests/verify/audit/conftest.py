"""What the audits of this project's own mechanisms have in common."""

import math
from collections.abc import Callable
from typing import Any

import pytest
from threadpoolctl import threadpool_limits

from provedp.theory.privacy import Guarantee
from provedp.verify.audit import ApproximateDP, AuditResult, audit, target

CONFIDENCE = 1 - 1e-6


@pytest.fixture(autouse=True)
def light_processes(request: pytest.FixtureRequest) -> None:
    """Make fresh processes light, and few but where tests are about what they show."""
    request.getfixturevalue("copied_by_value")
    if request.module.__name__.rpartition(".")[2] != "test_shared_noise":
        request.getfixturevalue("few_processes")


@pytest.fixture(scope="session")
def claim_of() -> Callable[[Guarantee], ApproximateDP]:
    """Return the claim that a guarantee makes, ε rounded up."""

    def claim(guarantee: Guarantee) -> ApproximateDP:
        epsilon = math.nextafter(math.log(float(guarantee.ratio)), math.inf)
        return ApproximateDP(epsilon, float(guarantee.delta))

    return claim


@pytest.fixture(scope="session")
def audited() -> Callable[..., AuditResult]:
    """Return an audit at confidence 1 − 10⁻⁶ of a release in this process."""

    def run(release: Any, pair: Any, claim: Any, runs: int, **options: Any) -> AuditResult:
        options = {"confidence": CONFIDENCE, "seed": 1, "checks": False, **options}
        with threadpool_limits(1):  # for small matrices threads cost more than they save
            return audit(target(release, isolated=False), pair, claim, runs=runs, **options)

    return run
