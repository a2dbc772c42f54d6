"""The process of one submission: runs its file, hands out its answers, calls its functions.

python -P -m provedp.course.classroom.worker READ WRITE FILE SECONDS MEMORY
"""

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

from provedp.course.classroom.wire import decode, encode, receive, send
from provedp.course.seeds import with_generators

LARGEST_FILE = 1 << 24  # bytes that it may write


def main() -> None:
    """Serve until the other end closes."""
    reading, writing, path, seconds, memory = sys.argv[1:]
    _limit(int(seconds), int(memory))
    requests, replies = os.fdopen(int(reading), "rb"), os.fdopen(int(writing), "wb")
    functions: list[Any] = []

    def keep(function: Any) -> int:
        functions.append(function)
        return len(functions) - 1

    names, problem = run(Path(path))
    answers = names.get("answers")
    if not isinstance(answers, dict):
        problem = problem or "it has no dictionary called 'answers'"
        answers = {}
    send(replies, {"answers": encode(answers, keep), "problem": problem})
    while True:
        try:
            request = receive(requests)
        except EOFError:
            return
        send(replies, _called(functions[request["function"]], request["arguments"], keep))


def run(path: Path) -> tuple[dict[str, Any], str]:
    """Return the names that a script, or the cells of a notebook, leave behind, and what failed."""
    names: dict[str, Any] = {"__name__": "submission", "answers": None}
    failed = ""
    for source in _sources(path):
        try:
            exec(compile(source, path.name, "exec"), names)
        except (Exception, SystemExit) as error:
            failed = failed or f"{type(error).__name__}: {str(error)[:200]}"
    return names, failed


def _sources(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return [text]
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return [_without_magics("".join(cell["source"])) for cell in cells]


def _without_magics(source: str) -> str:
    lines = source.splitlines()
    return "\n".join("" if line.startswith(("%", "!")) else line for line in lines)


def _called(function: Any, arguments: Any, keep: Any) -> dict[str, Any]:
    try:
        given = with_generators(tuple(decode(x, lambda _: None) for x in arguments))
        return {"value": encode(function(*given), keep)}
    except (Exception, SystemExit) as error:
        return {"error": f"{type(error).__name__}: {str(error)[:200]}"}


def _limit(seconds: int, memory: int) -> None:
    for what, most in (
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, bound))


if __name__ == "__main__":
    main()
