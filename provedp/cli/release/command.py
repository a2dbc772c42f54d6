"""`provedp release`: run a mechanism on a file and say what it cost."""

import click

from provedp.cli.lazy_group import LazyGroup

HOMES = {
    "counting": "provedp.cli.release.counting:release_counting",
    "mixture": "provedp.cli.release.mixture:release_mixture",
    "modes": "provedp.cli.release.modes:release_modes",
}


@click.group(cls=LazyGroup, homes=HOMES)
def release() -> None:
    """Run a mechanism on a file; refuse data that it cannot protect."""
