"""What the pages for maintainers name is there."""

import importlib
import re
from pathlib import Path

import pytest

from provedp.mechanisms import counting
from provedp.verify.ledger import registry

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
    *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")),
)
FILE = re.compile(r"(?<![\w/])((?:provedp|tests|docs|notebooks|\.github|\.ci)/[\w./-]*[\w/])")
LINK = re.compile(r"\]\((?!https?://)([^)#\s]+)(?:#[^)\s]*)?\)")


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(FILE.findall(text))
    assert all((ROOT / name).exists() for name in named), {
        name for name in named if not (ROOT / name).exists()
    }
    for target in LINK.findall(text):
        assert ((ROOT / page).parent / target).exists(), target


def test_every_page_is_in_a_list_of_contents() -> None:
    """Sphinx says so, too, but the site takes minutes to build."""
    docs = ROOT / "docs"
    listed: set[Path] = set()
    for page in (*docs.rglob("*.md"), *docs.rglob("*.rst")):
        for body in re.findall(r"```{toctree}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = [line.rpartition("<")[2].rstrip(">") for line in body.splitlines()]
            listed |= {(page.parent / f"{name}.md").resolve() for name in names if name}
    assert {page for page in docs.rglob("*.md") if page.name != "index.md"} <= listed


def test_every_sampler_says_what_its_running_time_may_tell() -> None:
    """A sampler is a class of `mechanisms/exact` that draws, or a public mechanism for counts."""
    page = (ROOT / "docs/running-times.md").read_text(encoding="utf-8")
    table = page.split("## Measured")[0]
    found = set(counting.__all__) & {
        name for name in counting.__all__ if hasattr(getattr(counting, name), "release")
    }
    for file in (ROOT / "provedp/mechanisms/exact").glob("*.py"):
        module = importlib.import_module(f"provedp.mechanisms.exact.{file.stem}")
        for name, value in vars(module).items():
            own = isinstance(value, type) and value.__module__ == module.__name__
            found |= {name} if own and hasattr(value, "draw") else set()
    assert len(found) > 8
    assert not {name for name in found if f"`{name}`" not in table and name != "CountMechanism"}


def test_the_walks_name_many_files() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert len({name for name in FILE.findall(text) if name.endswith(".py")}) >= 30


def test_every_room_is_in_the_picture() -> None:
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").split("```")[1]
    for storey in ("", "verify", "mechanisms", "theory"):
        folder = ROOT / "provedp" / storey
        rooms = [path.name for path in folder.iterdir() if (path / "__init__.py").is_file()]
        assert rooms
        for room in rooms:
            assert f"{room}/" in picture, room


def test_every_claim_that_is_named_exists() -> None:
    known = registry.claims()
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"provedp verify ([a-z]+\.\w+)", text)
    assert named
    assert set(named) <= set(known)


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_exists(page: str) -> None:
    rules = re.findall(
        r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    text = (ROOT / page).read_text(encoding="utf-8")
    for line in re.findall(r"(?:`|^)make ([a-z -]+?)(?:`|  |$)", text, re.MULTILINE):
        assert set(line.split()) <= set(rules), line


def test_the_workflow_runs_what_the_project_says() -> None:
    workflow = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    tried = re.findall(r'"(3\.\d+)"', workflow)
    assert tried == re.findall(r"Python :: (3\.\d+)", project)
    assert "run: .ci/run" in workflow
