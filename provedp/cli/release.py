"""`provedp release`: run a mechanism on a file and say what it cost."""

import click

from provedp.cli.lazy import LazyGroup

PLACES = {
    "counting": "provedp.cli.release_counting:release_counting",
    "mixture": "provedp.cli.release_mixture:release_mixture",
    "modes": "provedp.cli.release_modes:release_modes",
}


@click.group(cls=LazyGroup, places=PLACES)
def release() -> None:
    """Run a mechanism on a file; refuse data that it cannot protect."""
