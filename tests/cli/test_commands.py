"""The command line as a user meets it: output, exit status, one clear line for a wrong request."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mpmath
import pytest

from provedp.cli.main import main

CLAIMS = '''
from fractions import Fraction as Q
from provedp.verify.ledger import certified, equal, less, ours, refuted

def triangle(m):
    return Q(m * (m + 1), 2)

@ours("a lecture", formula=triangle)
@certified(m=range(1, 20))
def integers_sum_to_triangles(triangle, m):
    """1 + … + m = m(m + 1)/2."""
    return equal(triangle(m), sum(range(1, m + 1)))
'''
FALSE = (
    CLAIMS
    + '''
@ours("a lecture")
@certified(m=range(1, 20))
def all_are_small(m):
    """Every m below twenty is below ten."""
    return less(m, 10)
'''
)
BLIND = (
    CLAIMS
    + '''
@ours("a lecture", formula=triangle)
@certified(m=range(1, 20))
def ignores_its_formula(triangle, m):
    """A check that looks away."""
    return equal(m, m)
'''
)


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


Provedp = Callable[..., Outcome]


@pytest.fixture
def provedp(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Provedp:
    """Run the command line in this process, in a given folder."""

    def run(*arguments: str, cwd: Path | None = None) -> Outcome:
        if cwd is not None:
            monkeypatch.chdir(cwd)
        with pytest.raises(SystemExit) as end:
            main(arguments)
        captured = capsys.readouterr()
        return Outcome(int(end.value.code or 0), captured.out, captured.err)

    return run


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "provedp", "value", "counting.alpha", "m=8", "k=2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "16/45\n", "")


def one_line(result: Outcome) -> str:
    assert result.returncode == 2
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("provedp: ")
    return lines[0]


def test_verify_prints_a_table_and_totals(provedp: Provedp) -> None:
    result = provedp("verify", "counting.distance*", "--jobs", "1")
    assert result.returncode == 0, result.stderr
    assert "counting.distance_changes_by_at_most_one" in result.stdout
    assert "3 claims: 3 proved.\n3 proved, of which " in result.stdout


def test_verify_tells_sections_then_totals(provedp: Provedp) -> None:
    lines = provedp("verify", "counting.distance*", "--jobs", "1").stdout.splitlines()
    row = next(line for line in lines if line.startswith("counting  Section IV"))
    assert row.split()[3:5] == ["2", "2"] and row.endswith("as recorded")
    assert lines.index(row) < lines.index("3 claims: 3 proved.")
    assert all(len(line) <= 80 for line in lines if not line.startswith("longest chain"))


def test_all_prints_each_claim_with_its_evidence(provedp: Provedp, tmp_path: Path) -> None:
    many = CLAIMS + "".join(
        f"""
@ours("a lecture")
@certified(n=[{i}])
def number_{i}_is_itself(n):
    \"\"\"A number is itself.\"\"\"
    return equal(n, {i})
"""
        for i in range(13)
    )
    (tmp_path / "many.py").write_text(many)
    words = ["verify", "--jobs", "1", "--from", "many.py"]
    assert "number_3_is_itself" not in provedp(*words, cwd=tmp_path).stdout
    shown = provedp(*words, "--all", cwd=tmp_path).stdout
    assert "certified many.number_3_is_itself\n            exact, 1 check (0.0" in shown
    assert "many  no paper" in shown


def test_faults_come_first_and_say_changed(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "my_claims.py").write_text(FALSE)
    result = provedp("verify", "--jobs", "1", "--from", "my_claims.py", cwd=tmp_path)
    assert "1 changed" in result.stdout and "as recorded" not in result.stdout
    assert re.search(r"FAULT my_claims\.all_are_small: .* at \w+ = \d+\)", result.stderr)


def test_pages_are_written_beside_their_contents(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    files = ["--markdown", "contents.md", "--pages", "papers"]
    result = provedp("verify", "counting.distance*", "--jobs", "1", *files, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    contents = (tmp_path / "contents.md").read_text()
    link = re.search(r"\(papers/counting\.md#(counting\.distance_changes[^)]*)\)", contents)
    assert link is not None
    page = (tmp_path / "papers/counting.md").read_text()
    assert f'<a id="{link[1]}"></a>' in page
    line = one_line(provedp("verify", "counting.distance*", "--pages", "absent", cwd=tmp_path))
    assert "absent is no folder" in line


def test_a_whole_page_of_a_users_file_names_its_command(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "my_claims.py").write_text(CLAIMS)
    words = ["verify", "--jobs", "1", "--from", "my_claims.py", "--markdown", "page.md"]
    assert provedp(*words, cwd=tmp_path).returncode == 0
    page = (tmp_path / "page.md").read_text()
    assert "make ledger" not in page and "`my_claims.integers_sum_to_triangles`" in page


def test_value_keeps_the_kind_of_each_argument(provedp: Provedp) -> None:
    # e/(e + 1) for counts 1 and 0 at ratio e.
    points = ['candidates=[[0],["1/3"]]', "draws=1", "suppression=1/3", "ratio=exp(1)"]
    found = json.loads(provedp("value", "modes.dap_law", "counts=[1,0]", *points, "--json").stdout)
    assert float(found["value"]["0"]) == pytest.approx(0.7310585786300049, rel=1e-15)
    line = one_line(provedp("value", "modes.dap_law", 'counts=["exp(1)",0]', *points))
    assert 'Got ["exp(1)",0] instead.' in line
    line = one_line(provedp("value", "counting.alpha", "m=8", "k=exp(-1)"))
    assert line.endswith("in the range [1, inf). Got exp(-1) instead.")


def test_points_that_balls_do_not_tell_apart_are_refused(provedp: Provedp) -> None:
    points = ['candidates=[[0],["sqrt(2)"]]', "draws=1", "suppression=sqrt(2)", "ratio=2"]
    line = one_line(provedp("value", "modes.dap_law", "counts=[1,0]", *points))
    assert "cannot tell whether two points are within the radius" in line


def test_exact_points_beside_a_ball_are_compared_exactly(provedp: Provedp) -> None:
    # Suppression reaches the other point exactly, so that both draws see both candidates.
    points = ['candidates=[[0],["1/3"]]', "draws=2", "suppression=1/3", "ratio=exp(1)"]
    found = json.loads(provedp("value", "modes.dap_law", "counts=[1,0]", *points, "--json").stdout)
    first = 0.7310585786300049
    assert float(found["value"]["0 0"]) == pytest.approx(first**2, rel=1e-14)


def test_verify_writes_json(provedp: Provedp, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    result = provedp("verify", "counting.distance*", "--jobs", "1", "--json", str(target))
    assert result.returncode == 0, result.stderr
    assert [claim["verdict"] for claim in json.loads(target.read_text())["claims"]] == [
        "proved"
    ] * 3


def test_verify_a_users_file(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "my_claims.py").write_text(CLAIMS)
    result = provedp("verify", "--jobs", "1", "--from", "my_claims.py", "--mutants", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "my_claims.integers_sum_to_triangles" in result.stdout
    assert "1 claim: 1 certified.\n" in result.stdout
    assert "19 checks ran." in result.stdout
    assert "1 formula: 8 mutants killed (100.0% of those decided), 0 alive" in result.stdout


def test_a_false_claim_fails_the_run(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "my_claims.py").write_text(FALSE)
    result = provedp("verify", "--jobs", "1", "--from", "my_claims.py", cwd=tmp_path)
    assert result.returncode == 1
    assert "FAULT my_claims.all_are_small: the record says certified" in result.stderr


def test_a_blind_check_fails_the_run_with_mutants(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "my_claims.py").write_text(BLIND)
    assert provedp("verify", "--jobs", "1", "--from", "my_claims.py", cwd=tmp_path).returncode == 0
    result = provedp("verify", "--jobs", "1", "--from", "my_claims.py", "--mutants", cwd=tmp_path)
    assert result.returncode == 1
    assert "ignores_its_formula: its check notices no wrong formula" in result.stderr


def test_show_prints_a_counterexample_and_its_repair(provedp: Provedp) -> None:
    result = provedp("show", "counting.third_upper_bound_holds")
    assert result.returncode == 0, result.stderr
    for part in ("refuted", "[2/3, 1/3]", "k = 3", "1/3 > 1/4", "capped_third_upper_bound_holds"):
        assert part in result.stdout, part


def test_show_as_json(provedp: Provedp) -> None:
    result = provedp("show", "counting.even_spectrum_is_as_printed", "--json")
    assert json.loads(result.stdout)["evidence"]["witness"]["m"] == "2"


def test_unknown_claim_gets_a_suggestion(provedp: Provedp) -> None:
    line = one_line(provedp("show", "counting.third_upper_bound"))
    assert "Did you mean counting.third_upper_bound_holds, " in line
    assert "No claim matches" in one_line(provedp("verify", "nothing.*"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["counting.alpha", "m=8", "k=2"], "16/45"),
        (["counting.alpha", "m=8", "k=exp(ln(2))"], "16/45"),
        (["counting.alpha", "m=5", "k=1.1"], "121/541"),
        (["counting.error", "m=40", "k=3/2", "delta=1/3"], "27883789448/52286037375"),
        (["counting.radius_upper", "m=4", "k=2", "delta=0"], "4/9"),
        (
            ["counting.release_matrix", "m=2", "k=2", "delta=0"],
            '[["2/3", "1/3"],\n ["1/3", "2/3"]]',
        ),
        (["privacy.hockey_stick", "p=[1,0]", 'q=["1/2","1/2"]', "k=1"], "1/2"),
        (["counting.diagonal", "m=2", "k=k", "delta=0", "--symbolic"], "1/(1 + 1/k)"),
    ],
)
def test_value(provedp: Provedp, arguments: list[str], expected: str) -> None:
    result = provedp("value", *arguments)
    assert (result.returncode, result.stdout.strip()) == (0, expected), result.stderr


def test_value_as_a_ball_reaches_its_digits(provedp: Provedp) -> None:
    # 60 digits of α_8 at ε = 1 from two formulas at another library's arithmetic.
    result = provedp("value", "counting.alpha", "m=8", "k=exp(1)", "--digits", "19", "--json")
    found = json.loads(result.stdout)
    assert found["value"] == "0.4707390435932926031"
    assert found["exact"] is False
    assert 0 < found["error"] < 1e-19


def test_a_transcendental_value_of_rationals_reaches_its_digits(provedp: Provedp) -> None:
    with mpmath.workdps(60):
        reference = mpmath.ncdf(-0.5) - mpmath.e * mpmath.ncdf(-1.5)
    options = ["mu=1", "epsilon=1", "--digits", "50", "--json"]
    found = json.loads(provedp("value", "privacy.gaussian_delta", *options).stdout)
    with mpmath.workdps(60):
        assert abs(mpmath.mpf(found["value"]) - reference) <= found["error"] + 1e-58


@pytest.mark.parametrize(("exponent", "digits"), [(5, 20), (80, 20), (300, 12)])
def test_the_digits_asked_for_are_digits_of_a_small_value(
    provedp: Provedp, exponent: int, digits: int
) -> None:
    # 1 − 1/Σ k^(−d) for the distances 0, 1, 1, 2, 2, 3, 3, 4 around a circle of eight.
    options = ["m=8", f"k=exp({exponent})", "delta=0", "--digits", str(digits), "--json"]
    found = json.loads(provedp("value", "counting.error", *options).stdout)
    with mpmath.workdps(700):
        q = mpmath.exp(-exponent)
        reference = 1 - 1 / (1 + 2 * (q + q**2 + q**3) + q**4)
        assert abs(mpmath.mpf(found["value"]) / reference - 1) < mpmath.mpf(10) ** (1 - digits)


def test_a_value_that_no_precision_tells_from_zero_is_zero(provedp: Provedp) -> None:
    law = '["exp(-1)", "1-exp(-1)"]'
    result = provedp("value", "privacy.hockey_stick", f"p={law}", f"q={law}", "k=exp(0)", "--json")
    found = json.loads(result.stdout)
    assert abs(float(found["value"])) <= found["error"] < 1e-100


def test_a_value_with_parts_is_printed_by_name(provedp: Provedp) -> None:
    result = provedp("value", "privacy.gaussian_sigma", "epsilon=1", "delta=1e-5", "--json")
    parts = json.loads(result.stdout)["value"]
    assert float(parts["neighbour"]) < float(parts["value"])
    assert float(parts["delta_at_value"]) <= 1e-5 < float(parts["delta_at_neighbour"])


def test_value_lists_the_formulas(provedp: Provedp) -> None:
    result = provedp("value")
    for name in ("counting.alpha", "counting.error", "counting.release_matrix", "channels.psk_row"):
        assert f"\n{name} " in f"\n{result.stdout}"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["counting.alpha", "m=1", "k=2"], "'m' parameter of counting.alpha"),
        (["counting.alpha", "m=8", "k=1/2"], "in the range [1, inf). Got 1/2 instead"),
        (["counting.alpha", "m=8", "k=nan"], "'k': 'nan' is not a number"),
        (["counting.alpha", "m=8", "k=1/0"], "not a finite number"),
        (["counting.alpha", "m=8", "k=9**9**9**9"], "exponent"),
        (["counting.alpha", "m=8.5", "k=2"], "must be an integer"),
        (["counting.alpha", "m=8"], "'k' is missing"),
        (["counting.alpha", "m=8", "k=2", "k=3"], "given twice"),
        (["counting.alpha", "m=8", "q=2"], "gives no parameter"),
        (["counting.alpah", "m=8"], "Did you mean counting.alpha?"),
        (["counting.error", "m=8", "k=2", "delta=1"], "in the range [0, 1). Got 1 instead"),
        (["counting.error", "m=8", "k=2", "delta=-1/9"], "Got -1/9 instead"),
        (["channels.assignment", "channel=[[1,0],[1/2,1/3]]"], "not valid JSON"),
        (["channels.assignment", 'channel=[["1","0"],["1/2","1/3"]]'], "row 2 that sums to 5/6"),
        (["channels.assignment", 'channel=[["1","0"]]'], "shape 1×2"),
        (["channels.assignment", 'channel=[["2","-1"],["0","1"]]'], "-1 in row 1, column 2"),
        (["channels.assignment", "channel=absent.csv"], "absent.csv cannot be read"),
        (["counting.alpha", "m=8", "k=exp(1)", "--digits", "0"], "digits"),
    ],
)
def test_value_refuses(provedp: Provedp, arguments: list[str], complaint: str) -> None:
    assert complaint in one_line(provedp("value", *arguments))


def test_release_states_the_budget(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text("ward,cases\nA,3\nB,7\nC,0\n")
    options = ["--column", "cases", "--m", "8", "--epsilon", "ln(3)", "--delta", "1/20"]
    result = provedp("release", "counting", "wards.csv", *options, cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    header, *counts = result.stdout.split()
    assert header == "cases"
    assert all(0 <= int(count) <= 7 for count in counts) and len(counts) == 3
    assert "ε = ln(3), δ = 1/20" in result.stderr
    assert "counting.canonical_release_is_private" in result.stderr


def test_release_as_json_and_to_a_file(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text("cases\n3\n9\n")
    options = ["--column", "cases", "--m", "8", "--epsilon", "1", "--clamp", "--json"]
    result = provedp(
        "release", "counting", "wards.csv", *options, "--output", "out.csv", cwd=tmp_path
    )
    report = json.loads(result.stdout)
    written = (tmp_path / "out.csv").read_text().split()
    assert written == ["cases", *(str(count) for count in report["released"])]
    assert report["claim"] == "counting.canonical_release_is_private"


@pytest.mark.parametrize(
    "mechanism", ["optimal", "truncated-geometric", "rounded-laplace", "exponential"]
)
@pytest.mark.parametrize("epsilon", ["1e-300", "1000"])
def test_a_thousand_million_counts_are_possible(
    provedp: Provedp, tmp_path: Path, mechanism: str, epsilon: str
) -> None:
    """Nothing as large as m is written down, and no number is drawn as often as 1/ε says."""
    (tmp_path / "wards.csv").write_text("cases\n0\n999999999\n")
    options = ["--column", "cases", "--m", "1000000000", "--epsilon", epsilon, "--json"]
    options += ["--mechanism", mechanism]
    result = provedp("release", "counting", "wards.csv", *options, cwd=tmp_path)
    report = json.loads(result.stdout)
    assert all(0 <= each < 10**9 for each in report["released"])
    if epsilon == "1000":
        assert report["released"] == [0, 999_999_999]
        assert report["worst_case_error"] < 1e-200
    else:
        assert report["worst_case_error"] > 1 - 1e-8


def test_a_seeded_release_promises_nothing(provedp: Provedp, tmp_path: Path) -> None:
    (tmp_path / "wards.csv").write_text("cases\n3\n")
    options = ["--column", "cases", "--m", "8", "--epsilon", "1", "--seed", "7"]
    first = provedp("release", "counting", "wards.csv", *options, cwd=tmp_path)
    again = provedp("release", "counting", "wards.csv", *options, cwd=tmp_path)
    assert first.stdout == again.stdout
    assert "no guarantee" in first.stderr


@pytest.mark.parametrize(
    ("content", "options", "complaint"),
    [
        ("cases\n8\n", [], "column cases: a cell is not an integer from 0 to 7"),
        ("cases\n-1\n", [], "column cases: a cell is not an integer from 0 to 7"),
        ("cases\n2.5\n", [], "column cases: a cell is not an integer"),
        ("cases\nNaN\n", [], "column cases: a cell is not an integer"),
        ("cases\n1\n8\n", ["--show-values"], "cases, row 2: '8' is not an integer from 0 to 7"),
        ("cases\n2.5\n", ["--show-values"], "cases, row 1: '2.5' is not an integer"),
        ("cases\n\n", [], "no rows"),
        ("", [], "no rows"),
        ("other\n3\n", [], "no column 'cases'"),
        ("cases\n3\n", ["--epsilon", "-1"], "'epsilon' parameter"),
        ("cases\n3\n", ["--epsilon", "nan"], "'epsilon' parameter"),
        ("cases\n3\n", ["--delta", "1"], "'delta' parameter"),
        ("cases\n3\n", ["--m", "1"], "'m' parameter"),
        ("cases\n3\n", ["--mechanism", "rounded-laplace", "--delta", "0.1"], "δ = 0"),
        ("cases\n3\n", ["--output", "absent/out.csv"], "cannot be written"),
    ],
)
def test_release_refuses(
    provedp: Provedp, tmp_path: Path, content: str, options: list[str], complaint: str
) -> None:
    (tmp_path / "wards.csv").write_text(content)
    base = ["--column", "cases", "--m", "8", "--epsilon", "1"]
    result = provedp("release", "counting", "wards.csv", *base, *options, cwd=tmp_path)
    assert complaint in one_line(result)
    assert result.stdout == ""


def test_release_of_an_unreadable_file(provedp: Provedp, tmp_path: Path) -> None:
    base = ["--column", "cases", "--m", "8", "--epsilon", "1"]
    assert "cannot be read" in one_line(provedp("release", "counting", "absent.csv", *base))
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    result = provedp("release", "counting", "binary.csv", *base, cwd=tmp_path)
    assert "not UTF-8" in one_line(result)


def test_unknown_command_and_option(provedp: Provedp) -> None:
    assert "No such command" in one_line(provedp("prove"))
    assert "No such option" in one_line(provedp("verify", "--hard"))


@pytest.mark.parametrize("arguments", [[], ["solve"], ["--help"], ["verify", "--help"]])
def test_help_is_laid_out(provedp: Provedp, arguments: list[str]) -> None:
    result = provedp(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) > 5
    assert result.stdout.startswith("Usage: provedp")
