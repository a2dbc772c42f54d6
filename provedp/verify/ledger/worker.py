"""A process that runs tasks for another one, and does not outlive it.

Started by `pool.py` with one end of a connection. Requests are read in a thread of their own, so
that the end of the other process is seen in the middle of a task, and before the first one.
"""

import contextlib
import os
import pickle
import queue
import signal
import sys
import threading
from multiprocessing.connection import Connection

import cloudpickle  # type: ignore[import-untyped]


def main() -> None:
    """Answer requests until the other process closes the connection or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process hears it, and ends this one
    link = Connection(int(sys.argv[2]))
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(link, requests), daemon=True).start()
    while True:
        answer = _answered(requests.get())
        with contextlib.suppress(OSError):
            link.send_bytes(answer)


def _receive(link: Connection, requests: "queue.SimpleQueue[bytes]") -> None:
    while True:
        try:
            requests.put(link.recv_bytes())
        except (EOFError, OSError):
            os._exit(1)


def _answered(request: bytes) -> bytes:
    """Return, as bytes, what a task returned, or the error that it raised."""
    try:
        task, arguments = pickle.loads(request)
        return bytes(cloudpickle.dumps((task(*arguments), None)))
    except BaseException as error:
        return bytes(cloudpickle.dumps((None, error)))
