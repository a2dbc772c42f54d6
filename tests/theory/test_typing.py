"""The types that a user's editor and mypy see."""

from pathlib import Path

from mypy import api

CASES = Path(__file__).with_name("typing_cases.py")
ROOT = CASES.parents[2]


def test_formulas_over_any_field_are_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    options = ["--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    said, failed, status = api.run([*options, str(CASES)])
    assert status == 0, said + failed
    assert 'Revealed type is "provedp.theory.numbers.Number"' in said
