"""Descriptions of tokens, read from their JSON."""

import functools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from provedp.verify.audit.events.features.description import (
    OF_GROUPS,
    Description,
    Feature,
    Item,
    argument_of,
)
from provedp.verify.audit.events.features.texts import bytes_features, short, text_features
from provedp.verify.audit.targets.trees import nearest, tree_of

OUTPUT = "output"
NAMES = {0: "float", 1: "int", 2: "bool"}
DESCENDED = 16  # elements of a sequence that have features of their own
LISTED = 256  # elements that are looked for
ROW = 16  # numbers of a row that is looked for
NESTED = 4  # levels of JSON within text

Node = Any


@functools.lru_cache(maxsize=1024)
def describe(token: str) -> Description:
    """Return what is known of all outputs of a token.

    >>> describe('{"dict":[["a",0]]}').columns
    {('value', "output['a']", ''): 0}
    """
    reader = _Reader(json.loads(token))
    reader.read()
    return reader.found


class _Reader:
    """Reads a node; `known` holds the numbers, if they are part of what is described."""

    def __init__(self, node: Node, path: str = OUTPUT, nested: int = 0, known: Any = None):
        self._node, self._path, self._nested, self._known = node, path, nested, known
        self.found = Description()
        self._next = 0

    def read(self) -> None:
        self._read(self._node, self._path)

    def _one(self, kind: str, path: str, argument: str) -> None:
        self.found.constants[(kind, path, argument)] = 1.0

    def _number(self, feature: Feature) -> int:
        column = self._next
        self._next += 1
        if self._known is None:
            self.found.columns[feature] = column
        else:
            self.found.constants[feature] = self._known[column]
        return column

    def _leaf(self, name: str, path: str) -> None:
        self._one("type", path, name)
        self._number(("value", path, ""))

    def _long(self, node: Node, path: str) -> None:
        """Read an integer that is not exact as a float."""
        name, rest = node["long"]
        beyond = int(rest, 16)
        if self._known is None:
            self.found.rests[path] = nearest(beyond)
        if math.isinf(nearest(beyond)):  # it is the integer itself, too large for a float
            self.found.constants[("log2", path, "")] = math.log2(abs(beyond))
        self._leaf(name, path)

    def _read(self, node: Node, path: str) -> None:
        if node is None:
            self._one("type", path, "None")
        elif isinstance(node, int):
            self._leaf(NAMES[node], path)
        elif isinstance(node, str):
            self._text(node, path)
        elif isinstance(node, list):
            self._sequence("list", node, path)
        else:
            kind = next(iter(node))
            READERS[kind](self, node, path)

    def _text(self, text: str, path: str, kind: str = "text") -> None:
        self._one("type", path, kind)
        self.found.constants |= text_features(text, path)
        if text[:1] in ("{", "[", '"') and len(text) > 1 and self._nested < NESTED:
            try:
                token, numbers = tree_of(json.loads(text))
            except (ValueError, RecursionError):
                return
            inner = _Reader(json.loads(token), f"json({path})", self._nested + 1, numbers)
            inner.read()
            self.found.constants |= inner.found.constants

    def _sequence(self, kind: str, nodes: Sequence[Node], path: str, ordered: bool = True) -> None:
        self._one("type", path, kind)
        self._items(nodes, path, DESCENDED if ordered else 0)

    def _items(self, nodes: Sequence[Node], path: str, descended: int) -> None:
        self.found.constants[("length", path, "")] = float(len(nodes))
        items: list[Item] = []
        numbers: list[int] = []
        for place, node in enumerate(nodes):
            start = self._next
            if place < descended:
                self._read(node, f"{path}[{place}]")
            else:
                self._skip(node)
            columns = tuple(range(start, self._next))
            if len(items) < LISTED and len(columns) <= ROW:
                items.append(Item(json.dumps(node), columns))
            if len(columns) == 1 and _is_number(node):
                numbers.append(start)
        self._add_items(path, items)
        self._add_group(path, numbers)

    def _skip(self, node: Node) -> None:
        """Go past the numbers of a node."""
        inner = _Reader(node)
        inner.read()
        self._next += inner._next

    def _add_items(self, path: str, items: list[Item]) -> None:
        """Count elements without numbers, or whose numbers are known; keep the others."""
        constants, seen = self.found.constants, set()
        for item in items:
            if item.columns and self._known is None:
                self.found.items.setdefault(path, []).append(item)
                continue
            numbers = [self._known[column] for column in item.columns]
            argument = argument_of(item.token, numbers)
            key = ("count", path, argument)
            constants[key] = constants.get(key, 0.0) + 1.0
            seen.add(argument)
        if items and path not in self.found.items:
            constants[("distinct", path, "")] = float(len(seen))

    def _add_group(self, path: str, columns: list[int]) -> None:
        if not columns:
            return
        if self._known is None:
            self.found.groups[path] = columns
            return
        values = [x for x in (self._known[column] for column in columns) if math.isfinite(x)]
        if values:
            found = zip(OF_GROUPS, (math.fsum(values), max(values), min(values)), strict=False)
            self.found.constants |= {(kind, path, ""): value for kind, value in found}

    def _pairs(self, node: Node, path: str, kind: str) -> None:
        """Read a mapping or a record: its keys, their places, its values."""
        pairs = node[kind]
        self._one("type", path, node.get("as", kind))
        self.found.constants[("length", path, "")] = float(len(pairs))
        for place, (key, item) in enumerate(pairs):
            name = key if isinstance(key, str) else argument_of(*key)
            self._one("key", path, name)
            self.found.constants[("place", path, name)] = float(place)
            self._read(item, f"{path}[{name!r}]")

    def _run(self, node: Node, path: str, kind: str) -> None:
        """Read a list or a tuple: of parts, or so many numbers of one type."""
        content = node[kind]
        parts = content if isinstance(content, list) else [content] * node["n"]
        self._sequence(kind, parts, path)

    def _array(self, node: Node, path: str) -> None:
        shape = node["shape"]
        self._one("type", path, f"array of {node['array']}")
        self._one("shape", path, "×".join(map(str, shape)))
        start = self._next
        if "items" in node:
            self._items(node["items"], path, DESCENDED)
            return
        cells = [{"np": node["array"]}] * math.prod(shape)
        self._items(cells, path, DESCENDED)
        if len(shape) > 1 and shape[0] and 1 < len(cells) // shape[0] <= ROW:
            size = len(cells) // shape[0]
            rows = [range(start + size * i, start + size * (i + 1)) for i in range(shape[0])]
            self._add_items(f"rows of {path}", [Item("row", tuple(r)) for r in rows[:LISTED]])

    def _frame(self, node: Node, path: str, kind: str) -> None:
        """Read a table: index, columns in order, and its rows as elements."""
        self._one("type", path, kind)
        name, names, index = node["index"]
        self._one("type", f"{path}.index", name)
        self._one("is", f"{path}.index.names", json.dumps([*names, *node.get("names", [])]))
        self._read(index, f"{path}.index")
        starts = []
        for place, (key, column) in enumerate(node[kind]):
            name = key if isinstance(key, str) else argument_of(*key)
            self._one("key", path, name)
            self.found.constants[("place", path, name)] = float(place)
            starts.append(self._next)
            self._read(column, f"{path}[{name!r}]")
        columns = [column for _, column in node[kind]]
        self._add_items(f"rows of {path}", list(_rows(columns, starts)))

    def _value(self, node: Node, path: str, kind: str) -> None:
        """Read a Decimal or a Fraction."""
        self._text(node[kind], path, kind)
        try:
            self.found.constants[("value", path, "")] = float(Fraction(node[kind]))
        except (ValueError, OverflowError, ZeroDivisionError):
            self._one("is", path, node[kind])

    def _date(self, node: Node, path: str) -> None:
        name, text, zone, _ = node["date"]
        self._text(text, path, name)
        self._one("is", f"{path}.tzinfo", str(zone))
        try:
            moment = datetime.fromisoformat(text)
            known = moment.timestamp() if zone else (moment - datetime(1970, 1, 1)).total_seconds()
            self.found.constants[("value", path, "")] = known
        except (ValueError, TypeError):
            return

    def _named(self, node: Node, path: str) -> None:
        self._one("type", path, node["as"])
        self._read(node["of"], path)

    def _failure(self, node: Node, path: str, kind: str) -> None:
        """Read a run without an output, or one that is an exception."""
        content = node[kind]
        name, text = content if isinstance(content, list) else (str(content), "")
        self._one("type", path, f"{kind} {name}")
        self._one("type", path, kind)
        if text:
            self._text(text, f"text of {path}")
        if "of" in node:
            self._read(node["of"], f"printed {path}")

    def _complex(self, node: Node, path: str) -> None:
        self._one("type", path, node["complex"])
        self._number(("value", f"{path}.real", ""))
        self._number(("value", f"{path}.imag", ""))

    def _bytes(self, node: Node, path: str, kind: str) -> None:
        content = bytes.fromhex(node[kind])
        self._one("type", path, kind)
        self.found.constants |= bytes_features(content, path)
        try:
            self._text(content.decode(), f"{path}.decode()")
        except UnicodeDecodeError:
            return

    def _constant(self, node: Node, path: str, kind: str) -> None:
        """Read an enumeration's member, or another value of which a text is all that is known."""
        name, text = node[kind]
        self._one("type", path, name)
        self._text(text, path, kind)

    def _parts(self, node: Node, path: str, kind: str) -> None:
        """Read a sparse or masked array: several arrays."""
        head = node[kind] if kind == "sparse" else []
        self._one("type", path, f"{kind} {short(json.dumps(head))}")
        for place, part in enumerate(node["entries"] if kind == "sparse" else node[kind]):
            self._read(part, f"{path}.{kind}[{place}]")


def _is_number(node: Node) -> bool:
    return isinstance(node, int) or (isinstance(node, dict) and ("np" in node or "long" in node))


def _rows(columns: list[Node], starts: list[int]) -> Iterator[Item]:
    """Yield the rows of a table whose columns are arrays, starting at these numbers."""
    if not columns or len(columns) > ROW:
        return
    for row in range(min(LISTED, columns[0]["shape"][0])):
        cells, numbers = [], []
        for column, start in zip(columns, starts, strict=True):
            if "items" in column:
                cells.append(column["items"][row])
                numbers += _columns_of(column["items"], row, start)
            else:
                numbers.append(start + row)
        yield Item(json.dumps(cells), tuple(numbers))


def _columns_of(items: list[Node], row: int, start: int) -> list[int]:
    """Return the columns of the numbers of one cell among those of a column of objects."""
    places = [int(_is_number(item)) for item in items]
    return [start + sum(places[:row])] if places[row] else []


def _of_kind(read: Callable[..., None], kind: str) -> Callable[[_Reader, Node, str], None]:
    return lambda reader, node, path: read(reader, node, path, kind)


READERS: dict[str, Callable[[_Reader, Node, str], None]] = {
    "np": lambda r, n, p: r._leaf(n["np"], p),
    "long": _Reader._long,
    "set": lambda r, n, p: r._sequence("set", n["set"], p, ordered=False),
    "frozenset": lambda r, n, p: r._sequence("frozenset", n["frozenset"], p, ordered=False),
    "array": _Reader._array,
    "date": _Reader._date,
    "as": _Reader._named,
    "complex": _Reader._complex,
    "iterator": lambda r, n, p: r._named({"as": "iterator", "of": n["iterator"]}, p),
    "cut": lambda r, n, p: r._one("type", p, n["cut"]),
    **{kind: _of_kind(_Reader._run, kind) for kind in ("list", "tuple")},
    **{kind: _of_kind(_Reader._pairs, kind) for kind in ("dict", "record")},
    **{kind: _of_kind(_Reader._bytes, kind) for kind in ("bytes", "bytearray", "memoryview")},
    **{kind: _of_kind(_Reader._value, kind) for kind in ("Decimal", "Fraction")},
    **{kind: _of_kind(_Reader._constant, kind) for kind in ("enum", "plain", "period")},
    **{kind: _of_kind(_Reader._frame, kind) for kind in ("frame", "series")},
    **{kind: _of_kind(_Reader._parts, kind) for kind in ("sparse", "masked")},
    **{
        kind: _of_kind(_Reader._failure, kind) for kind in ("error", "exit", "timeout", "exception")
    },
}
