"""The packages that pages need, all of extras."""

from provedp import extras

PACKAGES = ("jinja2", "matplotlib")


def require_packages() -> None:
    """Raise `MissingExtraError` if a package that pages need is missing."""
    for module in PACKAGES:
        extras.require(module)
