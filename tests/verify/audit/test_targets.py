"""Targets of all kinds run in a child; what goes wrong there is said and harms nothing."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.verify.audit import TargetError, fitted, program, target
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.shown import shown
from provedp.verify.audit.targets.target import Target

COUNTER = """
import json, os, sys
data = json.load(open(os.environ["PROVEDP_DATA"]))
for line in sys.stdin:
    index, count = map(int, line.split())
    for _ in range(count):
        print(json.dumps([index, sum(data[index])]))
    sys.stdout.flush()
"""


def outputs(what: Target, data: Any = 0.0, count: int = 3, datasets: Any = ()) -> Any:
    with Runner(what, datasets) as runner:
        return runner.run(data, [1, 2], count)


def test_functions_of_data_and_rng_one_by_one_and_in_batches() -> None:
    single = outputs(target(lambda data, rng: data + rng.random()), 5.0)
    batch = outputs(target(lambda data, rng, count: data + rng.random(count)), 5.0)
    assert single.numbers.shape == batch.numbers.shape == (3, 1)
    np.testing.assert_array_equal(single.numbers, batch.numbers)


@pytest.mark.parametrize(
    ("release", "batches"),
    [
        (lambda count: count + 1, False),
        (lambda count, rng: count + rng.integers(1, 2), False),
        (lambda count, generator: count + generator.integers(1, 2), False),
        (lambda rng: rng + 1, False),
        (lambda data, count: [data + 1] * count, True),
        (lambda data, count, rng: data + rng.integers(1, 2, count), True),
        (lambda data, count, generator: data + generator.integers(1, 2, count), True),
        (lambda count, rng, count_=0: count + rng.integers(1, 2), False),
        (lambda rng, count: [rng + 1] * count, True),
    ],
)
def test_the_first_parameter_is_the_data_whatever_its_name(release: Any, batches: bool) -> None:
    found = outputs(target(release), 7, 5).numbers
    assert found.tolist() == [[8.0]] * 5
    if batches:
        with pytest.raises(TargetError, match="4 outputs came back from a request for 5"):
            outputs(target(lambda data, count: [data] * (count - 1)), 7, 5)


class Counter:
    """Methods whose data are called what the number of runs is called elsewhere."""

    def __init__(self, scale: float):
        self.scale = scale

    def release(self, count: int, rng: Any) -> float:
        return count + self.scale * float(rng.integers(1, 2))

    def __call__(self, count: int) -> float:
        return count + self.scale

    def many(self, data: int, rng: Any, count: int) -> Any:
        return data + self.scale * rng.integers(1, 2, count)


@pytest.mark.parametrize(
    "release", [Counter(1.0), Counter(1.0).release, Counter(1.0).__call__, Counter(1.0).many]
)
def test_bound_methods_are_given_the_data_first(release: Any) -> None:
    assert outputs(target(release), 7, 4).numbers.tolist() == [[8.0]] * 4


def test_seeds_decide_the_outputs_also_of_global_generators() -> None:
    what = target(lambda data: float(np.random.random()))
    with Runner(what) as runner:
        first, other, again = (runner.run(0, [seed], 4).numbers for seed in (1, 2, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_objects_with_release_randomise_and_invoke() -> None:
    class Released:
        def release(self, data: int, rng: Any) -> int:
            return data + 1

    class Randomised:
        def randomise(self, value: int) -> int:
            return value + 2

    class Measurement:
        def invoke(self, data: int) -> int:
            return data + 3

    found = [
        outputs(target(kind()), 10).numbers[0, 0] for kind in (Released, Randomised, Measurement)
    ]
    assert found == [11, 12, 13]


def test_opendp_measurement_by_name(tmp_path: Path) -> None:
    pytest.importorskip("opendp")
    (tmp_path / "noise.py").write_text(
        "import opendp.prelude as dp\n"
        "dp.enable_features('contrib')\n"
        "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"
        "measurement = dp.m.make_laplace(*space, scale=1.0)\n"
    )
    batch = outputs(target("noise:measurement", directory=str(tmp_path)), 100.0, 20)
    assert np.ptp(batch.numbers) > 0
    assert abs(np.median(batch.numbers) - 100) < 5


def test_estimator_and_a_function_of_the_fitted_object() -> None:
    class Mean:
        random_state: Any = None

        def fit(self, x: Any, y: Any) -> "Mean":
            self.mean_ = float(np.mean(y)) + np.random.default_rng(self.random_state).random()
            return self

    what = target(fitted(Mean(), lambda model: model.mean_))
    batch = outputs(what, (np.zeros(4), np.full(4, 7.0)))
    assert np.all((batch.numbers >= 7) & (batch.numbers < 8))
    assert np.ptp(batch.numbers) > 0


def test_reference_finds_modules_of_the_callers_directory_even_those_named_like_ours(
    tmp_path: Path,
) -> None:
    (tmp_path / "theory.py").write_text("def value(data, rng):\n    return data * 2\n")
    assert outputs(target("theory:value", directory=str(tmp_path)), 4).numbers[0, 0] == 8


def test_the_child_works_in_a_directory_of_its_own() -> None:
    def here(data: Any, rng: Any) -> list[str]:
        import os

        return os.listdir()

    assert outputs(target(here)).tokens == ("[]",)


def test_what_a_target_prints_harms_nothing() -> None:
    def loud(data: float, rng: Any) -> float:
        print("x" * 100_000)
        sys.stderr.write("y" * 100_000)
        return data

    assert outputs(target(loud), 3.0, 20).numbers.sum() == 60


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise KeyError('lost')", "KeyError: 'lost'"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("import os; print('last words', flush=True); os._exit(7)", "status 7:\nlast words"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "signal SIGSEGV"),
        ("while True: pass", "no answer within 1 seconds"),
        ("return [0] * 10**11", "MemoryError"),
        ("return object()", "an output of type object cannot be compared"),
        ("return open('/nowhere')", "No such file"),
    ],
)
def test_errors_are_the_targets_own(tmp_path: Path, body: str, words: str) -> None:
    (tmp_path / "broken.py").write_text(f"def release(data, rng):\n    {body}\n")
    what = target(
        "broken:release", directory=str(tmp_path), timeout=1.0, memory=4 << 30, errors="fail"
    )
    with pytest.raises(TargetError) as caught:
        outputs(what)
    assert words in str(caught.value)


def test_wrong_names_and_wrong_numbers_of_outputs(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'target'"):
        target("no_colon")
    with pytest.raises(TargetError, match="No module named"):
        outputs(target("missing_module:release", directory=str(tmp_path)))
    with pytest.raises(TargetError, match="2 outputs came back from a request for 3"):
        outputs(target(lambda data, rng, count: np.zeros(count - 1)))


def test_a_runner_goes_on_after_an_error() -> None:
    def odd(data: int, rng: Any) -> int:
        if data % 2:
            raise ValueError("odd")
        return data

    with Runner(target(odd, errors="fail")) as runner:
        with pytest.raises(TargetError, match="odd"):
            runner.run(1, [0], 1)
        assert runner.run(2, [0], 1).numbers[0, 0] == 2


def test_objects_that_cannot_be_copied_run_here() -> None:
    import threading

    lock = threading.Lock()

    def locked(data: float, rng: Any) -> float:
        with lock:
            return data

    with pytest.raises(TargetError, match="isolated=False"):
        outputs(target(locked))
    assert outputs(target(locked, isolated=False), 2.0).numbers.sum() == 6


def test_program_of_the_line_protocol(tmp_path: Path) -> None:
    script = tmp_path / "count.py"
    script.write_text(COUNTER)
    datasets = ([1, 2], [3, 4])
    with Runner(program([sys.executable, str(script)]), datasets) as runner:
        assert runner.run([3, 4], [0], 2).numbers.tolist() == [[1, 7], [1, 7]]
        assert runner.run([1, 2], [0], 1).numbers.tolist() == [[0, 3]]


def test_shell_program_and_one_process_per_run() -> None:
    shell = 'while read index count; do yes "$index" | head -n "$count"; done'
    assert outputs(program(["sh", "-c", shell]), 9, 4, (8, 9)).numbers.tolist() == [[1]] * 4
    assert outputs(program(["cat"], once=True), {"a": [1]}).tokens == (
        '{"dict":[["a",{"list":1,"n":1}]]}',
    )
    assert outputs(program(["echo", "yes"], once=True)).tokens == ('"yes"',)


@pytest.mark.parametrize(
    ("command", "once", "words"),
    [
        (["sh", "-c", "read a b; echo garbage"], False, "no JSON value: 'garbage'"),
        (["sh", "-c", "read a b; exit 4"], False, "ended with status 4"),
        (["sh", "-c", "exit 5"], True, "ended with status 5"),
        (["sh", "-c", "read a b; sleep 60"], False, "no answer within 1 seconds"),
        (["provedp-no-such-program"], False, "provedp-no-such-program"),
    ],
)
def test_errors_of_programs(command: list[str], once: bool, words: str) -> None:
    with pytest.raises(TargetError) as caught:
        outputs(program(command, once=once, timeout=1.0, errors="fail"), 0, 2, (0, 1))
    assert words in str(caught.value)


def test_empty_command_is_refused() -> None:
    with pytest.raises(ValueError, match="'command'"):
        program("")


def in_two_processes(folder: Path, code: str) -> list[Any]:
    """Return what `VALUE` of a module is in two fresh processes, one after the other."""
    (folder / "drawn.py").write_text(f"{code}\ndef release(data):\n    return VALUE\n")
    found = []
    with Runner(target("drawn:release", directory=str(folder))) as runner:
        for runner.process in ("one", "two"):
            batch = runner.run(0, [1], 1)
            found.append(shown(batch.tokens[0], batch.numbers[0].tolist()))
    return found


def test_libraries_are_imported_beforehand_and_what_is_of_the_target_anew(tmp_path: Path) -> None:
    code = "import sys; known = 'scipy.special' in sys.modules\nimport scipy.special\n"
    assert in_two_processes(tmp_path, f"{code}VALUE = known") == ["False", "True"]
    drawn = in_two_processes(tmp_path, "import os; VALUE = os.urandom(8).hex()")
    assert len(set(drawn)) == 2


def test_a_module_of_the_target_that_is_named_like_a_library_is_the_one(tmp_path: Path) -> None:
    (tmp_path / "scipy.py").write_text("import os; OWN = os.urandom(8).hex()\n")
    one, two = in_two_processes(tmp_path, "import scipy; VALUE = scipy.OWN")
    assert one != two
