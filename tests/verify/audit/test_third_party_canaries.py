"""Canaries beside other tools as they are installed: jax_privacy's bounds, and Opacus's training.

They need environments of their own (`make bench-peers` makes them); where there are none, the tests
are left out.
"""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
PEERS, OPACUS = (ROOT / name / "bin" / "python" for name in (".venv-peers", ".venv-opacus"))


def benchmark(name: str) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / "benchmarks")
        return importlib.import_module(name)


@pytest.mark.skipif(not PEERS.exists(), reason="no environment of the peers")
def test_noise_alone_is_nothing_to_us_and_something_to_a_bound_on_mu() -> None:
    peers = benchmark("canaries_peers")
    rng = np.random.default_rng(7)
    coins = rng.random((20, 200)) < 0.5
    scores = rng.normal(size=coins.shape)
    theirs = peers.peer_bounds(str(PEERS), scores, coins, 1e-5)
    # The absolute value of a bound on μ is none: 99 % of 2000 runs were wrong.
    assert sum(value > 1 for value in theirs["GDP"]["values"]) >= 17
    ours = [peers.fixed(*row, 1e-5) for row in zip(scores, coins, strict=True)]
    assert sum(value > 0 for value in ours) <= 5  # exceeded with probability 3e-4 if they hold


@pytest.mark.skipif(not OPACUS.exists(), reason="no environment with Opacus")
@pytest.mark.slow
def test_opacus_is_not_refuted_and_mistakes_with_it_are(tmp_path: Path) -> None:
    opacus = benchmark("opacus_digits")
    opacus.train(str(OPACUS), tmp_path, range(100, 101))
    verdicts = {}
    for trainer in opacus.TRAINERS:
        for name, which in (("black", opacus.BLACK), ("white", opacus.WHITE)):
            found = opacus.audited(tmp_path / f"{trainer}-100.csv", "2.337408", which)
            verdicts[trainer, name] = found["verdict"]
    wrong = {"unclipped", "divided"}
    assert verdicts == {
        (trainer, name): "REFUTED" if trainer in wrong else "not refuted"
        for trainer, name in verdicts
    }
    state = json.loads((tmp_path / "right-100.json").read_text())["state"]
    assert state["history"] == [[2.0, 0.1, 100]]
