"""`provedp compare`: classic mechanisms beside the optimum."""

import click

from provedp.cli.lazy_group import LazyGroup

HOMES = {"counting": "provedp.cli.compare.counting:compare_counting"}


@click.group(cls=LazyGroup, homes=HOMES)
def compare() -> None:
    """Compare classic mechanisms with the optimum."""
