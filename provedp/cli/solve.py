"""`provedp solve`: an optimum or a divergence, with what certifies it."""

import click

from provedp.cli.lazy import LazyGroup

SUBJECTS = ("counting", "gaussian", "noise-shape", "profile")


def _place(name: str) -> str:
    """Return module and function of a subject's command."""
    command = f"solve_{name.replace('-', '_')}"
    return f"provedp.cli.{command}:{command}"


@click.group(
    cls=LazyGroup,
    places={name: _place(name) for name in SUBJECTS},
)
def solve() -> None:
    """Compute an optimum or a divergence, with its certificate."""
