"""Names of a package that are imported when they are first used, listed once.

A package lists what it offers as imports that only type checkers carry out:

    from typing import TYPE_CHECKING

    from provedp.lazy_names import lazy_names

    if TYPE_CHECKING:
        from package.module import name as name
    else:
        __getattr__, __dir__, __all__ = lazy_names(__name__)

The list is read from the source of the package, in a folder or in a zip file, so that it does not
depend on how that is compiled.
"""

import ast
import importlib
import importlib.util
import linecache
import sys
from collections.abc import Callable, Iterator
from typing import Any

Names = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def lazy_names(package: str) -> Names:
    """Return `__getattr__`, `__dir__` and `__all__` for a package.

    Parameters
    ----------
    package
        Its `__name__`.

    Raises
    ------
    ImportError
        If its source is not there to be read.
    """
    homes = dict(_listed(_source(package), package))

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = homes[name]
        value = getattr(importlib.import_module(module), original)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return get, names, sorted(homes)


def _source(package: str) -> str:
    module = sys.modules[package]
    # From the file if there is one, else from the loader: not every loader gives sources back.
    source = "".join(linecache.getlines(getattr(module, "__file__", None) or "", vars(module)))
    if not source:
        raise ImportError(f"The source of {package} is needed for its names, and is not there.")
    return source


def _listed(source: str, package: str) -> Iterator[tuple[str, tuple[str, str]]]:
    r"""Yield each name that is imported for type checkers, with its module and its name there.

    >>> code = "if TYPE_CHECKING:\n    from json import loads as read, dumps\nimport os"
    >>> list(_listed(code, "package"))
    [('read', ('json', 'loads')), ('dumps', ('json', 'dumps'))]
    """
    blocks = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    for block in blocks:
        if not (isinstance(block.test, ast.Name) and block.test.id == "TYPE_CHECKING"):
            continue
        for node in block.body:
            if isinstance(node, ast.ImportFrom):
                relative = "." * node.level + (node.module or "")
                module = importlib.util.resolve_name(relative, package)
                for alias in node.names:
                    yield alias.asname or alias.name, (module, alias.name)
