"""Claims from Python: found, run and shown as on the command line."""

import re
from pathlib import Path

import pytest

import provedp
from provedp.cli.main import main
from provedp.verify.ledger.claim import Verdict

REFUTED = "counting.third_upper_bound_holds"
MINE = '''
from provedp.verify.ledger import certified, equal, ours
@ours("a lesson")
@certified(n=range(4))
def squares_are_odd(n):
    """n² is odd."""
    return equal(n * n % 2, 1)
'''


def untimed(text: str) -> str:
    return re.sub(r" \(\d+\.\d\d s\)", "", text).strip()


def test_claims_are_found_by_pattern() -> None:
    found = provedp.claims("counting.third_*")
    assert REFUTED in {claim.id for claim in found}
    assert provedp.find_claim(REFUTED) in found
    with pytest.raises(ValueError, match="No claim matches 'nothing'"):
        provedp.claims("nothing")


def test_a_refutation_is_recomputed() -> None:
    result = provedp.run_claim(REFUTED)
    assert (result.verdict, result.fault) == (Verdict.REFUTED, "")
    assert result.evidence.found == "1/3 > 1/4"
    assert result in provedp.run_claims("counting.third_*")


def test_a_false_claim_of_a_file_has_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "lesson.py"
    file.write_text(MINE, encoding="utf-8")
    (result,) = provedp.run_claims(file=str(file))
    assert result.verdict is Verdict.REFUTED
    assert result.evidence.witness == {"n": 0}
    assert "the record says certified" in result.fault


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="'deep' is not a valid Level"):
        provedp.run_claim(REFUTED, level="deep")


def test_the_text_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", REFUTED])
    printed = capsys.readouterr().out
    assert untimed(str(provedp.show(REFUTED))) == untimed(printed)
