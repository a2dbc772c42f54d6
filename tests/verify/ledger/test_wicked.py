"""The adversarial suite: no wicked claim comes out certified, and every honest one does.

Each file in `wicked/` holds claims that are false, empty, ill-typed, or true for the wrong reason,
and what must be found of each: a verdict, and for a fault a part of what it says. Out of scope are
claims that replace the ledger's own functions, compare balls inside numpy or another package, kill
the process, or never end.
"""

from pathlib import Path
from types import ModuleType

import pytest

from provedp.verify.ledger import mutants, registry
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.run import run

FOLDER = Path(__file__).parent / "wicked"
HONEST = FOLDER / "honest.py"
FORMULAS = FOLDER / "formulas.py"
HOLDING = {"proved", "certified", "supported"}


def module_of(path: Path) -> ModuleType:
    """Return a file of claims, loaded as a user's file is."""
    import sys

    registry.claims(str(path))
    return sys.modules[path.stem]


def cases(path: Path) -> list[tuple[str, str, str]]:
    registry.claims(str(path))
    expected = module_of(path).EXPECTED
    return [(str(path), f"{path.stem}.{name}", wanted) for name, wanted in expected.items()]


FILES = sorted(path for path in FOLDER.glob("*.py") if path not in (HONEST, FORMULAS))
WICKED = [case for path in FILES for case in cases(path)]


def outcome_of(claim: Claim, file: str) -> tuple[str, str]:
    """Return the verdict as capped, and all that is wrong."""
    result = run(claim, registry.repairs_of(claim, file))
    standing = registry.standing(claim, result.verdict, file)
    return str(standing.verdict), "; ".join((result.fault, standing.fault))


@pytest.mark.parametrize(("file", "name", "wanted"), WICKED, ids=[name for _, name, _ in WICKED])
def test_wicked_claims_get_the_verdict_that_they_deserve(file: str, name: str, wanted: str) -> None:
    claim = registry.find(name, file)
    verdict, fault = outcome_of(claim, file)
    expected, _, said = wanted.partition(":" if wanted.startswith("fault") else ";")
    assert verdict == expected
    assert said.strip() in fault
    if verdict in HOLDING:  # it may hold as less than it says, which is a fault
        assert Verdict[verdict.upper()] < claim.verdict
        assert "more than the evidence" in fault


def test_every_wicked_claim_is_expected_and_they_are_many() -> None:
    for path in (*FILES, FORMULAS):
        known = {name.partition(".")[2] for name in registry.claims(str(path))}
        assert known == set(module_of(path).EXPECTED)
    assert len(WICKED) >= 60


@pytest.mark.parametrize(("file", "name", "wanted"), cases(FORMULAS))
def test_checks_that_notice_nothing_or_do_not_repeat(file: str, name: str, wanted: str) -> None:
    assert any(wanted in fault for fault in mutants.judge(registry.find(name, file)).faults)


@pytest.mark.parametrize("name", registry.claims(str(HONEST)))
def test_honest_claims_are_accepted(name: str) -> None:
    claim = registry.find(name, str(HONEST))
    verdict, fault = outcome_of(claim, str(HONEST))
    assert fault == "; "
    assert verdict == str(claim.verdict)
    assert not mutants.judge(claim).faults


def test_two_claims_of_one_name_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "twice.py"
    path.write_text(
        """from provedp.verify.ledger import certified, equal, ours

@ours("wicked")
@certified()
def same():
    '''1 = 2.'''
    return equal(1, 2)

@ours("wicked")
@certified()
def same():
    '''1 = 1.'''
    return equal(1, 1)
"""
    )
    with pytest.raises(registry.ClaimFileError, match="Two claims have the id 'twice.same'"):
        registry.claims(str(path))
