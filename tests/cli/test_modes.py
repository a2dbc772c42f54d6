"""Formulas of the modes paper on the command line: values found elsewhere, and refusals."""

import json

import pytest
from click.testing import CliRunner

from provedp.cli.value import value

KNOWN = [
    (["modes.score_sensitivity", "h=1/2", "d=2", "clip=3/10", "floor=1/20"], 183.679098209836773),
    (["modes.joint_sensitivity", "h=3/10", "d=1", "clip=1", "floor=1/50"], 11501.3599182018852),
    (["modes.density_norm_squared", "d=2"], 0.0388617921297750882),
    (["modes.gradient_norm_squared", "d=3"], 0.019761896647385395),
]


@pytest.mark.parametrize(("arguments", "known"), KNOWN)
def test_values(arguments, known):
    outcome = CliRunner().invoke(value, [*arguments, "--json"], standalone_mode=False)
    assert float(json.loads(outcome.output)["value"]) == pytest.approx(known, rel=1e-12)


def test_laws_of_draws_are_printed_by_their_outcomes():
    arguments = ["counts=[1,0]", "candidates=[[0],[1]]", "draws=2", "suppression=0", "ratio=3"]
    outcome = CliRunner().invoke(value, ["modes.dap_law", *arguments], standalone_mode=False)
    assert json.loads(outcome.output) == {"0 1": "3/4", "1 0": "1/4"}
