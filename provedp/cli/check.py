"""`provedp check`: an independent check of a certificate, without a solver."""

import json
import sys
from pathlib import Path

import click

from provedp.verify.solvers import check as checker


@click.command()
@click.argument("file")
def check(file: str) -> int:
    """Check the certificate in FILE, with the standard library alone.

    Exit status 0: it proves its claim; 1: it does not; 2: it cannot be read.
    """
    sys.set_int_max_str_digits(checker.MAX_DIGITS)
    try:
        document = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file} cannot be read as a certificate: {error}") from None
    except RecursionError:
        raise ValueError(
            f"{file} cannot be read as a certificate: it is nested too deeply."
        ) from None
    try:
        sentences = checker.check(document)
    except checker.CertificateError as error:
        click.echo(f"INVALID {file}: {error}", err=True)
        return 1
    click.echo("\n".join(sentences))
    return 0
