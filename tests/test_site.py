"""The site is built without warnings, and every link of it leads somewhere."""

import importlib.util
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("sphinx", "numpydoc", "myst_parser", "furo")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
LINK = re.compile(r'href="(?!https?:|mailto:|data:)([^"]+)"')
ID = re.compile(r'\sid="([^"]+)"')

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", f"{folder}/trees"]
    command = [sys.executable, "-m", "sphinx", *options, "docs", f"{folder}/html"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return folder / "html"


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    ids = {page: {unescape(found) for found in ID.findall(text)} for page, text in pages.items()}
    broken, followed = set(), 0
    for page, text in pages.items():
        for link in LINK.findall(text):
            path, _, mark = unquote(unescape(link)).partition("#")
            target = (page.parent / path.partition("?")[0]).resolve() if path else page
            followed += 1
            if not target.exists() or (mark and target in ids and mark not in ids[target]):
                broken.add(f"{page.relative_to(site)}: {link}")
    assert followed > 1000
    assert not broken, sorted(broken)[:20]


def test_claims_functions_and_commands_have_their_pages(site: Path) -> None:
    counting = (site / "papers/counting.html").read_text(encoding="utf-8")
    assert 'id="counting.third_upper_bound_holds"' in counting
    top = (site / "reference/top.html").read_text(encoding="utf-8")
    assert 'id="provedp.optima.solve_counting"' in top
    assert "--claim-epsilon" in (site / "reference/commands.html").read_text(encoding="utf-8")
    shown = re.sub(r"<[^>]+>", "", (site / "contributing.html").read_text(encoding="utf-8"))
    assert "make lint test" in shown


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    loaded = re.compile(r'<(?:script|img)[^>]+src="https?:|<link[^>]+href="https?:|@import')
    for page in site.rglob("*.html"):
        assert loaded.search(page.read_text(encoding="utf-8")) is None, page
