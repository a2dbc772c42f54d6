"""`provedp reproduce` and the experiments behind it, against values computed elsewhere."""

import json
import re
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from provedp.cli import progress
from provedp.cli.experiments_table import cell, tables
from provedp.cli.main import main
from provedp.experiments.catalogue import ABSENT, EXPERIMENTS, Experiment
from provedp.experiments.columns import COLUMNS
from provedp.experiments.drawing.style import new_figure
from provedp.experiments.mixture import release as mixture
from provedp.experiments.mixture import trials
from provedp.experiments.mixture.data import digits, iris, synthetic
from provedp.experiments.rounding import DIRECTIONS

# Where Algorithm 1 ends on Iris, and the optimum of (P2), from an independent implementation.
PUBLISHED = {0.5: (418.27, 223.19), 1.0: (144.99, 78.70), 2.0: (51.71, 28.52), 5.0: (13.63, 7.556)}
# 1 − e^(−γ tr E/2) for the flip of record 118 into class 0 at ε = 1, from there as well.
TRUE_DELTA = 0.697195228917


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_published_objectives_on_iris(epsilon: float) -> None:
    data = iris()
    found = mixture.published(mixture.fitted_parts(data), data, epsilon)
    objective, optimum = PUBLISHED[epsilon]
    assert found.objective == pytest.approx(objective, rel=1e-3)
    assert found.optimum == pytest.approx(optimum, rel=1e-2)
    if epsilon == 1:
        assert found.true_delta == pytest.approx(TRUE_DELTA, abs=1e-6)


def test_true_delta_is_that_of_the_worst_flip() -> None:
    """By going through all flips of a small data set."""
    data = synthetic(3, records=40, dimension=2, classes=3)
    gammas = np.array([3.0, 5.0, 0.5])

    def traces(labels: np.ndarray) -> np.ndarray:
        return np.array([np.trace(np.cov(data.features[labels == k].T)) for k in range(3)])

    worst = 0.0
    for record in range(40):
        for label in range(3):
            changed = data.labels.copy()
            changed[record] = label
            rises = np.maximum(traces(changed) - traces(data.labels), 0)
            worst = max(worst, float((1 - np.exp(-gammas * rises / 2)).max()))
    assert mixture.true_delta(data, gammas) == pytest.approx(worst, rel=1e-9)


def test_synthetic_data_have_the_size_asked_for_and_the_bound_of_the_setting() -> None:
    data = synthetic(1, records=200, dimension=4, classes=6)
    assert data.features.shape == (200, 4)
    assert np.bincount(data.labels, minlength=6).min() >= 6
    assert data.bound == pytest.approx(22)
    assert np.array_equal(data.features, synthetic(1, 200, 4, 6).features)


def test_digits_keep_public_images_apart() -> None:
    data = digits()
    assert data.train.features.shape == (600, 10)
    assert data.test_features.shape == (597, 10)
    again = digits()
    assert np.array_equal(data.location, again.location)


@pytest.mark.parametrize("name", ["mixture.figure16", "mixture.figure10", "modes.table1"])
def test_an_experiment_is_written_with_its_figure(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "made" / "for it"
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", name, "--seeds", "2", "--out", str(folder), "--json"])
    assert ended.value.code == 0
    printed = json.loads(capsys.readouterr().out)
    written = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    assert printed == written
    assert written["seeds"] == 2
    assert written["title"] == EXPERIMENTS[name].title
    assert (written["not_covered"] is None) == (name != "mixture.figure10")
    shown = {column for column in written["rows"][0] if not column.endswith("_points")}
    assert shown == set(written["columns"])
    assert all(written["columns"].values())
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / f"{name}.svg").read_text(encoding="utf-8")
    files = {path.name for path in folder.iterdir()}
    assert files == {f"{name}.json", f"{name}.png", f"{name}.svg"}


def test_all_experiments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["reproduce"])
    listed = capsys.readouterr().out
    assert all(f"{name} " in listed for name in EXPERIMENTS)
    assert listed.count("\n") == len(EXPERIMENTS)


def test_help_has_a_line_for_each_and_the_reason_for_what_is_absent(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["reproduce", "--help"])
    shown = capsys.readouterr().out
    for name, experiment in EXPERIMENTS.items():
        assert f"  {name}  ".rstrip() in shown
        assert experiment.title in shown, name
    assert all(name in shown and f"needs {reason}" in shown for name, reason in ABSENT.items())


def test_a_table_says_what_each_column_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["reproduce", "modes.table1", "--quick", "--out", str(tmp_path)])
    shown = capsys.readouterr().out
    assert "DP-GRAMS-C" in shown and "refuted: its ascent spends" in shown
    assert "\n  privacy: what is true of it, in nats\n" in shown
    assert shown.startswith("modes.table1: Blobs")
    assert max(map(len, shown.split("\n\n")[1].splitlines())) <= 110


def test_what_no_guarantee_covers_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Moments of the records in a standardisation, at each experiment that has one."""
    said = {name for name, each in EXPERIMENTS.items() if "own mean and var" in each.not_covered}
    assert said == {"mixture.figure9", "mixture.figure10"}
    with pytest.raises(SystemExit):
        main(["reproduce", "mixture.figure10", "--seeds", "1", "--out", str(tmp_path)])
    assert "\nNot covered: Each feature of Iris is scaled by" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name in EXPERIMENTS if "mixture" in name))
def test_every_mixture_figure_can_be_made(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their columns are all described and drawn; the optimum of (P2) has tests of its own."""
    for module in (mixture, trials):
        monkeypatch.setattr(module, "design_optimum", lambda *_: SimpleNamespace(objective=1.0))
    with pytest.raises(SystemExit) as ended:
        arguments = ["--seeds", "1"] if EXPERIMENTS[name].seeded else ["--quick"]
        main(["reproduce", name, *arguments, "--out", str(tmp_path)])
    assert ended.value.code == 0
    assert (tmp_path / f"{name}.png").is_file()


def test_wide_tables_are_folded_and_repeat_what_tells_rows_apart() -> None:
    pair = [0.73749, 0.0978]
    row = {"records": 700, "epsilon": 0.1, "paper": pair, "published": pair, "private": pair}
    folded = list(tables([row, row], 40))
    assert [[str(c.header) for c in table.columns] for table in folded] == [
        ["n", "ε", "printed"], ["n", "ε", "published"], ["n", "ε", "private"]
    ]  # fmt: skip
    assert len(list(tables([row, row], 100))) == 1
    assert all(column.no_wrap for table in folded for column in table.columns)


def test_cells() -> None:
    assert cell(None) == "-"
    assert cell([0.73749, 0.0978]) == "0.7375 ± 0.098"
    assert cell([1.0, 2.0, 3.0]) == "2 [1, 3]"


def test_no_noise_is_said_to_have_a_delta_of_one() -> None:
    """Hardly any noise: 1 − e^(−γ t/2) is below 1 whatever γ is, and floats round it up."""
    assert 0.999 < mixture.true_delta(iris(), np.full(3, 1e9)) < 1


@pytest.mark.parametrize("value", [0.99999, 1 - 2**-53, 0.12345, 7.00049, 3e-300, 0.0])
def test_a_bound_in_a_table_is_one_still(value: float) -> None:
    """What is printed lies on the safe side of the float, and within four figures of it."""
    for column, sign in (("published_delta_at_least", 1), ("optimum", 1), ("gap", -1), ("u3", -1)):
        slack = sign * (Fraction(value) - Fraction(cell(value, column)))
        assert 0 <= slack <= Fraction(value) / 1000
    assert cell(1.0, "published_delta_at_least") == cell(0.99999) == "1"
    assert cell(float("inf"), "published_ascent_epsilon_at_least") == "inf"


def test_every_column_of_bounds_is_rounded_to_its_side() -> None:
    """Columns that are called bounds in their captions, in whatever table."""
    said = {name for name, (_, caption) in COLUMNS.items() if re.search(r"\bbound [onu]", caption)}
    assert said - {"bound"} <= set(DIRECTIONS) <= set(COLUMNS)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["mixture.figure99"], "Did you mean mixture.figure"),
        (["modes.table9"], "RNA sequences of tumours: data that do not come with provedp"),
        (["modes.figure26"], "MNIST"),
        (["mixture.figure16", "--seeds", "0"], "--seeds"),
        (["mixture.figure16", "--out", "README.md"], "README.md"),
        (["mixture.figure16", "--out", "README.md/there"], "README.md"),
        (["counting.figure1", "--seeds", "3"], "draws nothing at random"),
        (["modes.table2", "--seeds", "3", "--quick"], "give one of them"),
        (["--quick"], "needs the NAME"),
    ],
)
def test_wrong_requests_end_in_one_line(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", *arguments])
    captured = capsys.readouterr()
    assert ended.value.code == 2
    assert named in captured.err
    assert captured.err.count("\n") == 1


def test_nothing_heavy_is_loaded_before_a_request_is_refused() -> None:
    """The folder is looked at, and a name, before scikit-learn or matplotlib is imported."""
    code = (
        "import sys\nfrom provedp.cli.main import main\n"
        "try: main(['reproduce', 'modes.table2', '--out', sys.executable])\n"
        "except SystemExit as end: print(end.code, 'sklearn' in sys.modules, "
        "'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False", "False"]


def test_a_piped_run_tells_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slow(self: Any, runs: int) -> Any:
        time.sleep(0.2)
        yield {"m": 1}
        time.sleep(0.2)

    monkeypatch.setattr(progress, "EVERY", 0.02)
    monkeypatch.setattr(Experiment, "run", slow)
    monkeypatch.setattr(Experiment, "draw", lambda *_: new_figure("a title", 4, 3))
    with pytest.raises(SystemExit):
        main(["reproduce", "counting.figure1", "--json", "--out", str(tmp_path)])
    out, error = capsys.readouterr()
    assert "counting.figure1: 0 of 41, 0 s\n" in error
    assert "counting.figure1: 1 of 41, " in error
    assert json.loads(out)["rows"] == [{"m": 1}]


def test_nothing_is_left_of_a_run_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Any, runs: int) -> Any:
        yield {"m": 1}
        raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "run", broken)
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "counting.figure1", "--out", str(tmp_path)])
    assert ended.value.code == 130
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_private_releases_on_iris_reach_what_was_asked() -> None:
    """Medians over 200 seeds: at most 115 at ε = 1 and 58 at ε = 2; what was published: 145, 52."""
    data = iris()
    for epsilon, most in ((1.0, 115), (2.0, 58)):
        quartiles, _ = mixture.divergences(data, mixture.released(data, epsilon, "label", 200))
        assert quartiles[1] <= most
