"""Any output as a canonical tree: a token for its types, texts and structure, and its numbers.

The tree is a function of the output alone, whatever other runs returned, and two outputs have the
same one if and only if they are equal in type and value. A token is JSON. In it stand

    null, "text"                  None and text
    0, 1, 2                       a float, an int of at most 53 bits, a bool
    {"long": ["int", "0x1"]}      a longer int, which is the number and 1
    {"np": "float32"}             a NumPy number
    [a, b], {"list": 0, "n": 9}   a list, and one of nine floats
    {"tuple": …}, {"dict": [[key, value], …]}, {"set": …}, {"bytes": "00ff"}, …

for what the numbers of the row belong to, in order.
"""

import collections
import contextlib
import dataclasses
import datetime
import decimal
import enum
import fractions
import itertools
import json
import math
import pathlib
import uuid
from collections import abc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from provedp.verify.audit.targets import tables

EXACT = 2**53  # integers up to which a float holds every one
DEEPEST = 64  # levels; what is deeper is cut
LONGEST = 100_000  # items of an iterator that are looked at

FLOAT, INT, BOOL = "0", "1", "2"
SIMPLE = {FLOAT, INT, BOOL}

Write = Callable[["Writer", Any, int], str]


def tree_of(value: Any) -> tuple[str, list[float]]:
    """Return the token of an output, and its numbers.

    Raises
    ------
    TypeError
        If it, or something in it, is of a type that is not known.

    >>> tree_of([None, 2.5, ("a", 1)])
    ('[null,0,{"tuple":["a",1]}]', [2.5, 1.0])
    >>> tree_of(2**60 + 1)
    ('{"long":["int","0x1"]}', [1.152921504606847e+18])
    """
    writer = Writer()
    token = writer.node(value, 0)
    return token, writer.numbers


class Writer:
    """Writes the token of an output while it collects the numbers.

    Attributes
    ----------
    numbers
        Those of the leaves in order.
    """

    def __init__(self) -> None:
        self.numbers: list[float] = []
        self._open: set[int] = set()

    def node(self, value: Any, depth: int) -> str:
        """Return the token of a part, whose numbers are appended."""
        write = WRITERS.get(type(value))
        if write is None:
            write = _other
        return write(self, value, depth)

    def nodes(self, values: Sequence[Any] | Iterator[Any], depth: int) -> list[str]:
        """Return the tokens of parts one level below."""
        return [self.node(value, depth + 1) for value in values]

    def integer(self, value: int, name: str = "int") -> str:
        """Return the token of an integer of a type of this name.

        The number is the nearest float; if that is another one, the rest is in the token.
        """
        if -EXACT <= value <= EXACT:
            self.numbers.append(float(value))
            return INT if name == "int" else f'{{"np":"{name}"}}'
        near = nearest(value)
        self.numbers.append(near)
        rest = value - int(near) if math.isfinite(near) else value
        return tagged("long", [name, hex(rest)])

    def key(self, value: Any) -> str:
        """Return the token of a key: a text, or its tree and numbers as a text."""
        return key_of(value)

    @contextlib.contextmanager
    def inside(self, value: Any, depth: int) -> Iterator[str | None]:
        """Yield None, or the token of a container that contains itself or is too deep."""
        key = id(value)
        if key in self._open:
            yield '{"cut":"it contains itself"}'
        elif depth > DEEPEST:
            yield '{"cut":"it is too deep"}'
        else:
            self._open.add(key)
            try:
                yield None
            finally:
                self._open.discard(key)


def nearest(value: int) -> float:
    """Return the nearest float, infinite if there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _float(writer: Writer, value: float, depth: int) -> str:
    writer.numbers.append(value)
    return FLOAT


def _bool(writer: Writer, value: bool, depth: int) -> str:
    writer.numbers.append(float(value))
    return BOOL


def _constant(kind: str, text: Callable[[Any], Any]) -> Write:
    """Return a writer of a leaf without numbers."""
    return lambda writer, value, depth: tagged(kind, text(value))


def tagged(kind: str, content: Any) -> str:
    """Return the token of a leaf of some kind.

    >>> tagged("bytes", "00ff")
    '{"bytes":"00ff"}'
    """
    return json.dumps({kind: content}, separators=(",", ":"))


def sequence(kind: str, parts: list[str]) -> str:
    """Return the token of a list, or another kind of sequence, with these parts.

    >>> sequence("list", ["0", "null"]), sequence("tuple", ["0", "0"])
    ('[0,null]', '{"tuple":0,"n":2}')
    """
    if parts and parts[0] in SIMPLE and parts.count(parts[0]) == len(parts):
        return f'{{"{kind}":{parts[0]},"n":{len(parts)}}}'
    listed = f"[{','.join(parts)}]"
    return listed if kind == "list" else f'{{"{kind}":{listed}}}'


def _sequence(kind: str) -> Write:
    def write(writer: Writer, value: Any, depth: int) -> str:
        with writer.inside(value, depth) as cut:
            return cut or sequence(kind, writer.nodes(value, depth))

    return write


def _set(kind: str) -> Write:
    """Return a writer of elements in an order of their own, as a set has none."""

    def write(writer: Writer, value: Any, depth: int) -> str:
        with writer.inside(value, depth) as cut:
            return cut or f'{{"{kind}":[{",".join(_sorted(writer, value))}]}}'

    return write


def _sorted(writer: Writer, value: Any) -> Iterator[str]:
    trees = (tree_of(each) for each in value)
    for token, numbers in sorted(trees, key=lambda tree: (tree[0], _order(tree[1]))):
        writer.numbers += numbers
        yield token


def _order(numbers: list[float]) -> list[tuple[bool, float, float]]:
    """Return what numbers are sorted by: NaN last, −0 before 0."""
    return [(x != x, 0.0 if x != x else x, math.copysign(1, x)) for x in numbers]


def _mapping(writer: Writer, value: Any, depth: int) -> str:
    """Write keys and values in the order of the mapping; a key is a text of its own tree."""
    with writer.inside(value, depth) as cut:
        if cut:
            return cut
        pairs = [f"[{key_of(key)},{writer.node(item, depth + 1)}]" for key, item in value.items()]
        kind = "dict" if type(value) is dict else _name(value)
        return f'{{"dict":[{",".join(pairs)}]{_as(kind, "dict")}}}'


def _as(kind: str, usual: str) -> str:
    return "" if kind == usual else f',"as":{json.dumps(kind)}'


def key_of(key: Any) -> str:
    """Return the token of a key: a text, or its tree and numbers as a text.

    >>> key_of("a"), key_of(2)
    ('"a"', '["1",[2.0]]')
    """
    if type(key) is str:
        return json.dumps(key)
    token, numbers = tree_of(key)
    return json.dumps([token, numbers], separators=(",", ":"))


def _fields(kind: str, names: Sequence[str]) -> Write:
    def write(writer: Writer, value: Any, depth: int) -> str:
        with writer.inside(value, depth) as cut:
            if cut:
                return cut
            items = [(name, getattr(value, name)) for name in names]
            pairs = [f"[{json.dumps(name)},{writer.node(x, depth + 1)}]" for name, x in items]
            return f'{{"{kind}":[{",".join(pairs)}],"as":{json.dumps(_name(value))}}}'

    return write


def _iterator(writer: Writer, value: Any, depth: int) -> str:
    items = list(itertools.islice(value, LONGEST + 1))
    if len(items) > LONGEST:
        return '{"cut":"it has too many items"}'
    return f'{{"iterator":{sequence("list", writer.nodes(items, depth))}}}'


def _name(value: Any) -> str:
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")


def _offset(value: Any) -> str | None:
    zone = getattr(value, "tzinfo", None)
    return None if zone is None else f"{value.utcoffset()} {zone}"


def _moment(value: Any) -> list[Any]:
    return [_name(value), str(value), _offset(value), getattr(value, "fold", 0)]


def _plain(value: Any) -> list[str]:
    return [_name(value), str(value)]


def _other(writer: Writer, value: Any, depth: int) -> str:
    """Write a value whose exact type is in no table."""
    for applies, write in FAMILIES:
        if applies(value):
            return write(writer, value, depth)
    token = tables.token_of(writer, value, depth)
    if token is not None:
        return token
    raise TypeError(
        f"an output of type {type(value).__name__} cannot be compared; return numbers, text, bytes,"
        " None, dates, arrays, tables, or lists, dicts and dataclasses of them"
    )


def _inherited(base: type) -> Write:
    """Return a writer of a value whose class adds a name to that of a built-in type."""

    def write(writer: Writer, value: Any, depth: int) -> str:
        token = WRITERS[base](writer, _converted(base, value), depth)
        return f'{{"as":{json.dumps(_name(value))},"of":{token}}}'

    return write


def _converted(base: type, value: Any) -> Any:
    if base in (int, float):  # whose own conversion a class may change
        return getattr(base, f"__{base.__name__}__")(value)
    return base.__str__(value) if base is str else base(value)


def _is_named_tuple(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _record(writer: Writer, value: Any, depth: int) -> str:
    names = [field.name for field in dataclasses.fields(value)]
    return _fields("record", names)(writer, value, depth)


def _error(writer: Writer, value: Any, depth: int) -> str:
    return tagged("exception", [_name(value), str(value)])


WRITERS: dict[type, Write] = {
    float: _float,
    int: lambda writer, value, depth: writer.integer(value),
    bool: _bool,
    type(None): lambda writer, value, depth: "null",
    str: lambda writer, value, depth: json.dumps(value),
    bytes: _constant("bytes", bytes.hex),
    bytearray: _constant("bytearray", lambda value: bytes(value).hex()),
    memoryview: _constant("memoryview", lambda value: value.tobytes().hex()),
    list: _sequence("list"),
    tuple: _sequence("tuple"),
    set: _set("set"),
    frozenset: _set("frozenset"),
    dict: _mapping,
    complex: lambda writer, value, depth: _complex(writer, value, "complex"),
    decimal.Decimal: _constant("Decimal", str),
    fractions.Fraction: _constant("Fraction", str),
    type(Ellipsis): _constant("plain", _plain),
    range: _constant("plain", _plain),
}


def _complex(writer: Writer, value: complex, name: str) -> str:
    writer.numbers += [float(value.real), float(value.imag)]
    return tagged("complex", name)


def _numpy(writer: Writer, value: Any, depth: int) -> str:
    return tables.scalar_token(writer, value, depth)


FAMILIES: tuple[tuple[Callable[[Any], bool], Write], ...] = (
    (_is(enum.Enum), _constant("enum", lambda value: [_name(value), str(value.name)])),
    (_is(np.generic), _numpy),
    (_is_named_tuple, lambda w, v, d: _fields("record", v._fields)(w, v, d)),
    (_is_record, _record),
    (_is(BaseException), _error),
    (_is(datetime.date, datetime.time), _constant("date", _moment)),
    (_is(datetime.timedelta), _constant("period", lambda value: [_name(value), str(value)])),
    (_is(decimal.Decimal, fractions.Fraction), _constant("plain", _plain)),
    *((_is(base), _inherited(base)) for base in (str, bytes, bool, int, float, list, tuple)),
    (_is(abc.Mapping), _mapping),
    (_is(set, frozenset), lambda w, v, d: _set("set")(w, frozenset(v), d)),
    (_is(collections.deque), lambda w, v, d: f'{{"as":"deque","of":{w.node(list(v), d)}}}'),
    (_is(uuid.UUID, pathlib.PurePath, type), _constant("plain", _plain)),
    (lambda value: hasattr(value, "__next__"), _iterator),
)
