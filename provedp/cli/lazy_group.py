"""Groups of commands that are imported when they are called, so that none waits for another."""

import ast
import importlib
import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands live elsewhere.

    Parameters
    ----------
    homes
        The commands by name, each as 'module:function'.
    """

    def __init__(self, *args: Any, homes: Mapping[str, str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.homes = homes

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.homes)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return one command."""
        if name not in self.homes:
            return None
        module, function = self.homes[name].split(":")
        command: click.Command = getattr(importlib.import_module(module), function)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summaries of the commands, read from their files: no command is imported."""
        room = formatter.width - 6 - max(map(len, self.homes))
        stand_ins = {name: click.Command(name, help=_help(h)) for name, h in self.homes.items()}
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(room)) for name, command in stand_ins.items()]
            )


def _help(home: str) -> str:
    """Return the docstring of 'module:function'."""
    module, function = home.split(":")
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{module} is missing from provedp.", name=module)
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    (found,) = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == function]
    return ast.get_docstring(found) or ""
