"""A statement with another factor is no longer held, or it is said here why nothing can tell.

The mutants of the ledger put a wrong formula in the place of the one under test. Here that formula
stays, and every other one that the check calls is off: a check that does not notice would hold a
statement with another factor for as good.
"""

import dis
import inspect
import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import CodeType, ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Claim, Verdict
from provedp.verify.ledger.instances import Level
from provedp.verify.ledger.perturbations import changed
from provedp.verify.ledger.run import gather, verdict_of

FORMULAS = "provedp.theory"
MACHINERY = ("provedp.theory.matrices", "provedp.theory.numbers", "provedp.theory.domain")
INSTANCES = 12  # of a domain that are tried
PART = 1000  # a formula is off by one of them
Formula = Callable[..., Any]
Change = Callable[[Any], Any]
CHANGES: tuple[Change, ...] = (
    lambda number: number * (PART + 1) / PART,
    lambda number: number * (PART - 1) / PART,
    lambda number: (number * PART + 1) / PART,
)
BUDGETS: tuple[Change, ...] = (lambda k: k * k, lambda k: (k + 1) / 2)


def _codes(code: CodeType, inside: dict[str, Any], seen: set[CodeType]) -> Iterator[CodeType]:
    """Yield a function's code, that of its parts, and of functions of its module that it names."""
    if code in seen:
        return
    seen.add(code)
    yield code
    parts = [part for part in code.co_consts if isinstance(part, CodeType)]
    for name in code.co_names:
        value = inside.get(name)
        function = getattr(value, "check", value)  # of another claim, its check
        if getattr(function, "__module__", None) == inside["__name__"]:
            parts += [function.__code__] if hasattr(function, "__code__") else []
    for part in parts:
        yield from _codes(part, inside, seen)


def _names(code: CodeType, inside: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the global names that a code reads, and what it reads of modules, with their rooms."""
    for one, two in itertools.pairwise(dis.get_instructions(code)):
        if one.opname != "LOAD_GLOBAL":
            continue
        value = inside.get(one.argval)
        if isinstance(value, ModuleType) and two.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            yield value.__name__, two.argval
        else:
            yield inside["__name__"], one.argval


def _is_formula(value: Any) -> bool:
    home = str(getattr(value, "__module__", ""))
    is_of_theory = home.startswith(FORMULAS) and home not in MACHINERY
    return callable(value) and not isinstance(value, type) and is_of_theory


def called_formulas(claim: Claim) -> dict[tuple[str, str], Callable[..., Any]]:
    """Return the formulas that a check may call, by where it finds them, but the one under test."""
    inside = claim.check.__globals__
    found = {}
    for code in _codes(claim.check.__code__, inside, set()):
        for room, name in _names(code, inside):
            value = getattr(sys.modules[room], name, None)
            if _is_formula(value) and value is not claim.formula:
                found[room, name] = value
    return found


def _off(change: Change, formula: Formula) -> Formula:
    """Return a formula whose numbers are changed."""
    return lambda *arguments, **named: changed(formula(*arguments, **named), change)


def _at(change: Change, formula: Formula) -> Formula:
    """Return a formula at another k = e^ε."""
    signature = inspect.signature(formula)

    def elsewhere(*arguments: Any, **named: Any) -> Any:
        bound = signature.bind(*arguments, **named)
        bound.arguments["k"] = change(bound.arguments["k"])
        return formula(*bound.args, **bound.kwargs)

    return elsewhere


def notices(claim: Claim, room: str, name: str, wrong: Iterable[Formula]) -> bool:
    """Whether the check refutes the statement with one of the wrong formulas in this place."""
    for formula in wrong:
        with patch.object(sys.modules[room], name, formula):
            if _verdict(claim) is Verdict.REFUTED:
                return True
    return False


def _verdict(claim: Claim) -> Verdict:
    """Return the verdict over the first instances of the domain."""
    instances = claim.instances
    if instances.strategy(Level.QUICK) is not None:
        short = replace(instances, examples=INSTANCES)
    elif instances.are_enumerated:
        first = list(itertools.islice(instances.listed(Level.QUICK), INSTANCES))
        short = replace(instances, values={}, cases=first)
    else:
        short = instances
    shortened = replace(claim, instances=short)
    return verdict_of(shortened, gather(shortened, claim.formula, Level.QUICK, shrink=False))


INVALID = "the wrong matrix is refused as none of probabilities"
LOOSE = "one side of an inequality that has room"
EDGE = "a hypothesis, seldom on the edge"
SIGN = "only a sign is asked of it"
WHOLE = "a whole number; with a part of one there is no path"
REFUSED = "the checker refuses weights whose sum is not one"
UNNOTICED = {
    ("counting.multipliers_bound_every_release", "dual_weights"): REFUSED,
    ("counting.multipliers_bound_every_loss", "dual_weights"): REFUSED,
    ("counting.multipliers_bound_every_loss", "release_matrix"): LOOSE,
    ("counting.ball_bound_has_a_certificate", "distances"): WHOLE,
    ("counting.ball_bound_is_attained_if_vertex_transitive", "distances"): WHOLE,
    ("counting.negative_entries_need_not_cost", "undisturbed"): SIGN,
    ("counting.largest_entry_of_the_difference_decides", "no_loss_margin_by_entries"): LOOSE,
    ("counting.unit_column_sums_of_the_inverse_suffice", "cone_coordinates"): SIGN,
    ("counting.singular_channel_costs", "diagonal"): EDGE,
    ("counting.post_processing_bounds_the_error", "release_matrix"): INVALID,
    ("counting.first_upper_bound_holds", "trivial_error"): LOOSE,
    ("counting.first_upper_bound_holds", "mixing_weight"): "it only splits cases",
    (
        "counting.spectral_step_is_the_longest",
        "assignment_error",
    ): EDGE,
    ("counting.release_is_invertible_unless_nothing_leaks", "release_matrix"): SIGN,
    ("counting.some_step_is_too_long_unless_the_image_vanishes", "spectral_direction"): SIGN,
    ("counting.some_step_is_too_long_unless_the_image_vanishes", "release_inverse"): SIGN,
    ("counting.upper_bounds_do_not_exceed_the_trivial_one", "mixing_error"): LOOSE,
    ("counting.upper_bounds_do_not_exceed_the_trivial_one", "assignment_mixing_error"): LOOSE,
    ("counting.capped_third_upper_bound_holds", "assignment_mixing_weight"): "it only splits cases",
    ("counting.uncapped_third_bound_fails_for_every_small_size", "release_matrix"): INVALID,
    ("counting.high_privacy_costs_nothing", "undisturbed"): SIGN,
    ("counting.more_power_does_not_hurt", "undisturbed"): SIGN,
    ("counting.first_upper_bound_fails_in_the_papers_setting", "undisturbed"): SIGN,
    ("counting.first_upper_bound_fails_in_the_papers_setting", "mixing_weight_as_printed"): LOOSE,
    ("privacy.basic_composition_holds_for_products", "hockey_stick"): "it is on both sides",
    ("privacy.classical_gaussian_is_private_up_to_one", "normal_cdf"): LOOSE,
    ("privacy.classical_noise_is_more_than_needed", "classical_sigma"): LOOSE,
    ("privacy.noisy_max_with_all_the_noise_is_private", "noisy_max_probability"): LOOSE,
    ("privacy.sparse_vector_is_private_for_these_queries", "probability"): "a ratio of two of it",
    ("privacy.sparse_vector_with_scaled_noise_is_private", "probability"): "a ratio of two of it",
    ("privacy.queries_with_noise_may_change_places", "sparse_vector_scales"): LOOSE,
    ("privacy.answers_with_a_cutoff_are_private", "sparse_vector_scales"): LOOSE,
    (
        "privacy.truncated_geometric_has_the_profile_of_its_noise",
        "truncated_geometric_matrix",
    ): INVALID,
}
AT_ZERO = "ε is 0 here"
BUDGET = "it holds for any budget"
UNNOTICED_BUDGET = {
    ("counting.multipliers_bound_every_loss", "release_matrix"): LOOSE,
    ("privacy.basic_composition_holds_for_products", "hockey_stick"): LOOSE,
    ("privacy.subsampling_amplifies_finite_laws", "hockey_stick"): LOOSE,
    ("counting.error_limit_for_many_counts", "error"): AT_ZERO,
    ("counting.one_half_is_sharp", "diagonal"): AT_ZERO,
    ("counting.one_half_is_sharp", "matrix_of_three"): AT_ZERO,
    ("counting.three_counts_need_positive_epsilon", "matrix_of_three"): AT_ZERO,
    ("counting.negative_entries_need_not_cost", "undisturbed"): SIGN,
    ("counting.largest_entry_of_the_difference_decides", "no_loss_margin_by_entries"): LOOSE,
    (
        "counting.channel_with_one_inside_the_cone_is_free_at_high_privacy",
        "undisturbed",
    ): SIGN,
    ("counting.doubly_stochastic_channel_costs_nothing_at_high_privacy", "undisturbed"): SIGN,
    ("counting.singular_channel_costs", "diagonal"): EDGE,
    ("counting.error_is_at_least_that_of_the_assignment", "release_matrix"): BUDGET,
    ("counting.release_is_invertible_unless_nothing_leaks", "release_matrix"): BUDGET,
    ("counting.some_step_is_too_long_unless_the_image_vanishes", "release_inverse"): SIGN,
    ("counting.upper_bounds_do_not_exceed_the_trivial_one", "mixing_error"): LOOSE,
    ("counting.upper_bounds_do_not_exceed_the_trivial_one", "assignment_mixing_error"): LOOSE,
    ("counting.assignment_has_the_largest_diagonal", "release_matrix"): BUDGET,
    ("counting.high_privacy_costs_nothing", "undisturbed"): SIGN,
    ("counting.more_power_does_not_hurt", "undisturbed"): SIGN,
}
SUBJECTS = ("counting", "privacy")
HELD = [
    claim
    for claim in registry.claims().values()
    if claim.id.split(".")[0] in SUBJECTS and claim.verdict > Verdict.REFUTED
]


@pytest.mark.parametrize("claim", HELD, ids=lambda claim: claim.id)
def test_what_a_check_compares_with_matters(claim: Claim) -> None:
    for (room, name), formula in called_formulas(claim).items():
        noticed = notices(claim, room, name, (_off(change, formula) for change in CHANGES))
        explained = (claim.id, name) in UNNOTICED
        assert noticed is not explained, f"{name}: noticed {noticed}, explained {explained}"


@pytest.mark.parametrize("claim", HELD, ids=lambda claim: claim.id)
def test_another_budget_matters(claim: Claim) -> None:
    for (room, name), formula in called_formulas(claim).items():
        if "k" in inspect.signature(formula).parameters:
            noticed = notices(claim, room, name, (_at(change, formula) for change in BUDGETS))
            explained = (claim.id, name) in UNNOTICED_BUDGET
            assert noticed is not explained, f"{name}: noticed {noticed}, explained {explained}"


def test_every_explanation_is_of_a_formula_that_is_called() -> None:
    called = {(claim.id, name) for claim in HELD for _, name in called_formulas(claim)}
    assert {*UNNOTICED, *UNNOTICED_BUDGET} <= called
