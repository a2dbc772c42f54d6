"""The checks of runs by themselves: their errors together, and which of two data sets counts."""

import numpy as np

from provedp.verify.audit.events.tallies import Tally
from provedp.verify.audit.runs.checks import (
    _Compared,
    _compared,
    _two_sided,
    _worst,
    outputs_checked,
)
from provedp.verify.audit.runs.chunks import Done
from provedp.verify.audit.runs.independence import Diagnostic
from provedp.verify.audit.statistics.dispersion import dispersion_p_values
from provedp.verify.audit.targets.outputs import batch_of_array


def test_many_tests_together_have_one_error() -> None:
    """By Bonferroni: 100 tests of 3 p-values, the least of them 10⁻³, are no sign at 10⁻²."""
    one, usual = _Compared(1e-3, 0.5, 0.5), _Compared(0.5, 0.5, 0.5)
    assert all(each.passed for each in _compared([one, *[usual] * 99], 0.01))
    sure = _Compared(1e-6, 1e-6, 0.5)
    assert not all(each.passed for each in _compared([sure, *[usual] * 99], 0.01))
    table = np.random.default_rng(1).multinomial(50, [0.5, 0.5], size=30)
    assert _two_sided(table) == min(1.0, 2 * min(dispersion_p_values(table)))


def test_the_worst_of_two_data_sets_counts() -> None:
    passed, failed = (Diagnostic("independent", each, None, "") for each in (True, False))
    for order in ([passed, failed], [failed, passed]):
        assert _worst(order) == [failed]


def chunks(values: np.ndarray) -> list[Done]:
    """Return chunks of a request each on both data sets, whose outputs are the rows."""
    none = batch_of_array(np.zeros(0))
    size = values.shape[1]
    return [
        Done(0, 2 * index + side, (Tally(runs),), outputs, f"{index % 4}")
        for index, row in enumerate(values)
        for side, runs, outputs in (
            (0, (size, 0), (batch_of_array(row), none)),
            (1, (0, size), (none, batch_of_array(row + 7))),
        )
    ]


def failed(values: np.ndarray) -> set[str]:
    return {each.name for each in outputs_checked(chunks(values), 1e-6) if not each.passed}


def test_equal_beginnings_are_a_fixed_seed() -> None:
    rng = np.random.default_rng(2)
    apart = rng.normal(size=(40, 50))
    assert failed(apart) == set()
    again = np.vstack([apart[:-1], apart[:1]])
    assert "restarts" in failed(again)
    assert "restarts" not in failed(rng.integers(2, size=(400, 4)).astype(float))
