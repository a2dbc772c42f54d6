"""The same seed gives the same report: the time that runs take decides nothing, or is recorded."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import audit, audit_profile, target
from provedp.verify.audit.procedures import audit as procedure
from provedp.verify.audit.runs import pilot as pilot_module
from provedp.verify.audit.runs.pilot import Pilot, pilot_of

PAIR = (0.0, 1.0)


def half(data: float, rng: np.random.Generator, count: int) -> Any:
    """Half of the noise that is claimed, so that there is a last look at fresh processes."""
    return data + rng.laplace(scale=0.5, size=count)


HERE = target(half, isolated=False)


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what lets a pilot find that a process takes so many seconds to start."""

    def takes(seconds: float) -> None:
        monkeypatch.setattr(pilot_module, "STARTS", ((0.5, 120), (5.0, 12)))

        def pilot(*arguments: Any) -> Pilot:
            return replace(pilot_of(*arguments), start=seconds, request=seconds, run=seconds / 1e3)

        monkeypatch.setattr(procedure, "pilot_of", pilot)

    return takes


@pytest.mark.parametrize("sequential", [False, True])
def test_the_time_that_a_process_takes_does_not_matter_if_their_number_is_given(
    starts: Any, sequential: bool
) -> None:
    found = []
    for seconds in (0.01, 40.0):
        starts(seconds)
        found.append(audit(HERE, PAIR, 1.0, runs=600, processes=6, sequential=sequential))
    assert found[0] == found[1]
    assert found[0].refuted and found[0].processes == 6
    assert "alike in 6 more fresh processes" in found[0].checks[-1].words


def test_a_number_that_a_pilot_chose_is_in_the_report_and_repeats_it(starts: Any) -> None:
    reports = {}
    for seconds, number in ((40.0, 4), (2.0, 12)):
        starts(seconds)
        reports[number] = audit(HERE, PAIR, 1.0, runs=600)
        assert reports[number].processes == number
    starts(0.02)
    for number, report in reports.items():
        assert audit(HERE, PAIR, 1.0, runs=600, processes=number) == report
    assert reports[4].record() != reports[12].record()
    profile = audit_profile(HERE, PAIR, runs=200, checks=False)
    assert profile.record()["processes"] == 0


def test_an_isolated_target_gives_the_same_report_twice() -> None:
    one, two = (audit(half, PAIR, 1.0, runs=400, seed=3, processes=4) for _ in range(2))
    assert one.record() == two.record()
    assert one != audit(half, PAIR, 1.0, runs=400, seed=4, processes=4)


@pytest.mark.parametrize("processes", [1, 1001, 2.5])
def test_a_wrong_number_is_refused(processes: Any) -> None:
    with pytest.raises(ValueError, match="'processes'"):
        audit(HERE, PAIR, 1.0, processes=processes)
