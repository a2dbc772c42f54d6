"""docs/reproduce.md names every experiment and what was found."""

import re
from pathlib import Path

from provedp.experiments.catalogue import ABSENT, EXPERIMENTS
from provedp.experiments.findings import FOUND

PAGE = (Path(__file__).resolve().parents[2] / "docs/reproduce.md").read_text(encoding="utf-8")


def test_every_experiment_has_its_row() -> None:
    rows = dict(re.findall(r"^\| `provedp reproduce (\S+)` \| (.*) \|$", PAGE, re.MULTILINE))
    assert list(rows) == sorted(EXPERIMENTS, key=list(rows).index)
    for name, experiment in EXPERIMENTS.items():
        assert rows[name] == f"{experiment.title}. {FOUND.get(name, '')}".rstrip()
    assert set(FOUND) <= set(EXPERIMENTS)
    assert all(f"| {name} | {reason} |" in PAGE for name, reason in ABSENT.items())


def test_what_was_found_of_one_run_is_found_again() -> None:
    """One run of each method, all of which are replayable: their scores, as the page has them."""
    said = FOUND["modes.table1"]
    *_, private = EXPERIMENTS["modes.table1"].run(1)
    assert private["method"] == "PrivateModalClustering"
    assert f"has ARI {private['ari']:.3f} for 0.727" in said
    assert f"{private['mse']:.3f} for 0.056" in said
