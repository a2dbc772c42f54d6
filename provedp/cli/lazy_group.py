"""Groups of commands that are imported when they are called, so that none waits for another."""

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands live elsewhere.

    Parameters
    ----------
    homes
        The commands by name, each as 'module:attribute'.
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
        module, attribute = self.homes[name].split(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command
