"""`provedp solve`: an optimum or a divergence, with what certifies it."""

import click

from provedp.cli.lazy import LazyGroup

SUBJECTS = ("counting", "gaussian", "profile")


@click.group(
    cls=LazyGroup,
    places={name: f"provedp.cli.solve_{name}:solve_{name}" for name in SUBJECTS},
)
def solve() -> None:
    """Compute an optimum or a divergence, with its certificate."""
