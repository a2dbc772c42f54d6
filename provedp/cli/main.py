"""The group of commands; a wrong request ends in one line on standard error and status 2."""

import errno
import os
import sys
from collections.abc import Sequence

import click

import provedp
from provedp import extras
from provedp.cli.lazy_group import LazyGroup

COMMANDS = {
    "verify": "verify",
    "list": "list",
    "show": "show",
    "value": "value",
    "check": "check",
    "solve": "solve.command",
    "compare": "compare.command",
    "account": "account.command",
    "release": "release.command",
    "diagnose": "diagnose.command",
    "audit": "audit.command",
    "replay": "replay",
    "reproduce": "reproduce",
    "course": "course.command",
}  # by name, the module that holds it
FUNCTIONS = {
    "list": "list_",
    "account": "account_",
}  # where a command cannot be the name of its function
LONGEST = 2000  # characters of a message
UNWRITTEN, INTERRUPTED, UNREAD = 74, 130, 141  # EX_IOERR, and 128 + SIGINT and + SIGPIPE


@click.group(
    cls=LazyGroup,
    homes={
        name: f"provedp.cli.{home}:{FUNCTIONS.get(name, name)}" for name, home in COMMANDS.items()
    },
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done; 1 a verdict changed, a certificate or a claim fell; 2 a wrong"
    " request; 3 an audited target failed, or a claim is undecided; 74 standard output could not be"
    " written; 130 interrupted; 141 the reader of standard output left.",
)
@click.version_option(provedp.__version__)
def commands() -> None:
    """Check claims on differential privacy, and run or audit mechanisms."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; exit with one of the statuses that its help lists."""
    if sys.stdout is None:  # so is it if the caller closed it
        fail("standard output is closed.", UNWRITTEN)
    try:
        sys.exit(_run(sys.argv[1:] if arguments is None else list(arguments)))
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except (click.exceptions.Abort, KeyboardInterrupt):
        fail("interrupted", INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        click.echo(help_wanted.format_message())
        sys.exit(0)
    except click.ClickException as error:
        fail(error.format_message())
    except OSError as error:
        _fail_of_system(error)
    except ValueError as error:
        fail(str(error))
    except (ArithmeticError, MemoryError, RecursionError) as error:
        fail(_too_much(error))
    except ImportError as error:
        advice = extras.advice(error)
        if advice is None:
            raise
        fail(advice)


def _run(arguments: list[str]) -> int:
    """Return the status of a command; unlike click's own `main`, do not hide a broken pipe."""
    with commands.make_context("provedp", arguments) as context:
        status: int | None = commands.invoke(context)
    sys.stdout.flush()
    return status or 0


def _fail_of_system(error: OSError) -> None:
    """Exit for an error that names a file, or that comes from standard output."""
    if error.filename is not None:
        fail(str(error))
    _let_go_of_output()
    if error.errno == errno.EPIPE:
        sys.exit(UNREAD)
    fail(f"standard output cannot be written: {error.strerror}.", UNWRITTEN)


def _let_go_of_output() -> None:
    """Send what is left in the buffer nowhere, or Python fails again when it ends."""
    out = sys.__stdout__
    if out is not None and out is sys.stdout:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, out.fileno())
        os.close(nowhere)


def _too_much(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "The request is nested too deeply."
    if isinstance(error, MemoryError):
        return "The request needs more memory than there is."
    return f"The request cannot be computed: {str(error) or type(error).__name__}."


def fail(message: str, status: int = 2) -> None:
    """Print one line on standard error, without the middle of a long one, and exit."""
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    click.echo(f"provedp: {line}", err=True)
    sys.exit(status)
