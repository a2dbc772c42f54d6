"""Audits of accountants: dp-accounting passes, wrong formulas fall, and exceptions are reported."""

import math

import pytest
from dp_accounting.pld import privacy_loss_distribution

from provedp.verify.accounting.accountant_audit import Setting, audit_accountant


def pessimistic(setting: Setting) -> float:
    one = privacy_loss_distribution.from_gaussian_mechanism(
        setting.sigma, sampling_prob=setting.rate, value_discretization_interval=1e-4
    )
    return float(one.self_compose(setting.rounds).get_epsilon_for_delta(setting.delta))


GRID = {"sigma": [2.0], "rate": [0.01, 0.1], "rounds": [10, 50], "delta": [1e-5]}


def test_an_upper_bound_is_never_too_small() -> None:
    found = audit_accountant(pessimistic, GRID)
    assert len(found.findings) == 4
    assert not found.refuted
    said = {each.setting: 0.9 * float(each.value or 0) for each in found.findings}
    halved = audit_accountant(lambda setting: said[setting], list(said)[-1:])
    assert halved.refuted
    assert [each.finding for each in halved.outside] == ["too small"]


def test_replaced_records_need_more() -> None:
    replaced = [Setting(1.0, 0.01, 20, 1e-5, "poisson-replace-one")]
    assert audit_accountant(pessimistic, replaced).refuted


def test_what_is_raised_is_reported() -> None:
    def fails(setting: Setting) -> float:
        raise RuntimeError("out of range")

    (found,) = audit_accountant(fails, [Setting(1.0)]).findings
    assert (found.finding, found.value, found.message) == (
        "failed",
        None,
        "RuntimeError: out of range",
    )
    (nothing,) = audit_accountant(lambda setting: math.nan, [Setting(1.0)]).findings
    assert nothing.finding == "failed"


@pytest.mark.parametrize("grid", [[], {"sigma": []}, {"rate": [0.1]}, {"sigma": [1.0], "x": [1]}])
def test_wrong_grids(grid: object) -> None:
    with pytest.raises(ValueError, match="grid"):
        audit_accountant(pessimistic, grid)  # type: ignore[arg-type]
