"""The group of commands; a wrong request ends in one line on standard error and status 2."""

import sys
from collections.abc import Sequence

import click

import provedp
from provedp import extras
from provedp.cli.lazy_group import LazyGroup

COMMANDS = {
    "verify": "verify",
    "show": "show",
    "value": "value",
    "check": "check",
    "solve": "solve.command",
    "release": "release.command",
    "diagnose": "diagnose.command",
    "audit": "audit.command",
    "replay": "replay",
    "reproduce": "reproduce",
}  # by name, the module that holds it


@click.group(
    cls=LazyGroup,
    homes={name: f"provedp.cli.{home}:{name}" for name, home in COMMANDS.items()},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(provedp.__version__)
def commands() -> None:
    """Check claims on differential privacy, and run or audit mechanisms."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit with 0, 1 (a verdict changed or a violation was found) or 2."""
    try:
        sys.exit(commands.main(args=arguments, prog_name="provedp", standalone_mode=False))
    except click.exceptions.Abort:
        fail("interrupted", status=130)
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message())
        sys.exit(0)
    except click.ClickException as error:
        fail(error.format_message())
    except (ValueError, OSError) as error:
        fail(str(error))
    except ImportError as error:
        advice = extras.advice(error)
        if advice is None:
            raise
        fail(advice)


def fail(message: str, status: int = 2) -> None:
    """Print one line on standard error and exit."""
    click.echo(f"provedp: {' '.join(message.split())}", err=True)
    sys.exit(status)
