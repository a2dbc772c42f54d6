"""Running claims: the verdict follows from the evidence, and the record may not exceed it."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as Q
from typing import Any

import pytest
import sympy
from flint import arb
from hypothesis import strategies as st

from provedp.verify.ledger import (
    Finding,
    all_of,
    assume,
    at_most,
    certified,
    close,
    equal,
    frequency_at_most,
    less,
    levels,
    open_,
    ours,
    proved,
    published,
    refuted,
    repairs,
    supported,
)
from provedp.verify.ledger.claim import Verdict
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.mutants import Outcome, applies_to, judge
from provedp.verify.ledger.run import run


def square(m: int) -> Q:
    """Return the sum of the first m odd numbers, by its closed form."""
    return Q(m * m)


def square_as_printed(m: int) -> Q:
    return Q(m * m + m)


@published("eq. (1)", formula=square)
@certified(m=range(1, 10))
def odd_numbers_sum_to_squares(formula: Callable[..., Q], m: int) -> Finding:
    """1 + 3 + … + (2m − 1) = m²."""
    return equal(formula(m), Q(sum(range(1, 2 * m, 2))))


@published("eq. (2)")
@proved()
def identity_is_symbolic() -> Finding:
    """(x + 1)² = x² + 2x + 1."""
    x = sympy.Symbol("x")
    return equal((x + 1) ** 2, x**2 + 2 * x + 1)


@published("eq. (3)", formula=square_as_printed)
@refuted(m=1)
def odd_numbers_sum_as_printed(formula: Callable[..., Q], m: int) -> Finding:
    """1 + 3 + … + (2m − 1) = m² + m."""
    return equal(formula(m), Q(sum(range(1, 2 * m, 2))))


@repairs(odd_numbers_sum_as_printed, formula=square)
@certified(m=range(1, 10))
def odd_numbers_sum_repaired(formula: Callable[..., Q], m: int) -> Finding:
    """1 + 3 + … + (2m − 1) = m²."""
    return odd_numbers_sum_as_printed(formula, m)


@repairs(odd_numbers_sum_as_printed, formula=square_as_printed)
@certified(m=range(1, 10))
def odd_numbers_sum_not_repaired(formula: Callable[..., Q], m: int) -> Finding:
    """The same wrong formula once more."""
    return odd_numbers_sum_as_printed(formula, m)


def test_verdicts_follow_from_the_evidence() -> None:
    assert run(odd_numbers_sum_to_squares).verdict is Verdict.CERTIFIED
    assert run(identity_is_symbolic).verdict is Verdict.PROVED
    assert run(odd_numbers_sum_as_printed, (odd_numbers_sum_repaired,)).verdict is Verdict.REFUTED
    assert not run(odd_numbers_sum_to_squares).fault


def test_evidence_counts_instances() -> None:
    @ours("a test")
    @certified(m=range(10))
    def even_only(m: int) -> Finding:
        """Even numbers are even."""
        assume(m % 2 == 0)
        return equal(m % 2, 0)

    evidence = run(even_only).evidence
    assert (evidence.met, evidence.skipped, evidence.checks) == (5, 5, 5)
    assert evidence.in_words() == "exact, 5 checks, 5 instances, 5 skipped"


def test_a_symbolic_check_on_some_sizes_is_no_proof() -> None:
    @ours("a test")
    @proved(n=range(1, 4))
    def binomials(n: int) -> Finding:
        """x^n x = x^(n + 1) for a few n."""
        x = sympy.Symbol("x")
        return equal(x**n * x, x ** (n + 1))

    result = run(binomials)
    assert result.verdict is Verdict.CERTIFIED
    assert "more than the evidence" in result.fault


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        (lambda: close(0.1, 0.1, tolerance=1e-9), Verdict.SUPPORTED),
        (lambda: frequency_at_most(0, 1000, 0.1, confidence=0.99), Verdict.SUPPORTED),
        (lambda: at_most(arb(1), arb(2)), Verdict.CERTIFIED),
        (lambda: at_most(arb(0, 1), arb(0)), Verdict.UNDECIDED),
        (lambda: close(0.1, 0.2, tolerance=1e-9), Verdict.UNDECIDED),
        (lambda: less(Q(2), Q(1)), Verdict.REFUTED),
    ],
)
def test_record_above_the_evidence_is_a_fault(
    found: Callable[[], Finding], verdict: Verdict
) -> None:
    @ours("a test")
    @proved()
    def claimed_proved() -> Finding:
        """A claim whose evidence is weaker than a proof."""
        return found()

    result = run(claimed_proved)
    assert result.verdict is verdict
    assert result.fault.startswith("the record says proved, more than the evidence")


def test_record_below_the_evidence_is_a_fault_too() -> None:
    @ours("a test")
    @supported(m=range(3))
    def modest(m: int) -> Finding:
        """m = m."""
        return equal(m, m)

    assert "other than the evidence: certified" in run(modest).fault


def test_vacuous_claim() -> None:
    @ours("a test")
    @certified(m=range(3))
    def about_nothing(m: int) -> Finding:
        """Numbers below three that exceed ten are prime."""
        assume(m > 10)
        return equal(1, 1)

    assert run(about_nothing).verdict is Verdict.VACUOUS


def test_undecided_hypothesis() -> None:
    @ours("a test")
    @certified(m=range(3))
    def unclear(m: int) -> Finding:
        """A claim whose hypothesis cannot be decided."""
        assume(None)
        return equal(m, m)

    assert run(unclear).verdict is Verdict.UNDECIDED


def test_only_a_refuted_claim_of_the_house_needs_a_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(odd_numbers_sum_as_printed).fault == ""
    house = "provedp.verify.claims.counting.optimum"
    monkeypatch.setattr(odd_numbers_sum_as_printed.check, "__module__", house)
    assert "needs a repair" in run(odd_numbers_sum_as_printed).fault


def test_a_repair_must_hold_at_the_witness() -> None:
    fine = run(odd_numbers_sum_as_printed, (odd_numbers_sum_repaired,))
    assert (fine.fault, fine.evidence.repair) == ("", "holds at the witness")
    broken = run(odd_numbers_sum_as_printed, (odd_numbers_sum_not_repaired,))
    assert "fails at the witness too" in broken.fault


def test_a_fault_names_the_instance_where_a_conjecture_fails() -> None:
    @ours("a test")
    @certified(n=range(60))
    def stays_small(n: int) -> Finding:
        """n ≤ 41."""
        return at_most(n, 41)

    assert run(stays_small).fault == (
        "the record says certified, more than the evidence: refuted (42 > 41 at n = 42)"
    )


def test_a_proof_with_instances_is_told_why_it_is_none() -> None:
    @ours("a test")
    @proved(x=[sympy.Symbol("x", real=True)])
    def expands(x: sympy.Symbol) -> Finding:
        """(x + 1)² = x² + 2x + 1."""
        return equal((x + 1) ** 2, x**2 + 2 * x + 1)

    assert "make its symbols inside the check" in run(expands).fault


def test_refutation_must_fail() -> None:
    @ours("a test")
    @refuted(m=2)
    def true_after_all(m: int) -> Finding:
        """Two is even."""
        return equal(m % 2, 0)

    assert "other than" in run(true_after_all).fault or "more than" in run(true_after_all).fault


def test_witness_outside_the_hypotheses_refutes_nothing() -> None:
    @ours("a test")
    @refuted(m=2)
    def excluded(m: int) -> Finding:
        """Odd numbers are even."""
        assume(m % 2 == 1)
        return equal(m % 2, 0)

    assert run(excluded).verdict is Verdict.VACUOUS


def test_generated_counterexample_is_shrunk() -> None:
    @ours("a test")
    @certified(m=st.integers(0, 10**6))
    def small(m: int) -> Finding:
        """Every integer is below 1234."""
        return less(m, 1234)

    evidence = run(small).evidence
    assert evidence.witness == {"m": 1234}


def test_generated_instances_repeat() -> None:
    @ours("a test")
    @certified(m=st.integers(0, 10**6), examples=levels(37, 80))
    def bounded(m: int) -> Finding:
        """Every integer up to a million is at most a million."""
        return all_of(at_most(m, 10**6), at_most(0, m))

    first, second = run(bounded), run(bounded)
    assert first.evidence.met == second.evidence.met == 37
    assert first.evidence.margin == second.evidence.margin
    assert run(bounded, level=Level.FULL).evidence.met == 80


def test_values_of_a_full_run_are_listed_when_there_is_one() -> None:
    asked = []

    def many() -> tuple[int, ...]:
        asked.append(1)
        return (1, 2, 3)

    @ours("a test")
    @certified(m=levels((1,), many))
    def listed(m: int) -> Finding:
        """One to three are at most three."""
        return at_most(m, 3)

    assert run(listed).evidence.met == 1 and not asked
    assert run(listed, level=Level.FULL).evidence.met == 3
    assert run(listed, level=Level.FULL).evidence.met == 3 and asked == [1]


def test_open_claim_needs_a_reason() -> None:
    @ours("a test")
    @open_("nobody knows how")
    def unknown() -> Finding:
        """A claim that cannot be run."""
        raise NotImplementedError

    assert run(unknown).verdict is Verdict.OPEN
    assert not run(unknown).fault

    @ours("a test")
    @open_("")
    def unexplained() -> Finding:
        """A claim that cannot be run, nobody says why."""
        raise NotImplementedError

    assert "reason" in run(unexplained).fault


def test_claims_without_statement_or_verdict_are_at_fault() -> None:
    @ours("a test")
    @certified(m=range(3))
    def silent(m: int) -> Finding:
        return equal(m, m)

    assert "docstring" in run(silent).fault
    without = ours("a test")(lambda: equal(1, 1))  # type: ignore[arg-type]
    assert "no verdict" in run(without).fault
    assert run(without).verdict is Verdict.FAULT


@pytest.mark.parametrize("returned", [True, None, 1])
def test_a_check_that_returns_no_finding_is_at_fault(returned: Any) -> None:
    @ours("a test")
    @certified(m=range(3))
    def careless(m: int) -> Any:
        """m is itself."""
        return returned if m == m else None

    result = run(careless)
    assert result.verdict is Verdict.FAULT
    assert "no finding" in result.fault


def test_a_check_that_raises_is_a_fault_of_its_claim_alone() -> None:
    @ours("a test")
    @certified(m=range(3))
    def broken(m: int) -> Finding:
        """One over zero is one."""
        return equal(Q(1, m), 1)

    result = run(broken)
    assert result.verdict is Verdict.FAULT
    assert "ZeroDivisionError" in result.fault
    assert "{'m': 0}" in result.fault


def test_mutants_are_noticed() -> None:
    report = judge(odd_numbers_sum_to_squares)
    slightly = ("times 1 + 1e-4", "times 1 − 1e-4", "plus 1e-4", "minus 1e-4")
    grossly = ("doubled", "halved", "of the other sign", "size off by one")
    assert report.killed == (*slightly, *grossly)
    assert not report.faults


def test_a_blind_check_is_reported() -> None:
    @ours("a test", formula=square)
    @certified(m=range(3))
    def blind(formula: Callable[..., Q], m: int) -> Finding:
        """A check that ignores the formula under test."""
        return equal(m, m)

    assert judge(blind).is_blind
    assert judge(blind).faults == ["its check notices no wrong formula"]


def test_only_a_refutation_kills() -> None:
    @ours("a test", formula=square)
    @certified(m=range(1, 4))
    def uses_it_as_a_size(formula: Callable[..., Q], m: int) -> Finding:
        """A check that breaks for a size that is no integer."""
        return equal(
            len([m for _ in range(int(formula(m)) if formula(m) == m * m else "?")]), m * m
        )  # type: ignore[arg-type]

    report = judge(uses_it_as_a_size)
    assert not report.killed
    assert len(report.outcomes[Outcome.CRASHED]) == 8


def square_and_excess(m: int, delta: Q) -> Q:
    return Q(m * m) + delta


def test_mutants_that_change_nothing_on_the_domain_are_counted_apart() -> None:
    @ours("a test", formula=square_and_excess)
    @certified(m=range(1, 4))
    def without_excess(formula: Callable[..., Q], m: int) -> Finding:
        """Without excess it is m²."""
        return equal(formula(m, Q(0)), m * m)

    report = judge(without_excess)
    assert report.outcomes[Outcome.SAME] == ("δ for 2δ",)
    assert not report.alive


def test_survivors_are_explained_on_the_record() -> None:
    @ours("a test", formula=square, survivors={"plus 1e-4; size off by one": "floored"})
    @certified(m=range(1, 4))
    def floors(formula: Callable[..., Q], m: int) -> Finding:
        """The whole part of m² is m²."""
        return equal(int(formula(m)), m * m)

    report = judge(floors)
    assert report.alive == ("times 1 + 1e-4", "plus 1e-4")
    assert report.unexplained == ("times 1 + 1e-4",)
    assert report.faults == ["the record explains mutants that do not live: size off by one"]


def test_a_run_that_does_not_repeat_is_a_fault() -> None:
    calls: list[int] = []

    @ours("a test")
    @certified(m=range(3))
    def remembers(m: int) -> Finding:
        """A check that depends on how often it has run."""
        calls.append(m)
        return all_of(*(equal(m, m) for _ in calls))

    assert "a second run differs: checks" in judge(remembers).faults[0]


def test_custom_mutants_are_tried() -> None:
    @ours("a test", formula=square, mutants=(square_as_printed,))
    @certified(m=range(1, 4))
    def exact(formula: Callable[..., Q], m: int) -> Finding:
        """The sum of odd numbers is a square."""
        return equal(formula(m), Q(m * m))

    assert "square_as_printed" in judge(exact).killed


@dataclass(frozen=True)
class Sought:
    """A number with what was found on the way."""

    value: Q
    steps: tuple[str, ...]


def square_and_how(m: int) -> Sought:
    return Sought(Q(m * m), ("by its closed form",))


def test_of_a_result_with_its_evidence_the_value_is_changed() -> None:
    @ours("a test", formula=square_and_how)
    @certified(m=range(1, 4))
    def exact(formula: Callable[..., Sought], m: int) -> Finding:
        """The value is m², found in one step."""
        found = formula(m)
        return all_of(equal(found.value, m * m), equal(len(found.steps), 1))

    report = judge(exact)
    assert len(report.killed) == 8
    assert not report.outcomes[Outcome.INVALID]


def test_mutants_apply_to_claims_that_hold_and_have_a_formula() -> None:
    assert applies_to(odd_numbers_sum_to_squares)
    assert not applies_to(odd_numbers_sum_as_printed)
    assert not applies_to(identity_is_symbolic)
