"""Generated examples are the same in every run: a failure is a change of the code."""

import math
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(scope="module")
def copied_by_value(request: pytest.FixtureRequest) -> Iterator[None]:
    """Copy functions of a test file to fresh processes without its imports: seconds for each."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(request.module)
    yield
    cloudpickle.unregister_pickle_by_value(request.module)


@pytest.fixture
def few_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pilot of an audit allow few fresh processes."""
    from provedp.verify.audit.runs import pilot

    monkeypatch.setattr(pilot, "STARTS", ((math.inf, 4),))


collect_ignore = ["benchmarks"]  # scripts, some for environments of their own
