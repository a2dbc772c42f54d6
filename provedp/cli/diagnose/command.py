"""`provedp diagnose`: what the owner of data may look at and must not publish."""

import click

from provedp.cli.lazy_group import LazyGroup

HOMES = {"mixture": "provedp.cli.diagnose.mixture:diagnose_mixture"}


@click.group(cls=LazyGroup, homes=HOMES)
def diagnose() -> None:
    """Look at data before a release; the output is confidential: not differentially private."""
