"""The elements of MathML Core that formulas are made of."""

from html import escape

from provedp.site.mathematics.tokens import ACCENTS

THIN = '<mspace width=".17em"/>'


def element(name: str, *parts: str, **attributes: str) -> str:
    """Return an element with its parts one after the other."""
    told = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{told}>{''.join(parts)}</{name}>"


def row(*parts: str) -> str:
    """Return parts in one row; one part alone needs none."""
    return parts[0] if len(parts) == 1 else element("mrow", *parts)


def identifier(text: str) -> str:
    """Return a letter in italics, with its accent if it has one, or a name upright."""
    base, accents = text[0], text[1:]
    if accents and all(mark in ACCENTS for mark in accents):
        accented = identifier(base)
        for mark in accents:
            stroke = element("mo", escape(ACCENTS[mark]), stretchy="false")
            place = "munder" if ACCENTS[mark] == "_" else "mover"
            accented = element(place, accented, stroke, accent="true")
        return accented
    upright = len(text) > 1 or text in "ΓΔΘΛΞΠΣΦΨΩ∞∅…⊥∇∂½¼¾⅓"
    return element("mi", escape(text), **({"class": "up"} if upright else {}))


def name(text: str) -> str:
    """Return the name of a function, upright."""
    return element("mi", escape(text), **{"class": "up"})


def number(text: str) -> str:
    """Return a number."""
    return element("mn", escape(text))


def operator(text: str, *, prefix: bool = False, infix: bool = False) -> str:
    """Return an operator; one that has nothing before it keeps no space after it.

    A plus or minus at the start of a row stands for a sign unless `infix` says otherwise.
    """
    form = "prefix" if prefix else "infix" if infix and text in "+−±" else ""
    return element("mo", escape(text), **({"form": form} if form else {}))


def fenced(opening: str, inner: str, closing: str) -> str:
    """Return a row between brackets or bars, which grow with it."""
    left = element("mo", escape(opening), form="prefix", fence="true", stretchy="true")
    right = element("mo", escape(closing), form="postfix", fence="true", stretchy="true")
    return element("mrow", left, inner, right)


def scripted(base: str, below: str, above: str) -> str:
    """Return a base with what stands below and above at its side."""
    if below and above:
        return element("msubsup", base, below, above)
    if below:
        return element("msub", base, below)
    return element("msup", base, above) if above else base
