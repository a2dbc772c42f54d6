"""What the audits of this project's own mechanisms have in common."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import cloudpickle
import pytest
from threadpoolctl import threadpool_limits

from provedp.theory.privacy import Guarantee
from provedp.verify.audit import ApproximateDP, AuditResult, audit, target
from provedp.verify.audit.runs import pilot

CONFIDENCE = 1 - 1e-6


@pytest.fixture(autouse=True, scope="module")
def copied_by_value(request: pytest.FixtureRequest) -> Iterator[None]:
    """Copy functions of a test file to fresh processes without its imports: seconds for each."""
    cloudpickle.register_pickle_by_value(request.module)
    yield
    cloudpickle.unregister_pickle_by_value(request.module)


@pytest.fixture(autouse=True)
def few_processes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a pilot allow few fresh processes, but where tests are about what they show."""
    if request.module.__name__.rpartition(".")[2] != "test_shared_noise":
        monkeypatch.setattr(pilot, "STARTS", ((math.inf, 4),))


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
