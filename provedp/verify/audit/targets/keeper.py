"""Who keeps the child process of a target: makes its folder, starts it, and ends what is left.

A process that is killed cannot tidy up. So the audit does not start the worker itself but this
keeper, which holds one end of a pipe that the audit never writes to. When the other end is closed,
because the audit is done or because it was killed, the keeper ends the worker and all that it
started, removes the folder, and ends as the worker did. Nothing heavy is imported before the worker
is forked, in a session of its own, so that what a target does to its group misses the keeper.

Started by `python -P -m`, with the file descriptors of that pipe, of requests and of replies.
"""

import contextlib
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT  # stays to be waited for: its number is not reused
ATTEMPTS = 100


def main() -> NoReturn:
    """Keep a worker."""
    life, requests, replies = map(int, sys.argv[1:4])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # who starts it closes the pipe
    folder = Path(tempfile.mkdtemp(prefix="provedp-audit-"))
    try:
        worker = os.fork()
        if worker == 0:
            os.close(life)
            _become_worker(folder, requests, replies)
        os.close(requests)
        os.close(replies)
        status = _end_of(worker, life)
    finally:
        _remove(folder)
    end_as(status)


def _become_worker(folder: Path, requests: int, replies: int) -> NoReturn:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        from provedp.verify.audit.targets.worker import work

        work(requests, replies)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(status)


def _end_of(worker: int, life: int) -> int:
    """Wait for the worker or for the end of who wants it; end it, and return its status."""
    ended, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(tell)
    over = False
    while not over and os.waitid(os.P_PID, worker, ENDED) is None:
        ready = select.select([life, ended], [], [])[0]
        over = life in ready
        if ended in ready:
            os.read(ended, 4096)
    for kill in (os.kill, os.killpg):  # it may not have its group yet
        with contextlib.suppress(ProcessLookupError):
            kill(worker, signal.SIGKILL)
    return os.waitpid(worker, 0)[1]


def _remove(folder: Path) -> None:
    """Remove a folder, in which processes that are ending may still write."""
    for _ in range(ATTEMPTS):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.02)


def end_as(status: int) -> NoReturn:
    """End this process as another one ended, by the status that `waitpid` gave."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with contextlib.suppress(OSError, ValueError):  # SIGKILL takes no handler
            signal.signal(-code, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
