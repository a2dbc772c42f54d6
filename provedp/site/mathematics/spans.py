"""Where in a sentence its mathematics stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from provedp.site.mathematics.tokens import Group, Item, Token, tokens, tree
from provedp.site.mathematics.words import BRACKETED, FUNCTIONS, PLACES, is_product

RELATIONS = "⊥=≤≥<>≠≈∈⊂∉⊆∝⪰≻⪯≺≜↦←→⇒⟹≲≪≫~"
BINARY = "+−±·×∓"
SYMBOLS = "∇∫∞√∂∅½¼¾⅓…ℓ𝒳∑∏∀∃ℝℤℕ∩∪∘⊗⊕∧∨"  # mathematics wherever they stand
NONE = "\0"
FEW = 3  # items of a bracket with a power, which may be words: (change/σ)²
INSIDE = ",;:"  # part of a formula between brackets, of the sentence outside of them


APPLIED = ("letter", "group", "word", "prime", "subscript", "superscript")  # before (0) in f′(0)


@dataclass(frozen=True)
class Part:
    """A part of a sentence: text as it stands, or the items of a formula."""

    items: tuple[Item, ...]
    is_math: bool


def parts(sentence: str) -> list[Part]:
    """Return the parts of a sentence in order; spaces between them are those of the items."""
    return _parts(tree(tokens(sentence)))


def _parts(items: Sequence[Item]) -> list[Part]:
    """Cut items of a sentence into runs; a bracket that holds words is cut in its turn."""
    marks = _marks(items)
    found: list[Part] = []
    start = 0
    while start < len(items):
        end = start + 1
        if marks[start]:
            while end < len(items) and marks[end]:
                end += 1
            found += _run(items[start:end])
        elif isinstance(items[start], Group):
            found += _opened(items[start])
        else:
            found.append(Part((items[start],), False))
        start = end
    return found


def _opened(group: Item) -> list[Part]:
    assert isinstance(group, Group)
    if _is_label(group):
        return [Part((group,), False)]
    opening = Token("other", group.opening, group.glued)
    closing = Token("other", group.closing, group.end_glued)
    return [Part((opening,), False), *_parts(group.items), Part((closing,), False)]


def _is_label(group: Group) -> bool:
    """Return whether a bracket holds the number of an equation or of a part, as (22b) or (iv)."""
    texts = [_text(item) for item in group.items]
    if group.opening != "(" or NONE in texts:
        return False
    label = "".join(texts)
    return re.fullmatch(r"\d+[a-z]|[ivx]+|[a-e]|[A-Z]\d+", label) is not None and not group.glued


def _run(items: Sequence[Item]) -> list[Part]:
    """Return one formula, or texts if nothing in the run makes it one."""
    first, last = 0, len(items)
    while first < last and _is_loose_number(items, first):
        first += 1
    kept = items[first:last]
    before = [Part((item,), False) for item in items[:first]]
    if any(_is_strong(item) for item in kept) or _is_numeric(kept):
        return [*before, Part(tuple(kept), True)]
    texts: list[Part] = []
    for item in kept:
        texts += _opened(item) if isinstance(item, Group) else [Part((item,), False)]
    return [*before, *texts]


def _is_loose_number(items: Sequence[Item], place: int) -> bool:
    """Return whether a number stands before another number without an operator between them."""
    if items[place].kind != "number" or place + 1 >= len(items):
        return False
    return items[place + 1].kind == "number"


def _is_strong(item: Item) -> bool:
    if isinstance(item, Group):
        return item.opening in "[{⌊⌈⟨|‖" or any(map(_is_strong, item.items)) or _is_pair(item)
    return item.kind in ("letter", "superscript", "subscript", "prime") or (
        item.text in SYMBOLS or item.kind == "word"
    )


def _is_pair(group: Group) -> bool:
    return any(item.text == "," for item in group.items if isinstance(item, Token))


def _is_numeric(items: Sequence[Item]) -> bool:
    """Return whether numbers stand with an operator between them."""
    numbers = sum(item.kind in ("number", "group") for item in items)
    operators = [item.text for item in items if isinstance(item, Token) and _is_operator(item)]
    return bool(numbers and operators) and (numbers > 1 or operators[0] in "−±" + RELATIONS)


def _is_operator(token: Token) -> bool:
    return token.text in RELATIONS + BINARY + "/" and token.kind == "other"


def _marks(items: Sequence[Item]) -> list[bool]:
    """Say of each item of a sentence whether it belongs to a formula."""
    marks = [_is_math(items, place) for place in range(len(items))]
    for place, item in enumerate(items):
        if isinstance(item, Token) and item.text in "_^" and item.kind == "other":
            _mark_script(items, marks, place)
    changed = True
    while changed:  # operators and functions take their mark from what stands beside them
        changed = False
        for place in range(len(items)):
            if not marks[place] and _joins(items, marks, place):
                marks[place] = changed = True
    _unmark_loose(items, marks)
    return marks


def _mark_script(items: Sequence[Item], marks: list[bool], place: int) -> None:
    """Mark a script with what carries it and what it holds."""
    if place == 0 or place + 1 >= len(items) or not items[place].glued:
        return
    bearer, held = items[place - 1], items[place + 1]
    if not held.glued or _is_code(items, place):
        return
    if isinstance(bearer, Token) and not (
        marks[place - 1]
        or bearer.kind in ("letter", "number")
        or bearer.text in FUNCTIONS
        or is_product(bearer.text)
        or bearer.text in (")", "*")
    ):
        return
    marks[place - 1] = marks[place] = marks[place + 1] = True
    if _text(held) in "−±+":
        _mark_at(items, marks, place + 2)
    for at in takewhile(lambda at: _continues(items, at), range(place + 2, len(items))):
        marks[at] = True


def _is_code(items: Sequence[Item], place: int) -> bool:
    """Return whether an underscore joins two long words, as in a name of a program."""
    left, right = items[place - 1], items[place + 1]
    return (
        isinstance(left, Token)
        and isinstance(right, Token)
        and len(left.text) > 2
        and len(right.text) > 2
        and left.kind == right.kind == "word"
        and left.text not in FUNCTIONS
    )


def _continues(items: Sequence[Item], place: int) -> bool:
    """Return whether an item goes on with the script before it, as the j of _1j."""
    before, item = items[place - 1], items[place]
    if not (isinstance(item, Token) and item.glued and before.kind in ("number", "group")):
        return False
    return item.kind in ("letter", "word") and len(item.text) <= 2


def _mark_at(items: Sequence[Item], marks: list[bool], place: int) -> None:
    if place < len(items) and items[place].glued:
        marks[place] = True


def _is_math(items: Sequence[Item], place: int) -> bool:
    """Say it of an item by itself and by what is glued to it."""
    item = items[place]
    if isinstance(item, Group):
        return _is_math_group(items, place, item)
    if item.kind == "letter":
        return _is_variable(items, place)
    if item.kind in ("superscript", "subscript", "prime") or item.text in SYMBOLS:
        return True
    if item.kind == "word":
        return item.text not in FUNCTIONS and _is_factor(items, place)
    return item.text in "∈≤≥≠⪰≻⊂∝≜↦←∉" and item.kind == "other"


def _is_factor(items: Sequence[Item], place: int) -> bool:
    """Return whether a word is a product of letters: kK, or Kc after a number."""
    item = items[place]
    if _after_hyphen(items, place) or _before_hyphen(items, place):
        return False
    return is_product(item.text) if isinstance(item, Token) else False


def _is_variable(items: Sequence[Item], place: int) -> bool:
    item = items[place]
    assert isinstance(item, Token)
    before = items[place - 1] if place else None
    after = items[place + 1] if place + 1 < len(items) else None
    if _after_hyphen(items, place):
        return False
    if before is not None and not item.glued and _text(before) in PLACES - {"and"}:
        return False
    if item.text not in "aA":
        return True
    if after is None:
        return True
    if after.glued:
        return _text(after) != "-"
    if _text(after) in RELATIONS + BINARY + "/|‖…":
        return True
    if before is not None and _text(before) in RELATIONS + BINARY + "√":
        return True
    starts = place == 0 or isinstance(before, Group) or _text(before) in (".", "(", ":")
    return item.text == "A" and not starts and after.kind == "word"


def _text(item: Item | None) -> str:
    """Return a token's text; of a bracket, or of nothing, a text that is in no other."""
    return item.text if isinstance(item, Token) else NONE


def _after_hyphen(items: Sequence[Item], place: int) -> bool:
    """Return whether an item is joined to a word before it, as in GRAMS-C."""
    if place < 2 or not items[place].glued or _text(items[place - 1]) != "-":
        return False
    return items[place - 1].glued


def _before_hyphen(items: Sequence[Item], place: int) -> bool:
    after = items[place + 1] if place + 1 < len(items) else None
    return after is not None and after.glued and _text(after) == "-"


def _is_math_group(items: Sequence[Item], place: int, group: Group) -> bool:
    if not group.items:
        return False
    inner = group.items
    marks = _marks(inner)
    before = items[place - 1] if place else None
    after = items[place + 1] if place + 1 < len(items) else None
    raised = after is not None and after.glued and after.kind == "superscript"
    whole = not _is_label(group) and all(
        marks[at]
        or _text(item) == "a"
        or (raised and item.kind == "word" and len(inner) <= FEW)
        or _text(item) in FUNCTIONS
        or item.kind == "number"
        or (isinstance(item, Token) and (item.text in INSIDE or _is_operator(item)))
        or _text(item) in "|‖!"
        for at, item in enumerate(inner)
    )
    if not whole:
        return False
    if group.opening != "(" or any(map(_is_strong, inner)) or _is_numeric(inner):
        return True
    if _is_pair(group):
        return True
    applied = (
        group.glued and before is not None and (before.kind in APPLIED or _text(before) in "√/")
    )
    scripted = after is not None and after.glued and after.kind in ("superscript", "group")
    return applied or scripted or (after is not None and after.glued and _text(after) in "/^_*")


def _joins(items: Sequence[Item], marks: list[bool], place: int) -> bool:
    """Return whether an item that is no formula by itself is part of the one beside it."""
    item = items[place]
    if isinstance(item, Group):
        return False
    before = place > 0 and marks[place - 1]
    after = place + 1 < len(items) and marks[place + 1]
    number_after = place + 1 < len(items) and items[place + 1].kind == "number"
    number_before = place > 0 and items[place - 1].kind == "number"
    glued_after = place + 1 < len(items) and items[place + 1].glued
    if item.kind == "number":
        return _number_joins(items, marks, place)
    if item.text in FUNCTIONS and item.kind == "word":
        if _after_hyphen(items, place) or _before_hyphen(items, place):
            return False
        bracket = glued_after and (after or items[place + 1].kind == "group")
        return (after and bracket) if item.text in BRACKETED else (after or number_after)
    if item.kind != "other":
        return False
    if item.text == "*":
        return item.glued and before
    if item.text == "!":
        return item.glued and (before or number_before)
    if item.text in "|‖":
        return before and after
    if item.text == "/":
        signed = glued_after and _text(items[place + 1]) == "−"
        return (before or number_before) and (after or signed or (number_after and glued_after))
    if item.text in BINARY:
        divided = place > 0 and _text(items[place - 1]) == "/"
        return (before or number_before or divided or not (place and item.glued)) and (
            after or (number_after and (before or number_before or glued_after))
        )
    if item.text in RELATIONS:
        return (before or number_before) and (after or number_after) or (before or after)
    return False


def _number_joins(items: Sequence[Item], marks: list[bool], place: int) -> bool:
    before = items[place - 1] if place else None
    after = items[place + 1] if place + 1 < len(items) else None
    if before is not None and marks[place - 1]:
        if items[place].glued and before.kind != "letter":
            return True
        if isinstance(before, Token) and (_is_operator(before) or before.text in "_^√|‖"):
            return True
    if after is None or not marks[place + 1]:
        return False
    if after.glued:
        return True
    operator = isinstance(after, Token) and (_is_operator(after) or after.text in "|‖")
    named = _text(after) in FUNCTIONS or (
        isinstance(after, Group) and _is_coefficient_of(after) and _text(before) not in PLACES
    )
    return operator or named or (after.kind == "letter" and not _is_article(after))


def _is_coefficient_of(group: Group) -> bool:
    """Return whether a bracket after a number is a factor and no remark."""
    remark = any(_text(item) in RELATIONS for item in group.items)
    return not remark and any(item.kind == "letter" for item in group.items)


def _is_article(item: Item) -> bool:
    return _text(item) in "aA"


def _unmark_loose(items: Sequence[Item], marks: list[bool]) -> None:
    """Leave a minus or a stroke to the sentence where no formula stands after it."""
    for place, item in enumerate(items):
        alone = not (place and marks[place - 1]) and not (
            place + 1 < len(items) and marks[place + 1]
        )
        if alone and isinstance(item, Token) and item.text in "−+/|‖*":
            marks[place] = False
