"""Files of claims are collected by pytest: each claim is a test that its record must survive."""

import textwrap

import pytest

CLAIMS = textwrap.dedent('''
    from provedp.verify.ledger import certified, equal, ours, published, refuted

    @ours("a lecture")
    @certified(n=range(5))
    def squares_are_products(n):
        """n² = n · n."""
        return equal(n**2, n * n)

    @ours("a lecture")
    @certified(n=range(60))
    def squares_stay_small(n):
        """n² ≤ 99, or so one thinks."""
        return equal(min(n**2, 99), n**2)

    @published("a book, Theorem 3")
    @refuted(n=1)
    def all_are_zero(n):
        """n = 0 for every n; no repair is known."""
        return equal(n, 0)
''')


@pytest.fixture
def claims(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(my_claims=CLAIMS)
    return pytester


def check(result: pytest.RunResult) -> None:
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*squares_stay_small: the record says certified*at n = 10*"])
    result.stdout.fnmatch_lines(["*n = 10*", "*found: 99 ≠ 100*"])


def test_a_file_is_named_by_the_option(claims: pytest.Pytester) -> None:
    check(claims.runpytest_subprocess("--provedp-claims", "my_claims.py"))


def test_files_are_named_in_the_ini_and_one_claim_is_chosen(claims: pytest.Pytester) -> None:
    claims.makeini("[pytest]\nprovedp_claims = my_*.py")
    claims.makepyfile(other="raise ImportError('is not collected')")
    result = claims.runpytest_subprocess("-k", "products")
    result.assert_outcomes(passed=1, deselected=2)


def test_files_without_claims_are_errors(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(empty_claims="x = 1", broken_claims="1 +", innocent="raise ValueError")
    result = pytester.runpytest_subprocess("--provedp-claims", "*_claims.py", ".")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines_random(["*holds no claim*", "*SyntaxError*"])
    assert "Traceback" not in result.stdout.str()


def test_without_the_option_nothing_is_collected(claims: pytest.Pytester) -> None:
    claims.runpytest_subprocess().assert_outcomes()


def test_an_unknown_level_is_refused(claims: pytest.Pytester) -> None:
    result = claims.runpytest_subprocess("--provedp-claims", "my_claims.py", "--provedp-level", "x")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
