"""`provedp solve`: an optimum or a divergence, with what certifies it."""

import click

from provedp.cli.lazy_group import LazyGroup

HOMES = {
    "counting": "provedp.cli.solve.counting:solve_counting",
    "gaussian": "provedp.cli.solve.gaussian:solve_gaussian",
    "noise-shape": "provedp.cli.solve.noise_shape:solve_noise_shape",
    "profile": "provedp.cli.solve.profile:solve_profile",
    "release": "provedp.cli.solve.release:solve_release",
}


@click.group(cls=LazyGroup, homes=HOMES)
def solve() -> None:
    """Compute an optimum or a divergence, with its certificate."""
