"""Looking things up by words: of ids, statements and sources, with the field's synonyms."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

SYNONYMS = (
    "adjacent neighbour neighbor neighbouring adjacency",
    "law distribution density",
    "gaussian normal",
    "error utility loss",
    "least optimal optimum minimum smallest best",
    "largest maximum most worst",
    "privacy private dp hide protect",
    "private confidential secret",
    "composition compose",
    "count counting query",
    "covariance scatter",
    "mean average centre center",
    "converge convergence limit",
    "sensitivity move",
    "distinguish told apart",
    "random randomised randomized",
    "bound upper lower",
    "unique uniqueness",
    "mode peak maximum",
    "budget epsilon ε",
    "delta δ",
    "alpha α",
    "beta β",
    "gamma γ",
    "lambda λ",
    "mu μ",
    "sigma σ",
    "theta θ",
    "divergence kl",
    "sample subsample subsampling amplify",
    "channel transition",
)
# Words that say nothing about which claim is meant.
EMPTY = frozenset(
    "a an and are as at by for from has have in is it its no not of on or than that the theorem to"
    " with claim claims every all one".split()
)
ENDINGS = ("ies", "ing", "ed", "es", "s", "e", "y")
MINIMUM = 0.4  # of the weight of the words asked for, before something counts as near


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text that say something, each as its stem.

    >>> words_of("modes.bounds_are_tight for every ε")
    ('mod', 'bound', 'tight', 'ε')
    """
    found = re.findall(r"[^\W_]+", text.lower())
    return tuple(_stem(word) for word in found if word not in EMPTY)


def _stem(word: str) -> str:
    word = re.sub(r"(?<=\w{5})is(?=e|ed|ing|ation)", "iz", word)
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_MEANINGS: dict[str, frozenset[str]] = {}
for _line in SYNONYMS:
    _stems = frozenset(map(_stem, _line.split()))
    for _each in _stems:
        _MEANINGS[_each] = _MEANINGS.get(_each, frozenset()) | _stems


def _means(asked: str, known: frozenset[str]) -> bool:
    """Return whether a word, what it begins or a synonym is among known words."""
    if _MEANINGS.get(asked, frozenset()) & known or asked in known:
        return True
    return len(asked) >= 4 and any(word.startswith(asked) for word in known)


def holds(text: str, searched: str) -> bool:
    """Return whether every word of `text` is in what is searched, or a synonym of it.

    >>> holds("optimal error", "The least error of a release is …"), holds("mixture", "the error")
    (True, False)
    """
    known = frozenset(words_of(searched))
    asked = words_of(text)
    return all(_means(word, known) for word in asked) if asked else text.lower() in searched.lower()


def nearest(text: str, searched: Mapping[str, str], most: int = 3) -> list[str]:
    """Return the names of what shares most words with `text`, best first; none if none is near.

    Parameters
    ----------
    text
        What is looked for.
    searched
        What may be found, by name.
    most
        How many names are wanted.
    """
    asked = tuple(dict.fromkeys(words_of(text)))
    known = {name: frozenset(words_of(f"{name} {words}")) for name, words in searched.items()}
    own = {name: frozenset(words_of(name)) for name in searched}
    seen = Counter(word for words in known.values() for word in asked if _means(word, words))
    weight = {word: math.log(1 + len(known) / (1 + seen[word])) for word in asked}
    total = sum(weight.values())
    scores = {
        name: _score(asked, words, weight) + 0.5 * _score(asked, own[name], weight)
        for name, words in known.items()
    }
    good = [name for name, score in scores.items() if total and score >= MINIMUM * total]
    return sorted(good, key=lambda name: (-scores[name], len(own[name])))[:most]


def _score(asked: Iterable[str], words: frozenset[str], weight: Mapping[str, float]) -> float:
    return sum(weight[word] for word in asked if _means(word, words))


def suggestion(names: Sequence[str]) -> str:
    """Return ' Did you mean a, b or c?'; '' of no names."""
    if not names:
        return ""
    *first, last = names
    return f" Did you mean {', '.join(first)} or {last}?" if first else f" Did you mean {last}?"
