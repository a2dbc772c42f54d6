"""Mechanisms of OpenDP and diffprivlib as they are installed: what is refuted, what is not.

diffprivlib needs an environment of its own (`make bench-peers` makes it); where there is none, its
tests are left out. Audits have confidence 1 − 10⁻⁶; the programs draw their own seeds.
"""

import importlib
import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.main import main

ROOT = Path(__file__).resolve().parents[3]
PEERS = ROOT / ".venv-peers" / "bin" / "python"
needs_peers = pytest.mark.skipif(not PEERS.exists(), reason="no environment of the peers")


@pytest.fixture(scope="module")
def sources() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / "benchmarks")
        return importlib.import_module("audit_sources")


def test_predictions_from_pairs_of_rows_are_less_stable_than_opendp_claims(sources: Any) -> None:
    pytest.importorskip("opendp")
    result = sources.pairwise_predictions()
    assert result.refuted
    # The row in front pushes the last one out of the table: one prediction goes, another comes.
    assert (result.claimed, result.found) == (1, 2)


@needs_peers
@pytest.mark.parametrize("name", ["diffprivlib-laplace", "diffprivlib-laplace-truncated"])
def test_the_bits_of_diffprivlib_noise_tell(sources: Any, name: str) -> None:
    for channel, refuted in (("bits", True), ("value", False)):
        source = sources.Source(name, channel, refuted, runs=4000)
        assert source.audit(str(PEERS)).refuted is refuted


@needs_peers
@pytest.mark.slow
def test_every_source_gets_the_right_verdict(sources: Any) -> None:
    verdicts = {
        (source.name, source.channel): source.audit(str(PEERS)).refuted
        for source in sources.SOURCES
    }
    assert verdicts == {(each.name, each.channel): each.wrong for each in sources.SOURCES}


@needs_peers
def test_the_command_line_refutes_a_regression(
    sources: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its square is released with noise for the square of the lower bound, 0."""
    command = shlex.join([str(PEERS), str(sources.TARGETS), "diffprivlib-regression"])
    pair = [json.dumps(records) for records in sources.REGRESSION]
    arguments = ["--claim-epsilon", "1", "--pair", *pair, "--runs", "500", "--json"]
    with pytest.raises(SystemExit) as ended:
        main(["audit", "--command", command, *arguments, "--confidence", "0.999999"])
    assert ended.value.code == 1, capsys.readouterr().err
