"""The directive `command-help`: what the `--help` of a command prints, and of all below it."""

from collections.abc import Iterator

import click
from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from provedp.cli.main import commands

WIDTH = 88


def helps(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of a command and of all below it."""
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from helps(below, _context(below, name, context))


def _context(
    command: click.Command, name: str, parent: click.Context | None = None
) -> click.Context:
    return click.Context(
        command,
        info_name=name,
        parent=parent,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )


class CommandHelp(Directive):
    """A section for each command."""

    def run(self) -> list[nodes.Node]:
        """Return the sections."""
        found: list[nodes.Node] = []
        for path, text in helps(commands, _context(commands, "provedp")):
            section = nodes.section(ids=[path.replace(" ", "-")], names=[path])
            section += nodes.title(path, path)
            section += nodes.literal_block(text, text, language="none")
            found.append(section)
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
