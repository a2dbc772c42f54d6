"""`provedp diagnose`: what the owner of data may look at and must not publish."""

import click

from provedp.cli.lazy import LazyGroup

PLACES = {"mixture": "provedp.cli.diagnose_mixture:diagnose_mixture"}


@click.group(cls=LazyGroup, places=PLACES)
def diagnose() -> None:
    """Look at data before a release; what is printed is private and protected by nothing."""
