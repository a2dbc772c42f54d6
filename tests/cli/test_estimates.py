"""`provedp value` for formulas whose value comes with an error."""

import json

import pytest

from provedp.cli.main import main
from provedp.theory.estimate import CERTIFIED, SAMPLED

REQUEST = ("value", "mixture.expected_kl", "gamma=3")


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main((*REQUEST, *arguments))
    assert not end.value.code
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("covariance", "noise", "method", "largest"),
    [
        ("[[1,0],[0,4]]", "[[0,0],[0,0]]", CERTIFIED, 1e-19),
        ("[[sqrt(2)]]", "[[1]]", CERTIFIED, 1e-19),
        ("[[1,0,0],[0,4,0],[0,0,2]]", "[[0,0,0],[0,1,0],[0,0,0]]", SAMPLED, 1e-3),
    ],
)
def test_an_estimate_says_how_far_off(covariance, noise, method, largest, capsys) -> None:
    covariance = covariance.replace("sqrt(2)", '"sqrt(2)"')
    arguments = (f"covariance={covariance}", f"noise_covariance={noise}")
    found = json.loads(output(capsys, *arguments, "--json"))
    assert 0 < found["error"] < largest
    assert (found["method"], found["exact"]) == (method, False)
    assert output(capsys, *arguments).startswith(f"{found['value']} ± ")


def test_more_digits_of_a_certified_estimate(capsys) -> None:
    arguments = ("covariance=[[1,0],[0,4]]", "noise_covariance=[[0,0],[0,0]]", "--json")
    found = json.loads(output(capsys, *arguments, "--digits", "40"))
    assert found["value"].startswith("0.22119337713499075")
    assert len(found["value"]) == 42
    assert found["error"] < 1e-39
