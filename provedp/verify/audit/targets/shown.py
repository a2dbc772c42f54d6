"""Outputs as legible texts, much as Python writes them."""

import itertools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

LONGEST = 4096  # bits of an integer that is written with decimal digits
BRACKETS = {"tuple": "()", "set": "{}", "frozenset": "{}", "list": "[]"}


def shown(token: str, numbers: Sequence[float]) -> str:
    """Return one output as text; what is missing at the end of the numbers is NaN.

    >>> shown('{"list":0,"n":2}', [1.0, 0.5]), shown("null", []), shown('{"tuple":[1,"a"]}', [3.0])
    ('[1.0, 0.5]', 'None', "(3, 'a')")
    >>> shown('{"error":["ValueError","odd"]}', [])
    'ValueError: odd'
    """
    node = json.loads(token)
    return _shown(node, itertools.chain(numbers, itertools.repeat(math.nan)))


def _shown(node: Any, numbers: Iterator[float]) -> str:
    if node is None or isinstance(node, str):
        return repr(node)
    if isinstance(node, int):
        return _number(next(numbers), node)
    if isinstance(node, list):
        return f"[{_listed(node, numbers)}]"
    kind = next(iter(node))
    write = SHOWN.get(kind)
    return json.dumps(node) if write is None else write(node, numbers)


def _number(value: float, code: int) -> str:
    if code == 0 or not math.isfinite(value):
        return repr(value)
    return str(bool(value)) if code == 2 else str(int(value))


def _listed(nodes: Sequence[Any], numbers: Iterator[float]) -> str:
    return ", ".join(_shown(node, numbers) for node in nodes)


def _run(kind: str) -> Callable[[Any, Iterator[float]], str]:
    opened, closed = BRACKETS[kind][0], BRACKETS[kind][1]

    def write(node: Any, numbers: Iterator[float]) -> str:
        content = node[kind]
        parts = content if isinstance(content, list) else [content] * node["n"]
        return f"{opened}{_listed(parts, numbers)}{closed}"

    return write


def _mapping(node: Any, numbers: Iterator[float]) -> str:
    pairs = [f"{_key(key)}: {_shown(item, numbers)}" for key, item in node["dict"]]
    return f"{{{', '.join(pairs)}}}"


def _record(node: Any, numbers: Iterator[float]) -> str:
    pairs = [f"{name}={_shown(item, numbers)}" for name, item in node["record"]]
    return f"{node['as'].rpartition('.')[2]}({', '.join(pairs)})"


def _key(key: Any) -> str:
    return repr(key) if isinstance(key, str) else shown(*key)


def _scalar(node: Any, numbers: Iterator[float]) -> str:
    name = node["np"]
    return f"{name}({_number(next(numbers), 0 if name.startswith('float') else 1)})"


def _long(node: Any, numbers: Iterator[float]) -> str:
    name, rest = node["long"]
    near = next(numbers)
    value = int(rest, 16) + (int(near) if math.isfinite(near) else 0)
    text = str(value) if value.bit_length() < LONGEST else hex(value)
    return text if name == "int" else f"{name}({text})"


def _array(node: Any, numbers: Iterator[float]) -> str:
    name = f"{node['array']} array {node['shape']}"
    if "items" in node:
        return f"{name} [{_listed(node['items'], numbers)}]"
    values = list(itertools.islice(numbers, math.prod(node["shape"])))
    return f"{name} {values}"


def _failure(node: Any, numbers: Iterator[float]) -> str:
    kind = "error" if "error" in node else "exception"
    named: list[str] = node[kind]
    return f"{named[0]}: {named[1]}" if named[1] else named[0]


def _exit(node: Any, numbers: Iterator[float]) -> str:
    printed = f" after {_shown(node['of'], numbers)}" if "of" in node else ""
    return f"exit status {node['exit']}{printed}"


def _named(node: Any, numbers: Iterator[float]) -> str:
    return f"{node['as'].rpartition('.')[2]}({_shown(node['of'], numbers)})"


def _content(kind: str) -> Callable[[Any, Iterator[float]], str]:
    return lambda node, numbers: f"{kind}({node[kind]!r})"


def _complex(node: Any, numbers: Iterator[float]) -> str:
    return str(complex(next(numbers), next(numbers)))


SHOWN: dict[str, Callable[[Any, Iterator[float]], str]] = {
    **{kind: _run(kind) for kind in BRACKETS},
    "dict": _mapping,
    "record": _record,
    "np": _scalar,
    "long": _long,
    "array": _array,
    "error": _failure,
    "exception": _failure,
    "exit": _exit,
    "timeout": lambda node, numbers: "no output within the limit of time",
    "as": _named,
    "complex": _complex,
    "bytes": lambda node, numbers: repr(bytes.fromhex(node["bytes"])),
    "Decimal": _content("Decimal"),
    "Fraction": _content("Fraction"),
    "enum": lambda node, numbers: ".".join(node["enum"]),
    "plain": lambda node, numbers: str(node["plain"][1]),
    "period": lambda node, numbers: str(node["period"][1]),
    "date": lambda node, numbers: str(node["date"][1]),
    "cut": lambda node, numbers: f"({node['cut']})",
}
