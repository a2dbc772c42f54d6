"""`--html` of verify, show and list: what it writes and what it refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from provedp.cli.main import main

MINE = '''
from provedp.verify.ledger import certified, equal, ours

@ours("my notes, Lemma 2")
@certified(n=range(5))
def sums_are_sums(n):
    """1 + … + n = n(n + 1)/2."""
    return equal(sum(range(n + 1)), n * (n + 1) // 2)
'''


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Return a call of the command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(MINE, encoding="utf-8")

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


def test_verify_writes_what_the_run_found(run: Callable[..., Any]) -> None:
    status, _, _ = run("verify", "counting.error_is_o*", "--html", "pages", "--jobs", "1")
    assert status == 0
    assert "recomputed by a run at the quick level" in Path("pages/index.html").read_text("utf-8")
    claims = [path.stem for path in Path("pages/claims").iterdir()]
    assert claims
    assert all(name.startswith("counting.error_is_o") for name in claims)


def test_a_users_claims_have_pages(run: Callable[..., Any]) -> None:
    status, _, err = run("verify", "--from", "mine.py", "--html", "pages", "--jobs", "1")
    assert status == 0, err
    page = Path("pages/claims/mine.sums_are_sums.html").read_text("utf-8")
    assert "<mfrac>" in page
    assert "my notes" in page


def test_show_writes_one_claim_or_the_claims_of_an_item(run: Callable[..., Any]) -> None:
    assert run("show", "counting.third_upper_bound_holds", "--html", "pages")[0] == 0
    (page,) = Path("pages/claims").iterdir()
    assert "<code>counting.capped_third_upper_bound_holds</code>" in page.read_text("utf-8")
    assert run("show", "counting, Lemma 1", "--html", "pages")[0] == 0
    assert len(list(Path("pages/claims").iterdir())) == 2


def test_list_writes_what_is_on_record(run: Callable[..., Any]) -> None:
    status, _, _ = run("list", "--defect", "misprint", "--html", "pages")
    assert status == 0
    assert "nothing was recomputed" in Path("pages/index.html").read_text("utf-8")
    assert len(list(Path("pages/claims").iterdir())) == 6


REFUSED = {
    "a folder with files": (("list", "--html", "."), "it holds mine.py"),
    "a file": (("list", "--html", "mine.py"), "it is no folder"),
    "nowhere": (("list", "--html", "no/pages"), "No such file"),
    "a file inside": (
        ("verify", "counting.error*", "--html", "p", "--json", "p/x.json"),
        "p/x.json is in p, which --html replaces whole",
    ),
    "the file of claims inside": (
        ("verify", "--from", "mine.py", "--html", "."),
        "mine.py is in ., which --html replaces whole",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_requests_end_in_one_line_before_any_work(case: str, run: Callable[..., Any]) -> None:
    arguments, said = REFUSED[case]
    before = sorted(Path().rglob("*"))
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before
