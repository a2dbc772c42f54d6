"""The command line: one module per command, one error line per wrong request."""

from provedp.cli.main import main

__all__ = ["main"]
