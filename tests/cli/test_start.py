"""What starts quickly: which modules a command imports, and the one list of commands."""

import subprocess
import sys

import click
import pytest

import provedp
from provedp.cli.lazy_group import LazyGroup
from provedp.cli.main import commands

SLOW = ("hypothesis", "matplotlib", "pyarrow", "scipy.optimize", "scipy.stats", "sklearn", "z3")
NUMBERS = ("flint", "numpy", "scipy", "sympy")


def loaded(code: str) -> set[str]:
    """Return the modules that are loaded when code ends, in an interpreter of its own."""
    tail = "\nfinally: print('\\n' + ' '.join(sys.modules))"
    body = "\n".join("  " + line for line in code.splitlines())
    command = [sys.executable, "-c", f"import sys\ntry:\n{body}{tail}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("line", "absent"),
    [
        ("--help", SLOW + NUMBERS),
        ("release --help", SLOW + NUMBERS),
        ("course --help", SLOW + NUMBERS),
        ("--version", SLOW + NUMBERS),
        ("value counting.alpha m=8 k=2", SLOW),
    ],
)
def test_commands_load_what_they_use(line: str, absent: tuple[str, ...]) -> None:
    modules = loaded(f"from provedp.cli import main\nmain({line.split()!r})")
    assert "click" in modules
    assert not modules.intersection(absent)


def test_the_package_itself_is_light_and_shows_its_names() -> None:
    modules = loaded("import provedp\ndir(provedp)")
    assert "provedp" in modules
    assert not modules.intersection((*SLOW, *NUMBERS, "click"))
    names = {"OptimalCount", "assert_private", "audit", "audit_matrix", "run_claim", "show"}
    assert names | {"__version__"} <= set(dir(provedp))


def test_every_public_name_is_there() -> None:
    assert len(provedp.__all__) >= 30
    for name in provedp.__all__:
        assert getattr(provedp, name).__name__ == name


def groups() -> list[LazyGroup]:
    context = click.Context(commands)
    inner = [commands.get_command(context, name) for name in commands.list_commands(context)]
    return [group for group in (commands, *inner) if isinstance(group, LazyGroup)]


def test_the_summaries_are_those_of_the_commands() -> None:
    """Written without importing a command, the list is as click writes it with all of them."""
    assert len(groups()) == 6
    for group in groups():
        context = click.Context(group, info_name="provedp")
        written, expected = context.make_formatter(), context.make_formatter()
        group.format_commands(context, written)
        click.Group.format_commands(group, context, expected)
        assert written.getvalue() == expected.getvalue()
