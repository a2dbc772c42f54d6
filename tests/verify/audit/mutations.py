"""One change of one line each in the model of outputs or in the checks of runs, and who notices.

`old` stands once in the file below provedp/verify/audit/; `new` takes its place; `test` is a fast
test of this folder that fails then. What says nothing wrong of an output says so in `harmless`.
"""

from dataclasses import dataclass

TREES, TABLES = "targets/trees.py", "targets/tables.py"
SHOWN, FAILURES = "targets/shown.py", "targets/failures.py"
DESCRIPTION, VOCABULARY = "events/features/description.py", "events/features/vocabulary.py"
READING, TEXTS = "events/features/reading.py", "events/features/texts.py"
PROJECTIONS, SCORE = "events/scores/projections.py", "events/scores/score.py"
CHECKS, DISPERSION = "runs/checks.py", "statistics/dispersion.py"

DIFFERENT = "test_trees.py::test_what_differs_in_type_or_value_has_different_trees"
BROKEN = (
    "test_kinds_of_outputs.py::test_broken_mechanisms_are_refuted_by_an_event_that_can_be_replayed"
)
HOSTILE = "test_hostile_outputs.py::test_broken_ones_are_refuted_by_an_event_that_can_be_replayed"
STATISTICS = "test_hostile_outputs.py::test_statistics_bear_extreme_numbers"
LEVEL = "test_shared_noise.py::test_dispersion_has_the_level_that_it_states"
SEES = "test_shared_noise.py::test_dispersion_sees_groups_that_differ_and_groups_too_alike"
TOGETHER = "test_checks.py::test_many_tests_together_have_one_error"


@dataclass(frozen=True)
class Mutation:
    """A wrong line, and the test that notices."""

    what: str
    file: str
    old: str
    new: str
    test: str
    harmless: str = ""


MUTATIONS = [
    Mutation("the order of a dict is forgotten", TREES,
             "for key, item in value.items()]\n        kind",
             "for key, item in sorted(value.items(), key=str)]\n        kind", DIFFERENT),
    Mutation("integers beyond 2^53 are floats", TREES,
             "rest = value - int(near) if math.isfinite(near) else value", "rest = 0", DIFFERENT),
    Mutation("the type of a NumPy integer is forgotten", TREES,
             '''return INT if name == "int" else f'{{"np":"{name}"}}\'''', "return INT", DIFFERENT),
    Mutation("a bool is an int", TREES, "return BOOL", "return INT", DIFFERENT),
    Mutation("sets have an order", TREES,
             "for token, numbers in sorted(trees, key=lambda tree: (tree[0], _order(tree[1]))):",
             "for token, numbers in trees:",
             "test_trees.py::test_sets_of_equal_elements_have_one_order"),
    Mutation("0 and −0 in sets come as they come", TREES,
             "math.copysign(1, x)) for x in numbers]", "0.0) for x in numbers]",
             "test_trees.py::test_sets_of_equal_elements_have_one_order"),
    Mutation("the time zone is forgotten", TREES,
             'return None if zone is None else f"{value.utcoffset()} {zone}"', "return None",
             DIFFERENT),
    Mutation("a class that inherits is its base", TREES,
             '''return f'{{"as":{json.dumps(_name(value))},"of":{token}}}\'''', "return token",
             DIFFERENT),
    Mutation("nothing is too deep", TREES, "elif depth > DEEPEST:", "elif depth < 0:",
             "test_trees.py::test_generators_cycles_and_depth_end_in_one_clear_outcome"),
    Mutation("the dtype of an array is forgotten", TABLES,
             "return array_token(value.dtype.name, value.shape)",
             'return array_token("float64", value.shape)', DIFFERENT),
    Mutation("the shape of a sparse matrix is forgotten", TABLES,
             "value.format, list(value.shape)])", "value.format])", DIFFERENT),
    Mutation("what is masked is forgotten", TABLES,
             "for x in (np.ma.getmaskarray(value), value.filled())]",
             "for x in (value.filled(),)]", DIFFERENT),
    Mutation("the unit of datetime64 is forgotten", TABLES,
             "writer.integer(int(value.astype(np.int64)), str(value.dtype))",
             'writer.integer(int(value.astype(np.int64)), "M8")', HOSTILE + "[unit of datetime64]"),
    Mutation("the schema of a table is forgotten", TABLES, '"schema": str(value.schema), ', "",
             "test_trees.py::test_tables_of_arrow_have_names_types_and_order"),
    Mutation("bools are shown as integers", SHOWN,
             "return str(bool(value)) if code == 2 else str(int(value))", "return str(int(value))",
             "test_features.py::test_numbers_are_shown_as_what_they_are"),
    Mutation("the text of an error is forgotten", FAILURES, "[kind, _text(error)]", '[kind, ""]',
             "test_failures.py::test_the_text_of_an_error_is_looked_at_too"),
    Mutation("a request that failed may come back without a failure", FAILURES,
             "if failing(outputs).any():", "if True:",
             "test_failures.py::test_a_request_that_fails_as_a_whole_keeps_the_law_of_its_runs"),
    Mutation("an exit status hides what was printed", FAILURES,
             "if printed is None:", "if True:",
             "test_failures.py::test_exit_statuses_of_programs"),
    Mutation("−0 is 0", DESCRIPTION, "marks = (values == 0) & np.signbit(values)",
             "marks = values != values", "test_features.py::test_special_numbers_are_marked"),
    Mutation("any number of a row makes it the row", DESCRIPTION, "== wanted).all(1)",
             "== wanted).any(1)",
             "test_features.py::test_rows_are_counted_if_all_of_them_is_there"),
    Mutation("what is missing counts as there", DESCRIPTION,
             "return 0.0 if feature[0] in COUNTED else np.nan",
             "return 1.0 if feature[0] in COUNTED else np.nan", BROKEN + "[a key]"),
    Mutation("missing numbers are zeros", VOCABULARY, "known = np.clip(values[~np.isnan(values)],",
             "known = np.clip(np.nan_to_num(values),",
             "test_features.py::test_missing_numbers_have_no_part_in_means"),
    Mutation("places of keys are forgotten", READING,
             'float(place)\n            self._read(item', "0.0\n            self._read(item",
             "test_features.py::test_keys_have_places"),
    Mutation("JSON in text is text", READING, "and self._nested < NESTED:", "and False:",
             "test_features.py::test_json_in_text_is_read_and_the_text_is_text"),
    Mutation("numbers in text are words", TEXTS,
             'found[("number", path, str(place))] = float(number)', "pass",
             "test_features.py::test_json_in_text_is_read_and_the_text_is_text"),
    Mutation("infinite numbers are projected as they are", PROJECTIONS,
             "clean = _filled(x)", "clean = np.nan_to_num(x, posinf=np.inf, neginf=-np.inf)",
             STATISTICS),
    Mutation("projections point anywhere", PROJECTIONS, "gap = mean - other", "gap = mean - mean",
             "test_kinds_of_outputs.py::test_wide_outputs_are_learned_from_in_few_numbers",
             "the sum of all numbers, which is looked at besides, tells there"),
    Mutation("0 and −0 are one outcome", SCORE, "rows = [filled.view(np.int64)]",
             "rows = [filled + 0.0]", DIFFERENT),
    Mutation("many tests have many errors", CHECKS,
             "tries = len(_Compared._fields) * max(1, len(tests))", "tries = 1", TOGETHER),
    Mutation("two sides have two errors", CHECKS,
             "min(1.0, 2 * min(dispersion_p_values(*tables)))",
             "min(1.0, min(dispersion_p_values(*tables)))", TOGETHER),
    Mutation("a failed check is hidden by one that passed", CHECKS,
             "return [min(each, key=lambda one: one.passed) for each in same]",
             "return [max(each, key=lambda one: one.passed) for each in same]",
             "test_checks.py::test_the_worst_of_two_data_sets_counts"),
    Mutation("the same outputs under other seeds pass", CHECKS,
             "len(set(varied)) < len(varied)", "len(set(varied)) > len(varied)",
             "test_checks.py::test_equal_beginnings_are_a_fixed_seed"),
    Mutation("dispersion is of the variance alone", DISPERSION,
             "shape = 4 * variance**3 / third**2", "shape = 1e6 + 0 * third",
             LEVEL),
    Mutation("too little difference is no sign", DISPERSION,
             "if log_mass > LEAST_LOG_MASS:", "if True:", SEES),
    Mutation("rare kinds are compared by themselves", DISPERSION,
             "table[:, 0].sum() < LEAST_SUM:", "table[:, 0].sum() < 0:", LEVEL,
             "the third moment allows for small expectations; it only becomes slower"),
    Mutation("quantiles are computed between values", DISPERSION,
             "np.sort(values)[len(values) * np.arange(1, BINS) // BINS]",
             "np.quantile(values, np.arange(1, BINS) / BINS)",
             "test_hostile_outputs.py::test_bins_are_as_even_as_values_allow"),
    Mutation("one outcome in one group is a proof", DISPERSION,
             "special.bdtrc(together - 1, tried, chance)", "special.bdtrc(together, tried, chance)",
             "test_shared_noise.py::test_outcomes_that_stay_in_their_group"),
    Mutation("kept outputs stand for the runs of checks", "runs/journals.py",
             "task.event is None and task.kind is None", "task.event is None",
             "test_states.py::test_kept_outputs_do_not_stand_for_the_runs_of_checks"),
    Mutation("nested guesses are ordered by the least bound", "canaries/nested.py",
             "greatest = max(chances)", "greatest = min(chances)",
             "test_one_run_bounds.py::test_joint_law_is_that_of_all_outcomes"),
    Mutation("fewer nested outcomes are as extreme", "canaries/nested.py",
             "greatest, alone * NEAR)", "1.02 * greatest, alone * NEAR)",
             "test_one_run_bounds.py::test_joint_law_is_that_of_all_outcomes"),
]  # fmt: skip
