"""Features of texts and bytes: characters, words, the numbers in them."""

import hashlib
import re
import struct
import unicodedata
from collections import Counter

from provedp.verify.audit.events.features.description import Feature

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORD = re.compile(r"\w+")
LOOKED_AT = 2000  # characters
NUMBERS, WORDS, CHARACTERS = 12, 24, 32
PLACES = 12  # of characters, and half as many of words
SHOWN = 60  # characters of a text that stand for it

Features = dict[Feature, float]


def text_features(text: str, path: str) -> Features:
    """Return the features of a text.

    >>> found = text_features("a: 1.50", "output")
    >>> found[("number", "output", "0")], found[("digits", "output", "0")]
    (1.5, 4.0)
    """
    found = {
        ("length", path, ""): float(len(text)),
        ("is", path, short(text)): 1.0,
    }
    if not unicodedata.is_normalized("NFC", text):
        found[("normal", path, "not")] = 1.0
    text = text[:LOOKED_AT]
    for place, character in enumerate(text[:PLACES]):
        found[("at", path, f"{place} {character}")] = 1.0
    if text:
        found[("end", path, text[-1])] = 1.0
    for character, times in Counter(text).most_common(CHARACTERS):
        found[("char", path, character)] = float(times)
    for place, word in enumerate(WORD.findall(text)[:WORDS]):
        key = ("word", path, word)
        found[key] = found.get(key, 0.0) + 1.0
        if 2 * place < PLACES:
            found[("word at", path, f"{place} {word}")] = 1.0
    for place, number in enumerate(NUMBER.findall(text)[:NUMBERS]):
        found[("number", path, str(place))] = float(number)
        found[("digits", path, str(place))] = float(len(number))
    return found


def short(text: str) -> str:
    """Return a text, or its beginning and a digest.

    >>> short("a"), len(short("a" * 1000))
    ('a', 60)
    """
    if len(text) <= SHOWN:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{text[: SHOWN - 18]}… {digest}"


def bytes_features(content: bytes, path: str) -> Features:
    """Return the features of bytes: each by itself, and read as floats and integers."""
    found = {
        ("length", path, ""): float(len(content)),
        ("is", path, short(content.hex())): 1.0,
    }
    for place, byte in enumerate(content[:PLACES]):
        found[("byte", path, str(place))] = float(byte)
    for byte, times in Counter(content[:LOOKED_AT]).most_common(CHARACTERS):
        found[("char", path, f"{byte:#04x}")] = float(times)
    words = len(content) // 8
    if words and len(content) == 8 * words and words <= NUMBERS:
        for code, name in (("d", "float64"), ("q", "int64")):
            for place, value in enumerate(struct.unpack(f"<{words}{code}", content)):
                found[("number", path, f"{place} as {name}")] = float(value)
    return found
