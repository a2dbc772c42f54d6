"""Docstrings are plain text with code in backticks: other marks are escaped."""

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(``[^`]*``|`[^`]*`)")
MARKS = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")
PROMPT = re.compile(r"\s*(>>>|\.\.\.)")


def escaped(lines: list[str]) -> list[str]:
    r"""Return a docstring in which formulas are no markup, and indented code is code.

    >>> escaped(["The `P*` of |x|:", "", "    f(*a)", "", ">>> 2 * 3", "6"])
    ['The `P*` of \\|x\\|::', '', '    f(*a)', '', '>>> 2 * 3', '6']
    """
    found: list[str] = []
    prose: list[str] = []  # a code span may go on in the next line
    is_example = is_code = False
    for number, line in enumerate(lines):
        is_example = bool(PROMPT.match(line)) or (is_example and bool(line.strip()))
        is_code = is_code and (not line.strip() or line.startswith("    "))
        if is_example or is_code:
            found += [*_without_marks(prose), line]
            prose = []
            continue
        is_code = line.endswith(":") and _is_indented(line, lines[number + 1 :])
        prose.append(line + (":" if is_code else ""))
    return found + _without_marks(prose)


def _is_indented(line: str, rest: list[str]) -> bool:
    """Whether what follows a line is an empty one, and then a deeper one."""
    if len(rest) < 2 or rest[0].strip():
        return False
    return _depth(rest[1]) > _depth(line)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_marks(lines: list[str]) -> list[str]:
    if not lines:
        return []
    parts = CODE.split("\n".join(lines))
    marked = [p if p.startswith("`") else MARKS.sub(r"\\\1", p) for p in parts]
    for place in range(1, len(marked), 2):  # a letter after `code`, as in a plural, hides its end
        if marked[place + 1][:1].isalnum():
            marked[place] += "\\ "
    return "".join(marked).split("\n")


def _process(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    lines[:] = escaped(lines)


def setup(app: Sphinx) -> dict[str, bool]:
    """Escape docstrings before numpydoc reads them."""
    app.connect("autodoc-process-docstring", _process, priority=100)
    return {"parallel_read_safe": True}
