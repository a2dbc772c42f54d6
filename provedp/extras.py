"""Packages that come with an extra of provedp, and what to say when one is missing."""

import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from typing import Any

EXTRAS = {
    "distributed": "cluster",
    "dp_accounting": "accounting",
    "highspy": "solvers",
    "hypothesis": "ledger",
    "jinja2": "html",
    "matplotlib": "figures",
    "pyarrow": "files",
    "sklearn": "estimators",
    "z3": "ledger",
}  # by module, the extra in pyproject.toml that holds its package


class MissingExtraError(ModuleNotFoundError):
    """A package that an extra of provedp brings is not installed."""


def advice(error: ImportError) -> str | None:
    """Return the sentence that names the extra of a missing module; None if no extra has it."""
    module = (error.name or "").partition(".")[0]
    return _sentence(module) if module in EXTRAS and not _is_installed(module) else None


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Raise a missing module of an extra again as `MissingExtraError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        sentence = advice(error)
        if sentence is None:
            raise
        raise MissingExtraError(sentence, name=error.name) from None


def require(module: str) -> None:
    """Raise `MissingExtraError` unless a module of an extra is installed; it is not imported."""
    if not _is_installed(module):
        raise MissingExtraError(_sentence(module), name=module)


def require_docstrings() -> None:
    """Raise `ValueError` if Python dropped the docstrings, which are the statements of claims."""
    if sys.flags.optimize > 1:
        raise ValueError(
            "Claims are stated in docstrings, which Python drops here: run it without -OO and "
            "PYTHONOPTIMIZE=2."
        )


def load(module: str) -> Any:
    """Return a module of an extra, such as 'sklearn.tree'.

    Raises
    ------
    MissingExtraError
        If it is not installed; the message names the extra.
    """
    require(module.partition(".")[0])
    return importlib.import_module(module)


def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _sentence(module: str) -> str:
    return f"{module} is not installed: pip install 'provedp[{EXTRAS[module]}]'"
