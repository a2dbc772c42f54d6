"""Who runs an audit does not change it: joblib, and a dask cluster that loses a worker."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.cli.main import main
from provedp.verify.audit import ApproximateDP, TargetError, audit
from provedp.verify.audit.runs import pools as pools_module
from provedp.verify.audit.runs.chunks import LARGEST_CHUNK, Task
from provedp.verify.audit.runs.pools import Dask, Joblib, close_children, run_in_child
from provedp.verify.audit.targets.factories import target

CLAIM = ApproximateDP(1.0)


def laplace(data: float, rng: Any, count: int) -> Any:
    time.sleep(0.005)
    return data + rng.laplace(scale=0.5, size=count)


def children() -> int:
    return sum(len(job.every) for job in pools_module._jobs.values())


@pytest.fixture(scope="module")
def serial() -> Any:
    return audit(laplace, (0, 1), CLAIM, runs=4000, seed=5, processes=4)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_joblib_gives_the_same_result(serial: Any, workers: int) -> None:
    executor = Joblib(workers)
    assert (
        audit(laplace, (0, 1), CLAIM, runs=4000, seed=5, processes=4, executor=executor) == serial
    )
    assert 1 <= children() <= workers
    executor.close()
    assert children() == 0


def test_an_error_ends_the_children_that_are_still_running(tmp_path: Path) -> None:
    mark = str(tmp_path / "hanging")

    def hangs_once_or_fails(data: float, rng: Any, count: int) -> Any:
        import os
        import time

        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise RuntimeError("the other one hangs") from None
        time.sleep(3600)

    executor = Joblib(2)
    start = time.monotonic()
    with pytest.raises(TargetError, match="the other one hangs"):
        # Without checks there is no pilot, whose run would be the one that hangs.
        audit(
            hangs_once_or_fails, (0, 1), CLAIM, runs=4000, executor=executor, errors="fail",
            checks=False,
        )  # fmt: skip
    assert time.monotonic() - start < 600  # of the limit of time of the one that hangs
    assert children() == 0


def test_a_wrong_number_of_workers_is_refused() -> None:
    with pytest.raises(ValueError, match="'workers'"):
        Joblib(0)


def test_an_address_without_a_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools_module, "CONNECT_SECONDS", 0.2)
    with pytest.raises(ValueError, match="No dask scheduler answers"):
        Dask("tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(pools_module, "WORKER_SECONDS", 0.5)
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as empty:
        start = time.monotonic()
        with pytest.raises(ValueError, match="has had no worker for 0.5 seconds"):
            Dask(empty.scheduler_address)
        assert time.monotonic() - start < 15


def test_chunks_of_a_job_share_a_child_and_jobs_do_not() -> None:
    task = Task(target(laplace), (0, 1), 0, 0, 10, 1, None)
    first, again = run_in_child("a", task), run_in_child("a", task)
    assert np.array_equal(first.outputs[0].numbers, again.outputs[0].numbers)
    assert children() == 1
    run_in_child("b", task)
    assert children() == 2
    close_children("a")
    close_children("b")
    assert children() == 0


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def worker_pids(address: str) -> list[int]:
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return sorted(client.run(os.getpid).values())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of the worker that is killed
def test_a_cluster_that_loses_a_worker_gives_the_same_result(serial: Any, cluster: Any) -> None:
    address = cluster.scheduler_address
    victim = worker_pids(address)[0]
    killed = threading.Event()

    def progress(phase: str, done: int, total: int) -> None:
        if phase == "count" and done > total / 4 and not killed.is_set():
            os.kill(victim, signal.SIGKILL)
            killed.set()

    executor = Dask(address)
    try:
        found = audit(
            laplace,
            (0, 1),
            CLAIM,
            runs=4000,
            seed=5,
            processes=4,
            executor=executor,
            progress=progress,
        )
    finally:
        executor.close()
    assert killed.is_set()
    assert victim not in worker_pids(address)
    assert found == serial


@pytest.mark.slow
def test_the_error_of_a_target_comes_back_from_a_cluster(cluster: Any) -> None:
    def fails(data: float, rng: Any) -> float:
        raise RuntimeError("on a worker")

    executor = Dask(cluster.scheduler_address)
    try:
        with pytest.raises(TargetError, match="on a worker"):
            audit(fails, (0, 1), CLAIM, runs=100, executor=executor)
    finally:
        executor.close()


@pytest.mark.slow
def test_a_cluster_is_named_on_the_command_line(
    cluster: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "def release(data, rng, count):\n    return data + rng.laplace(scale=0.5, size=count)\n"
    Path("mine.py").write_text(code, encoding="utf-8")
    arguments = ["mine:release", "--claim-epsilon", "1", "--pair", "0", "1", "--runs", "4000"]
    printed = []
    for more in ([], ["--dask", cluster.scheduler_address]):
        with pytest.raises(SystemExit) as ended:
            main(["audit", *arguments, *more])
        assert ended.value.code == 1
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.slow
def test_a_million_runs_of_a_vector_stay_within_a_gigabyte() -> None:
    code = r"""
import re, resource
from pathlib import Path
from provedp.verify.audit import audit

def vector(data, rng, count):
    return data + rng.laplace(scale=1.0, size=(count, 20))

result = audit(vector, (0.0, 0.05), 1.0, runs=500_000)
peak = max(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 0)
# Its own peak: ru_maxrss would start from that of the process which started it.
peak += int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
print(result.refuted, result.runs, peak / 1e6)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    refuted, runs, gigabytes = done.stdout.split()
    assert (refuted, runs) == ("False", "1000000")
    assert float(gigabytes) < 1.0
    assert LARGEST_CHUNK * 20 * 8 < 10**7
