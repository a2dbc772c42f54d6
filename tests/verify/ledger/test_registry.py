"""Finding claims: by id, by pattern, in a user's file; and what is wrong with such a file."""

import importlib
from pathlib import Path

import pytest

from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Role, Verdict

GOOD = '''
from provedp.verify.ledger import certified, equal, ours

@ours("a test")
@certified(m=range(5))
def sums_to_itself(m):
    """m + 0 = m."""
    return equal(m + 0, m)
'''


def test_ids_are_found_and_misspelt_ones_get_a_suggestion() -> None:
    assert registry.find("counting.error_is_optimal").verdict is Verdict.PROVED
    with pytest.raises(
        registry.UnknownClaimError, match=r"Did you mean counting\.error_is_optimal"
    ):
        registry.find("counting.error_is_optimum")


def test_patterns() -> None:
    ids = [claim.id for claim in registry.select("counting.error_*")]
    assert ids and all(name.startswith("counting.error_") for name in ids)
    assert len(registry.select(None)) == len(registry.claims())
    with pytest.raises(registry.UnknownClaimError, match="No claim matches"):
        registry.select("no such thing")


@pytest.mark.parametrize("package", registry.SUBJECTS.values())
def test_all_modules_of_claims_are_listed(package: str) -> None:
    module = importlib.import_module(package)
    folder = Path(module.__file__ or "").resolve().parent
    decorated = ("\n@published(", "\n@ours(", "\n@repairs(")
    with_claims = {
        path.stem
        for path in folder.glob("*.py")
        if any(mark in path.read_text(encoding="utf-8") for mark in decorated)
    }
    assert with_claims == set(module.MODULES)


def test_refuted_published_claims_have_repairs_that_hold() -> None:
    for claim in registry.claims().values():
        if claim.role is Role.PUBLISHED and claim.verdict is Verdict.REFUTED:
            repairs = registry.repairs_of(claim)
            assert repairs, claim.id
            # What a program of floats prints is at most supported.
            assert all(repair.verdict >= Verdict.SUPPORTED for repair in repairs), claim.id


def test_a_users_file(tmp_path: Path) -> None:
    path = tmp_path / "my_claims.py"
    path.write_text(GOOD)
    assert list(registry.claims(str(path))) == ["my_claims.sums_to_itself"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("x = 1", "holds no claim"),
        ("def f(:", "SyntaxError"),
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        ("raise SystemError('its own words')", "its own words"),
    ],
)
def test_a_users_broken_file(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / f"broken_{abs(hash(content))}.py"
    path.write_text(content)
    with pytest.raises(registry.ClaimFileError, match=complaint):
        registry.claims(str(path))


def test_an_absent_file(tmp_path: Path) -> None:
    with pytest.raises(registry.ClaimFileError, match="is not a file"):
        registry.claims(str(tmp_path / "absent.py"))
