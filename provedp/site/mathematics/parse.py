"""A formula of Unicode text as MathML: scripts, fractions, roots, brackets."""

from collections.abc import Sequence
from dataclasses import dataclass

from provedp.site.mathematics import elements
from provedp.site.mathematics.spans import BINARY, RELATIONS
from provedp.site.mathematics.tokens import SUBSCRIPTS, SUPERSCRIPTS, Group, Item, Token, tokens
from provedp.site.mathematics.words import FUNCTIONS, is_product

LONG = 8  # parts of a row that stay in one line
SPLIT = 2  # letters of a script that are an index each; more are a word


class FormulaError(ValueError):
    """A formula that cannot be read."""


@dataclass(frozen=True)
class Factor:
    """A piece of a formula.

    `inside` is what a bracket holds, if it is one bracket and no more; `is_product` says that it is
    letters side by side.
    """

    mathml: str
    glued: bool
    inside: str = ""
    is_product: bool = False


def mathml(items: Sequence[Item]) -> list[str]:
    """Return a formula as rows, each as MathML; a long one may be broken between two of them.

    It is broken before relations, and where that leaves it long before sums and differences.

    Raises
    ------
    FormulaError
        If a script or a root has nothing to stand at, or to hold.
    """
    reader = _Reader(items)
    parts = reader.row()
    if len(parts) <= LONG:
        return ["".join(parts)]
    rows: list[list[str]] = [[]]
    for place, part in enumerate(parts):
        is_long = len(rows[-1]) > LONG // 2
        if rows[-1] and (place in reader.relations or (place in reader.sums and is_long)):
            rows.append([])
        rows[-1].append(part)
    return ["".join(row) for row in rows]


class _Reader:
    """Reads items from left to right."""

    def __init__(self, items: Sequence[Item], *, in_script: bool = False) -> None:
        self.items = items
        self.in_script = in_script  # where a fraction stays in one line, to be legible
        self.place = 0
        self.relations: set[int] = set()  # where among the parts of the row they stand
        self.sums: set[int] = set()

    def row(self) -> list[str]:
        """Read all items: operators, and between them chains of glued factors."""
        parts: list[str] = []
        operand = False  # whether one stands just before
        while self.place < len(self.items):
            item = self.items[self.place]
            if isinstance(item, Token) and _is_sign(item):
                self.place += 1
                if operand:
                    where = self.relations if item.text in RELATIONS else self.sums
                    where |= {len(parts)} if item.text in RELATIONS + "+−" else set()
                parts.append(elements.operator(item.text, prefix=not operand, infix=operand))
                operand = item.text == "!"
                continue
            if operand and not item.glued:
                parts.append(elements.THIN)
            parts += self.term()
            operand = True
        return parts

    def term(self) -> list[str]:
        """Read a chain of glued factors, and the fraction that it is above, if any."""
        chain = self.chain()
        if not self.at_slash():
            return [factor.mathml for factor in chain]
        start = self.place
        self.place += 1
        below = self.chain()
        # a/bc and a/b/c may be read in two ways, and stay in one line.
        if self.in_script or self.at_slash() or not _is_one(below):
            self.place = start + 1
            slash = elements.operator("/")
            return [*(factor.mathml for factor in chain), slash, *self.chain_in_line()]
        return [elements.element("mfrac", _bare(chain), _bare(below))]

    def chain_in_line(self) -> list[str]:
        """Read what stands after a stroke that makes no fraction."""
        parts = [factor.mathml for factor in self.chain()]
        while self.at_slash():
            self.place += 1
            parts += [elements.operator("/"), *(factor.mathml for factor in self.chain())]
        return parts

    def at_slash(self) -> bool:
        """Return whether a stroke with something glued to both of its sides comes next."""
        if self.place + 1 >= len(self.items):
            return False
        stroke, after = self.items[self.place : self.place + 2]
        sign = isinstance(after, Token) and _is_sign(after)
        return _text(stroke) == "/" and stroke.glued and after.glued and not sign

    def chain(self) -> list[Factor]:
        """Read factors without a space between them; a function takes one more."""
        found = [self.factor()]
        while self.place < len(self.items):
            item = self.items[self.place]
            if isinstance(item, Token) and _is_sign(item):
                break
            if not item.glued and not self.after_function():
                break
            if not item.glued:
                found.append(Factor(elements.THIN, True))
            found.append(self.factor())
        return found

    def after_function(self) -> bool:
        """Return whether the name of a function came just before, so that its argument does."""
        return _text(self.items[self.place - 1]) in FUNCTIONS - {"max", "min", "argmax", "argmin"}

    def factor(self) -> Factor:
        """Read one factor with its scripts."""
        if self.place >= len(self.items):
            raise FormulaError("A formula ends where something must stand.")
        item = self.items[self.place]
        self.place += 1
        if _text(item) == "√":
            return Factor(elements.element("msqrt", self.under_root()), item.glued)
        base, inside = _atom(item, self.in_script)
        below, above = self.scripts()
        plain = not below and not above
        scripted = elements.scripted(base, below, above)
        product = item.kind == "word" and is_product(_text(item))
        return Factor(scripted, item.glued, inside if plain else "", product)

    def under_root(self) -> str:
        """Read what stands under a root: a bracket, or one factor."""
        factor = self.factor()
        return factor.inside or factor.mathml

    def scripts(self) -> tuple[str, str]:
        """Read all that stands below and above a base, in whatever order."""
        below: list[str] = []
        above: list[str] = []
        while self.place < len(self.items):
            item = self.items[self.place]
            if not item.glued:
                break
            if isinstance(item, Group):
                break
            if item.kind == "superscript":
                above += _raised(item.text, SUPERSCRIPTS)
            elif item.kind == "subscript":
                below += _raised(item.text, SUBSCRIPTS)
            elif item.kind == "prime" or item.text == "*":
                above.append(elements.operator(item.text))
            elif item.text == "_":
                self.place += 1
                below += self.script()
                continue
            elif item.text == "^":
                self.place += 1
                above += self.power()
                continue
            else:
                break
            self.place += 1
        return _side(below), _side(above)

    def script(self) -> list[str]:
        """Read an index: letters, a number, a word, a bracket, a sign and one of them."""
        first = self.next_held()
        if isinstance(first, Group):
            held = [_inside(first)]
            following = self.peek()
            if isinstance(following, Group) and following.glued and following.items == first.items:
                self.place += 1
                return [_atom(first)[0], _atom(following)[0]]
        elif first.text in "−±+":
            return [elements.operator(first.text, prefix=True), *self.script()]
        else:
            held = _index(first)
        return held + self.more_letters(first)

    def more_letters(self, first: Item) -> list[str]:
        """Read letters that are glued to a number or a bracket of an index."""
        found: list[str] = []
        while first.kind in ("number", "group"):
            item = self.peek()
            if item is None or not item.glued or item.kind not in ("letter", "word"):
                break
            if isinstance(item, Token) and len(item.text) > SPLIT:
                break
            found += _index(item)
            self.place += 1
        return found

    def power(self) -> list[str]:
        """Read an exponent, with an index of its own if it has one."""
        first = self.next_held()
        if isinstance(first, Group):
            return [_inside(first) if first.opening in "({" else _atom(first)[0]]
        if first.text in "−±+":
            return [elements.operator(first.text, prefix=True), *self.power()]
        base = elements.row(*_letters(first))
        item = self.peek()
        if isinstance(item, Token) and item.glued and item.text == "_":
            self.place += 1
            return [elements.scripted(base, _side(self.script()), "")]
        if isinstance(item, Token) and item.glued and item.kind == "subscript":
            self.place += 1
            return [elements.scripted(base, _side(_raised(item.text, SUBSCRIPTS)), "")]
        return [base]

    def next_held(self) -> Item:
        """Return what a script holds, and step over it."""
        item = self.peek()
        if item is None or not item.glued:
            raise FormulaError("A script holds nothing.")
        self.place += 1
        return item

    def peek(self) -> Item | None:
        """Return the next item, None at the end."""
        return self.items[self.place] if self.place < len(self.items) else None


def _text(item: Item) -> str:
    return item.text if isinstance(item, Token) else ""


def _is_sign(token: Token) -> bool:
    """Return whether a token stands between factors and is none."""
    return token.kind == "other" and token.text in RELATIONS + BINARY + "/,;:!|‖·"


def _is_one(factors: list[Factor]) -> bool:
    """Return whether factors are what a stroke can stand above without a doubt."""
    names = [factor for factor in factors if factor.mathml != elements.THIN]
    if len(names) == 1:
        return not names[0].is_product
    return len(names) == 2 and ('class="up">' in names[0].mathml or _is_applied(names))


def _is_applied(names: list[Factor]) -> bool:
    """Return whether a bracket follows a letter: a function and its argument, as in s(x)."""
    return bool(names[1].inside) and names[0].mathml.startswith(("<mi", "<msu"))


def _bare(factors: list[Factor]) -> str:
    """Return factors as one part of a fraction, whose line stands for an outer bracket."""
    if len(factors) == 1 and factors[0].inside:
        return elements.element("mrow", factors[0].inside)
    return elements.row(*(factor.mathml for factor in factors))


def _atom(item: Item, in_script: bool = False) -> tuple[str, str]:
    """Return an item as an element and, if it is a round bracket, what that holds."""
    if isinstance(item, Group):
        inner = "".join(_Reader(item.items, in_script=in_script).row())
        fenced = elements.fenced(item.opening, elements.element("mrow", inner), item.closing)
        return fenced, inner if (item.opening, item.closing) == ("(", ")") else ""
    if item.kind == "number":
        return elements.number(item.text), ""
    if item.text in FUNCTIONS:
        return elements.name(item.text), ""
    if item.text in ("∫", "∑", "∏"):
        return elements.operator(item.text), ""
    if item.kind in ("letter", "word"):
        return elements.row(*_letters(item)), ""
    if item.kind in ("superscript", "subscript", "prime") or item.text in ("^", "_", "*"):
        raise FormulaError(f"{item.text!r} stands at nothing.")
    return elements.identifier(item.text), ""


def _inside(group: Group) -> str:
    inner = "".join(_Reader(group.items, in_script=True).row())
    if group.opening in "({" and group.closing in ")}":
        return elements.element("mrow", inner)
    return _atom(group)[0]


def _index(token: Item) -> list[str]:
    assert isinstance(token, Token)
    if token.kind == "number":
        return [elements.number(token.text)]
    return _letters(token) if len(token.text) <= SPLIT else [elements.name(token.text)]


def _letters(token: Token) -> list[str]:
    """Return the letters of a token one by one; a letter with its accent is one."""
    if token.kind == "number":
        return [elements.number(token.text)]
    if token.kind == "word":
        if token.text in FUNCTIONS or any(character.isdigit() for character in token.text):
            return _mixed(token.text)
        if not is_product(token.text) and len(token.text) > SPLIT:
            return [elements.name(token.text)]
        return [elements.identifier(letter) for letter in token.text]
    if token.kind == "letter":
        return [elements.identifier(token.text)]
    return [elements.operator(token.text) if token.text == "*" else elements.identifier(token.text)]


def _mixed(text: str) -> list[str]:
    if text in FUNCTIONS:
        return [elements.name(text)]
    return [
        elements.number(letter) if letter.isdigit() else elements.identifier(letter)
        for letter in text
    ]


def _raised(text: str, table: dict[str, str]) -> list[str]:
    """Return raised or lowered characters at their full size, digits in one number."""
    plain = "".join(table[character] for character in text)
    return [_mark(token, token.glued and place > 0) for place, token in enumerate(tokens(plain))]


def _mark(token: Token, after: bool) -> str:
    if token.kind == "number":
        return elements.number(token.text)
    if token.text == "T":
        return elements.name("T")
    if token.kind == "letter":
        return elements.identifier(token.text)
    if token.kind == "word":
        return elements.row(*_mixed(token.text))
    return elements.operator(token.text, prefix=not after)


def _side(parts: list[str]) -> str:
    return elements.row(*parts) if parts else ""
