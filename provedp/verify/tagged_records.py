"""Values of several kinds as JSON data: a tag that says which kind it is, and the fields."""

from collections.abc import Iterable
from enum import Enum
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class TaggedUnion(Generic[T]):
    """Kinds of values that are told apart by a tag under the name 'kind'.

    Parameters
    ----------
    kinds
        Classes whose fields are their arguments. The tag is the class attribute `kind`, or the name
        of the class if it has none.

    Raises
    ------
    ValueError
        If two kinds have the same tag.
    """

    def __init__(self, kinds: Iterable[type]):
        self._kinds: dict[str, Any] = {}
        for kind in kinds:
            if tag_of(kind) in self._kinds:
                raise ValueError(f"Two kinds have the tag {tag_of(kind)!r}.")
            self._kinds[tag_of(kind)] = kind

    def read(self, record: dict[str, Any]) -> T:
        """Return the value that `record_of` wrote, with tuples for lists.

        A field may hold another value of the union.

        Raises
        ------
        ValueError
            If its tag is that of no kind.
        """
        fields = {name: self._field(value) for name, value in record.items() if name != "kind"}
        if record["kind"] not in self._kinds:
            known = ", ".join(self._kinds)
            raise ValueError(f"'kind' must be one of {known}. Got {record['kind']!r} instead.")
        value: T = self._kinds[record["kind"]](**fields)
        return value

    def _field(self, value: Any) -> Any:
        nested = isinstance(value, dict) and isinstance(value.get("kind"), str)
        return self.read(value) if nested else _tuples(value)


def tag_of(kind: type) -> str:
    """Return the tag of a kind.

    >>> tag_of(int)
    'int'
    """
    return str(getattr(kind, "kind", kind.__name__))


def record_of(value: Any) -> dict[str, Any]:
    """Return a value of some kind as JSON data."""
    fields = {
        name: field.value if isinstance(field, Enum) else field
        for name, field in vars(value).items()
    }
    return {"kind": tag_of(type(value)), **fields}


def _tuples(value: Any) -> Any:
    """Return JSON data with tuples for lists."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
