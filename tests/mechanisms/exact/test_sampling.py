"""Draws have exactly the stated probabilities: every source of bytes is enumerated."""

from collections import Counter

import pytest

from provedp.mechanisms.exact.sampling import uniform_below


class Exhausted(Exception):
    """The source has no more bytes: the draw was rejected."""


class OneWord:
    """A source with a single word in it."""

    def __init__(self, word):
        self.words = [word]

    def bytes(self, length):
        if not self.words:
            raise Exhausted
        return self.words.pop().to_bytes(length, "little")


def outcomes(draw, bits):
    """Count what `draw` makes of each word; None counts the rejected ones."""
    found = Counter()
    for word in range(2**bits):
        try:
            found[draw(OneWord(word))] += 1
        except Exhausted:
            found[None] += 1
    return found


@pytest.mark.parametrize("total", [2, 3, 5, 16, 100, 255, 256])
def test_every_value_comes_from_equally_many_bytes(total):
    found = outcomes(lambda rng: uniform_below(total, rng), 8)
    rejected = found.pop(None, 0)
    assert set(found) == set(range(total))
    assert len(set(found.values())) == 1
    assert rejected < 128


def test_two_bytes_are_used_whole():
    found = outcomes(lambda rng: uniform_below(1000, rng), 16)
    found.pop(None)
    assert len(found) == 1000 and set(found.values()) == {64}


def test_a_certain_value_needs_no_bytes():
    class Empty:
        def bytes(self, length):
            assert length == 0
            return b""

    assert uniform_below(1, Empty()) == 0
