"""Features in words."""

import json

from provedp.verify.audit.events.features.description import Feature
from provedp.verify.audit.targets.shown import shown

TEMPLATES = {
    "value": "{path}",
    "offset": "{path} - {argument}",
    "log2": "log2(|{path}|)",
    "length": "len({path})",
    "type": "{path} is of type {argument}",
    "is": "{path} is {quoted}",
    "key": "{quoted} is in {path}",
    "place": "place of {quoted} in {path}",
    "end": "{path} ends with {quoted}",
    "char": "times of {quoted} in {path}",
    "byte": "byte {argument} of {path}",
    "word": "times of the word {quoted} in {path}",
    "number": "number {argument} in {path}",
    "digits": "digits of number {argument} in {path}",
    "shape": "{path} has shape {argument}",
    "normal": "{path} is not in Unicode's normal form C",
    "nan": "{path} is NaN",
    "inf": "{path} is inf",
    "-inf": "{path} is -inf",
    "-0": "{path} is -0",
    "distinct": "different elements of {path}",
    "rises": "elements of {path} above the one before",
    "sum": "sum({path})",
    "max": "max({path})",
    "min": "min({path})",
}


def words_of(feature: Feature) -> str:
    """Return a feature in words.

    >>> words_of(("key", "output", "a")), words_of(("length", "output", ""))
    ("'a' is in output", 'len(output)')
    """
    kind, path, argument = feature
    if kind == "count":
        token, numbers = json.loads(argument)
        return f"times of {shown_item(token, numbers)} in {path}"
    if kind == "at":
        place, _, character = argument.partition(" ")
        return f"character {place} of {path} is {character!r}"
    if kind == "word at":
        place, _, word = argument.partition(" ")
        return f"word {place} of {path} is {word!r}"
    return TEMPLATES[kind].format(path=path, argument=argument, quoted=repr(argument))


def shown_item(token: str, numbers: list[float]) -> str:
    """Return an element of a sequence or a row of a table."""
    return str(numbers) if token == "row" else shown(token, numbers)
