"""A sentence as tokens, and as a tree of its brackets."""

import re
from dataclasses import dataclass

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀⁱ", "0123456789+−nTi", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₙₖ", "0123456789+−ijnk", strict=True))
ACCENTS = {"\u0302": "^", "\u0303": "~", "\u0304": "¯", "\u0332": "_"}
OPENING, CLOSING, BARS = "([{⌊⌈⟨", ")]}⌋⌉⟩", "|‖"
# A half-open interval ends with another kind of bracket.
PARTNERS = {")": "([", "]": "([", "}": "{", "⌋": "⌊", "⌉": "⌈", "⟩": "⟨"}

LETTERS, GREEK = "A-Za-zÀ-ÖØ-öø-ɏ", "Α-Ωα-ω"
ACCENT = f"[{''.join(ACCENTS)}]"
TOKEN = re.compile(
    rf"""(?P<code>`[^`]+`)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<text>(?:[a-z]\.){{2,}}|'s(?![A-Za-z]))
    |(?P<letter>[{LETTERS}{GREEK}]{ACCENT}+(?![{LETTERS}])|[{GREEK}])
    |(?P<superscript>[{"".join(SUPERSCRIPTS)}]+)
    |(?P<subscript>[{"".join(SUBSCRIPTS)}]+)
    |(?P<prime>[′″]+)
    |(?P<word>[{LETTERS}](?:[{LETTERS}0-9]|'(?=[a-z]))*)
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Token:
    """A piece of a sentence; `glued` if no space stands before it."""

    kind: str
    text: str
    glued: bool


@dataclass(frozen=True)
class Group:
    """What stands between two brackets or bars."""

    opening: str
    items: "tuple[Item, ...]"
    closing: str
    glued: bool
    end_glued: bool = True
    kind: str = "group"


Item = Token | Group


def tokens(text: str) -> list[Token]:
    """Return the tokens of a sentence, of which spaces are no part."""
    found, end = [], 0
    for match in re.finditer(TOKEN, text):
        kind, piece = str(match.lastgroup), match.group()
        if piece.isspace():
            continue
        for index, part in enumerate(_split(kind, piece)):
            found.append(Token(_kind(kind, part), part, index > 0 or match.start() == end > 0))
        end = match.end()
    return found


def _split(kind: str, piece: str) -> list[str]:
    """Split the s of x's from its letter."""
    return [piece[0], piece[1:]] if kind == "word" and re.fullmatch(r"\w's", piece) else [piece]


def _kind(kind: str, piece: str) -> str:
    if kind == "word":
        return "text" if piece.startswith("'") else ("letter" if len(piece) == 1 else "word")
    return kind


def tree(items: list[Token]) -> tuple[Item, ...]:
    """Return tokens with brackets and bars as groups; those without a partner stay tokens."""
    levels: list[tuple[Token | None, list[Item]]] = [(None, [])]
    for place, token in enumerate(items):
        before = levels[-1][0]
        if _closes(token, before, levels[-1][1]):
            assert before is not None
            _, inner = levels.pop()
            levels[-1][1].append(
                Group(before.text, tuple(inner), token.text, before.glued, token.glued)
            )
        elif _opens(items, place):
            levels.append((token, []))
        else:
            if token.text in PARTNERS:
                _give_up_bars(levels, token)
                if levels[-1][0] is not None and _closes(token, levels[-1][0], levels[-1][1]):
                    opening, inner = levels.pop()
                    assert opening is not None
                    levels[-1][1].append(
                        Group(opening.text, tuple(inner), token.text, opening.glued, token.glued)
                    )
                    continue
            levels[-1][1].append(token)
    while len(levels) > 1:
        _give_up(levels)
    return tuple(levels[0][1])


def _closes(token: Token, opening: Token | None, inner: list[Item]) -> bool:
    if opening is None:
        return False
    if token.text in BARS:
        return opening.text == token.text and token.glued and bool(inner)
    return opening.text in PARTNERS.get(token.text, ())


def _opens(items: list[Token], place: int) -> bool:
    text = items[place].text
    if text in OPENING and items[place].kind == "other":
        return True
    followed = place + 1 < len(items) and items[place + 1].glued
    return text in BARS and followed


def _give_up_bars(levels: list[tuple[Token | None, list[Item]]], token: Token) -> None:
    """Dissolve bars that were opened inside of the bracket that `token` closes."""
    opened = [opening.text for opening, _ in levels if opening is not None]
    if not any(text in PARTNERS[token.text] for text in opened):
        return
    while levels[-1][0] is not None and levels[-1][0].text in BARS:
        _give_up(levels)


def _give_up(levels: list[tuple[Token | None, list[Item]]]) -> None:
    opening, inner = levels.pop()
    assert opening is not None
    levels[-1][1].extend([opening, *inner])
