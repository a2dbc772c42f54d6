"""`provedp account`: reported faults of accountants with their verdicts, and what is refused."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from dp_accounting import dp_event

import provedp
from provedp.cli.main import main

ADD, REPLACE = ("--adjacency", "add-or-remove"), ("--adjacency", "replace-one")


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(("account", *arguments))
    captured = capsys.readouterr()
    return int(end.value.code or 0), captured.out, captured.err


def written(folder: Path, data: Any) -> str:
    path = folder / "releases.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def judged(
    capsys: pytest.CaptureFixture[str], folder: Path, data: Any, *arguments: str
) -> tuple[int, dict[str, Any]]:
    status, out, err = call(capsys, written(folder, data), *arguments, "--json")
    assert not err
    found: dict[str, Any] = json.loads(out)
    return status, found


def history(multiplier: float, rate: float, steps: int) -> dict[str, Any]:
    return {"history": [[multiplier, rate, steps]], "mechanism": "rdp"}


# Opacus 384 and 400, and settings of them; the true ε by Fourier inversion elsewhere.
RUNS = [
    (history(1.0, 0.01, 1000), "1.61771", 1e-5, "refuted", 1.82823666652),
    (history(1.0, 0.01, 1000), "1.8283", 1e-5, "proved", 1.82823666652),
    (history(1.1, 1 / 240, 14400), "2.29358", 1e-5, "refuted", 2.34955240208),
    (history(0.8, 0.125, 1000), "65.17", 1e-6, "proved", 56.7259499777),
    (history(4.0, 0.00033, 10000), "0.0366", 1e-7, "proved", 0.0327466270615),
    (history(4.0, 0.00033, 10000), "0.09", 1.13e-18, "proved", math.nan),
    (history(4.0, 0.00033, 10000), "0.066", 1.13e-18, "refuted", math.nan),
    (history(1.0, 0.01, 1000), "1.828", 1e-5, "undecided", 1.82823666652),
]
STATUS = {"proved": 0, "refuted": 1, "undecided": 3}


@pytest.mark.parametrize(("data", "epsilon", "delta", "verdict", "true"), RUNS)
def test_histories(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: Any,
    epsilon: str,
    delta: float,
    verdict: str,
    true: float,
) -> None:
    claim = ["--claim-epsilon", epsilon, "--claim-delta", str(delta)]
    status, found = judged(capsys, tmp_path, data, *claim)
    assert (status, found["verdict"]) == (STATUS[verdict], verdict)
    assert "one record more" in found["adjacency"]
    assert any("Poisson" in each for each in found["assumptions"])
    if not math.isnan(true):
        low, high = found["epsilon"]
        assert low <= true * (1 + 1e-9) and true <= high * (1 + 1e-9)
        assert high - low <= 0.02 * true


def test_an_event_that_moves_twice_as_far_when_a_record_is_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # google/differential-privacy 378: the RDP accountant says 4.72851 for both.
    event = dp_event.GaussianDpEvent(1.0).to_named_tuple()
    claim = ["--claim-epsilon", "4.72851", "--claim-delta", "1e-5"]
    assert judged(capsys, tmp_path, event, *claim, *ADD)[0] == 0
    status, found = judged(capsys, tmp_path, event, *claim, *REPLACE)
    assert (status, found["verdict"]) == (1, "refuted")
    low, high = found["epsilon"]
    assert low <= 9.99725614644 * (1 + 1e-11) and 9.99725614644 <= high * (1 + 1e-11)
    assert found["delta"][0] >= 0.0428


@pytest.mark.parametrize("form", ["json", "tuple", "event", "named"])
def test_forms_of_an_event(form: str) -> None:
    event = dp_event.ComposedDpEvent(
        [
            dp_event.SelfComposedDpEvent(
                dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(1.0)), 100
            ),
            dp_event.NoOpDpEvent(),
        ]
    )
    named = event.to_named_tuple()

    def objects(value: Any) -> Any:
        if hasattr(value, "_asdict"):
            return {key: objects(each) for key, each in value._asdict().items()}
        return [objects(each) for each in value] if isinstance(value, list) else value

    forms = {
        "json": json.loads(json.dumps(named)),
        "tuple": named,
        "event": event,
        "named": objects(named),
    }
    found = provedp.account(forms[form], delta="1e-5", adjacency="add-or-remove")
    # dp-accounting's own value for the Poisson pair.
    assert found.epsilon is not None and found.epsilon[0] <= 0.71804
    assert found.releases == (
        "100 × Gaussian noise, multiplier 1.0, on Poisson samples at rate 0.01",
    )


def test_poisson_samples_when_a_record_is_replaced_against_dp_accounting() -> None:
    from dp_accounting.pld import pld_privacy_accountant
    from dp_accounting.privacy_accountant import NeighboringRelation

    event = dp_event.SelfComposedDpEvent(
        dp_event.PoissonSampledDpEvent(0.1, dp_event.GaussianDpEvent(2.0)), 50
    )
    theirs = pld_privacy_accountant.PLDAccountant(NeighboringRelation.REPLACE_ONE).compose(event)
    found = provedp.account(event, delta="1e-5", adjacency="replace-one")
    assert found.epsilon is not None
    low, high = found.epsilon
    assert high - low <= 1e-3
    assert low - 1e-3 <= theirs.get_epsilon(1e-5) <= high + 1e-3


def test_samples_of_all_records_are_no_samples() -> None:
    run = history(1.0, 1, 1)
    for adjacency, true in (("add-or-remove", 4.37717809568), ("replace-one", 9.99725614644)):
        found = provedp.account(run, delta="1e-5", adjacency=adjacency)
        assert found.epsilon == pytest.approx((true, true), rel=1e-10)
        assert "ball" in found.arithmetic


@pytest.mark.parametrize("kind", ["gaussian", "laplace", "geometric", "discrete-gaussian"])
@pytest.mark.parametrize("size", ["sqrt(2)", "3/2", "2"])
def test_irrational_numbers_stand_beside_rational_ones(kind: str, size: str) -> None:
    name = "sigma" if "gaussian" in kind else "scale"
    release = {"noise": kind, name: size, "sensitivity": 1}
    sampled = {**release, "sampling": "poisson", "rate": "1/10"}
    for each in [release, sampled] if kind == "gaussian" else [release]:
        found = provedp.account({"releases": [each]}, epsilon="1/10")
        assert found.delta is not None and 0 < found.delta[0] <= found.delta[1] < 1


def test_pure_claims_are_decided_exactly() -> None:
    releases = {"releases": [{"epsilon": "ln(2)", "times": 2}]}
    assert provedp.account(releases, claim=("ln(4)", 0)).verdict == "proved"
    assert provedp.account(releases, claim=("ln(4) - 1e-9", 0)).verdict == "refuted"
    slack = {"releases": [{"epsilon": "ln(2)", "delta": "1e-9"}]}
    assert provedp.account(slack, claim=("ln(2)", "1e-9")).verdict == "proved"
    assert provedp.account(slack, claim=("ln(2)", "1e-9 - 1e-30")).verdict == "refuted"


def test_text_of_a_named_tuple_is_told_how_to_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = str(dp_event.GaussianDpEvent(1.0).to_named_tuple())
    status, out, err = call(capsys, written(tmp_path, text), "--delta", "1e-5", *ADD)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "json.dumps(event.to_named_tuple())" in err


@pytest.mark.parametrize("delta", ["1e-15", "1e-20", "1e-60"])
def test_a_small_delta_is_bracketed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, delta: str
) -> None:
    status, found = judged(capsys, tmp_path, history(1.0, 0.01, 1000), "--delta", delta)
    low, high = found["epsilon"]
    assert status == 0
    assert 3.6 < low < high < 1.01 * low  # δ is 6.6e-12 at ε = 3.656476


def test_nothing_and_everything(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    claim = ["--claim-epsilon", "0", "--claim-delta", "0", *REPLACE]
    assert judged(capsys, tmp_path, ["m", "NoOpDpEvent"], *claim)[0] == 0
    status, found = judged(capsys, tmp_path, ["m", "NonPrivateDpEvent"], *claim)
    assert (status, found["delta"], found["epsilon"]) == (1, [1, 1], ["infinity", "infinity"])


def test_options_alone_are_those_of_a_description(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--sigma", "1.3", "--sample", "256/60000", "--sampling", "poisson"]
    claim = ["--claim-epsilon", "1.82362", "--claim-delta", "1e-5"]
    # Opacus 19, tf-privacy 103: steps of an epoch rounded down, 14063 for 14100.
    assert call(capsys, *options, "--rounds", "14100", *claim)[0] == 1
    status, out, _ = call(capsys, *options, "--rounds", "14100", "--delta", "1e-5", "--json")
    low, high = json.loads(out)["epsilon"]
    assert status == 0 and low <= 1.82624 <= high


def test_what_is_assumed_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    twice, anew = "up to twice the norm", "the noise of each release is drawn anew"
    run, poisson = (
        history(1.0, 0.1, 5),
        dp_event.PoissonSampledDpEvent(0.1, dp_event.GaussianDpEvent(1.0)),
    )
    for data in (run, poisson.to_named_tuple()):
        for options, doubled in ((ADD, False), (REPLACE, True)):
            found = judged(capsys, tmp_path, data, "--delta", "1e-3", *options)[1]
            said = " ".join(found["assumptions"])
            assert (twice in said) is doubled
            assert (anew in said) is (data is run)
            assert "on Poisson samples at rate 0.1" in found["releases"][0]
            assert ("one record more" in found["adjacency"]) is not doubled
    said = judged(capsys, tmp_path, run, "--delta", "1e-3")[1]["assumptions"]
    assert "also if Opacus put several batches together" in " ".join(said)
    own = {"releases": [{"noise": "gaussian", "sigma": 2}, {"noise": "laplace", "scale": 3}]}
    found = judged(capsys, tmp_path, own, "--delta", "1e-3")[1]
    assert found["releases"] == [
        "1 × Gaussian noise, σ = 2, sensitivity 1, on all records",
        "1 × Laplace noise, scale 3, sensitivity 1",
    ]


def test_an_undecided_claim_is_told_what_would_be_decided(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    claim = ["--claim-epsilon", "1.828", "--claim-delta", "1e-5"]
    status, out, _ = call(capsys, written(tmp_path, history(1.0, 0.01, 1000)), *claim)
    line = next(line for line in out.splitlines() if line.startswith("decided"))
    low, high = line.split("below ")[1].split(", which is refuted, and from ")
    assert status == 3
    for epsilon, verdict in ((low, "refuted"), (high.split()[0], "proved")):
        moved = float(epsilon) * (1 - 1e-6 if verdict == "refuted" else 1 + 1e-6)
        claim = ["--claim-epsilon", repr(moved), "--claim-delta", "1e-5"]
        assert judged(capsys, tmp_path, history(1.0, 0.01, 1000), *claim)[1]["verdict"] == verdict
    assert (
        "decided"
        not in call(capsys, "--sigma", "1", "--claim-epsilon", "9", "--claim-delta", "0.1")[1]
    )


def test_claims_stand_beside_other_releases(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    parts = [
        {"rho": "1/2"},
        {"epsilon": "1/10", "delta": "1e-9"},
        {"noise": "gaussian", "sigma": 1},
    ]
    for epsilon, verdict in (("5", "refuted"), ("10", "proved")):
        claim = ["--claim-epsilon", epsilon, "--claim-delta", "1e-5"]
        found = judged(capsys, tmp_path, {"releases": parts}, *claim)[1]
        assert found["verdict"] == verdict
        assert "Gaussian noise for the claims of zCDP" in found["arithmetic"]


REFUSED = [
    ({"history": [[1, 0.01]]}, (), "must be [noise multiplier"),
    ({"history": [[1, 1.5, 3]]}, (), "'sample rate' must be at most 1. Got 1.5: Opacus multiplies"),
    ({"history": [[1, -0.5, 3]]}, (), "'sample rate' must be"),
    ({"history": [[0, 0.5, 3]]}, (), "'noise multiplier' must be"),
    ({"history": [[1, 0.5, 2.5]]}, (), "'steps' must be"),
    ({"history": 3}, (), "must be a list"),
    ({"history": [], "x": 1}, (), "no key 'x'"),
    (["m", "GaussianDpEvent", 1], (), "give --adjacency"),
    (["m", "GaussianDpEvent", 1, 2], ADD, "has the fields noise_multiplier"),
    (["m", "TruncatedSubsampledGaussianDpEvent", 9, 0.1, 2, 1], ADD, "TruncatedSubsampled"),
    (["m", "SingleEpochTreeAggregationDpEvent", 1, 2], ADD, "SingleEpochTreeAggregation"),
    (["m", "PoissonSampledDpEvent", 0.1, ["m", "LaplaceDpEvent", 1]], ADD, "of LaplaceDpEvent"),
    (
        ["m", "SampledWithoutReplacementDpEvent", 9, 3, ["m", "GaussianDpEvent", 1]],
        ADD,
        "but for replace-one",
    ),
    ({"releases": [{"noise": "gaussian", "sigma": 1, "sampling": "shuffle"}]}, (), "'shuffle'"),
    ({"releases": [{"noise": "tree", "sigma": 1}]}, (), "'tree'"),
    ({"releases": [{"noise": "gaussian", "sigma": 1, "foo": 1}]}, (), "'foo'"),
    ({"releases": [{"noise": "gaussian", "sigma": 1, "rate": 0.1}]}, (), "needs a 'sampling'"),
    ({"releases": [{"noise": "gaussian", "sigma": "NaN"}]}, (), "not a number"),
    ({"releases": [{"noise": "gaussian", "sigma": True}]}, (), "must be a number"),
    ({"releases": [{"matrix": [[1, 0], [0, 1], [1, 0]]}]}, (), "no outcome in common"),
    ({"releases": [{"matrix": [["1/2", "1/2"]]}]}, (), "2 to 8 rows"),
    ({"releases": [{"matrix": [["1/2", "1/2"]] * 9}]}, (), "2 to 8 rows"),
    (
        {
            "releases": [
                {"matrix": [["1/2", "1/2"]] * 3},
                {"matrix": [["1/2", "1/2"]] * 4},
            ]
        },
        (),
        "Got 3 and 4 rows",
    ),
    (
        {"releases": [{"matrix": [["1/2", "1/2"], [1, 0]]}, {"rho": "1/2"}]},
        (),
        "no bound on the Rényi divergences of 1 × a law over finitely many outcomes",
    ),
    ({"releases": [{"matrix": [["1/2", "1/3"], ["1/2", "1/2"]]}]}, (), "sum"),
    (
        {
            "releases": [
                {"order": 2, "divergence": 1},
                {"order": 3, "divergence": 1},
                {"epsilon": 1},
            ]
        },
        (),
        "no order in common",
    ),
    ({"releases": [{"epsilon": -1}]}, (), "'epsilon' must be"),
    ({"releases": [{}]}, (), "none of the fields"),
    ({"releases": [], "adjacency": "x"}, (), "must be one of"),
    ({"releases": [], "adjacency": "replace-one"}, ADD, "contradicts"),
    ({"what": 1}, (), "no description"),
    ("no json", (), "not valid JSON"),
    ("[" * 100_000, (), "not valid JSON"),
]


@pytest.mark.parametrize(("data", "options", "message"), REFUSED)
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: Any,
    options: tuple[str, ...],
    message: str,
) -> None:
    status, out, err = call(capsys, written(tmp_path, data), *options, "--delta", "1e-5")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--delta", "1e-5"),
        ("missing.json", "--delta", "1e-5"),
        ("--sigma", "1"),
        ("--sigma", "1", "--delta", "1"),
        ("--sigma", "1", "--epsilon", "-1"),
        ("--sigma", "1", "--claim-epsilon", "1"),
        ("--sigma", "1", "--claim-epsilon", "1", "--claim-delta", "0.1", "--delta", "0.1"),
        ("--sigma", "1", "--delta", "1e-5", "--sampling", "poisson"),
        ("--sigma", "1", "--delta", "1e-5", "--sample", "1/10"),
        ("--sigma", "1", "--delta", "1e-5", "--rounds", "0"),
        ("file.json", "--sigma", "1", "--delta", "1e-5"),
        ("--rounds", "3", "--delta", "1e-5"),
    ],
)
def test_wrong_requests(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
