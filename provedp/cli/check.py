"""`provedp check`: an independent check of a certificate, without a solver."""

import click

from provedp.certificates import check_certificate


@click.command()
@click.argument("file")
def check(file: str) -> int:
    """Check the certificate in FILE, with the standard library alone.

    Exit status 0: it proves its claim; 1: it does not; 2: it cannot be read.
    """
    checked = check_certificate(file)
    if not checked.valid:
        click.echo(f"INVALID {file}: {checked.fault}", err=True)
        return 1
    click.echo("\n".join(checked.sentences))
    return 0
