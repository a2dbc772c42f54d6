"""The pages of the ledger: all there, whole, linked, offline, and as the ledger says."""

import re
from collections import Counter
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from provedp.site import build
from provedp.site.folder import MARK
from provedp.verify.ledger import committed, registry

ENTRIES = committed.entries()
BY_ID = {entry.id: entry for entry in ENTRIES}


class Page(HTMLParser):
    """Links, ids, headings and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: Counter[str] = Counter()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name in ("href", "src") and value is not None and tag != "use":
                self.links.append(value)
            if name == "id" and value is not None:
                self.ids.append(value)

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.words))


@cache
def page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_claim_has_a_page_and_every_file_is_listed(site: Path) -> None:
    assert {path.stem for path in (site / "claims").iterdir()} == set(BY_ID)
    files = {p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()}
    assert files == {MARK, *(site / MARK).read_text(encoding="utf-8").splitlines()}
    assert {path.stem for path in (site / "papers").iterdir()} == {
        "counting", "mixture", "modes", "privacy",
    }  # fmt: skip
    assert {path.stem for path in (site / "defects").iterdir()} == {
        "false", "gap-in-the-proof", "degenerate-case", "misprint",
    }  # fmt: skip


def test_every_link_leads_somewhere_on_disk(site: Path) -> None:
    broken = []
    for path in pages(site):
        for link in page(path).links:
            assert not re.match(r"[a-z]+:|//", link), (path, link)  # offline, all of it
            file, _, place = link.partition("#")
            target = (path.parent / unquote(file)).resolve() if file else path
            if not target.is_file() or (place and place not in page(target).ids):
                broken.append((path.name, link))
    assert broken == []


def test_pages_are_well_made(site: Path) -> None:
    titles = Counter()
    for path in pages(site):
        found = page(path)
        assert found.tags["h1"] == found.tags["main"] == 1, path
        assert found.tags["script"] == 2, path  # the theme, the search; the rest works without
        assert max(Counter(found.ids).values()) == 1, path
        titles[re.findall("<title>(.*?)</title>", path.read_text(encoding="utf-8"))[0]] += 1
    assert titles.most_common(1)[0][1] == 1


def test_nothing_is_read_from_elsewhere(site: Path) -> None:
    for path in site.rglob("*"):
        if path.suffix in (".html", ".css", ".js"):
            assert not re.search(
                r"https?://|@import|url\((?!#)", path.read_text(encoding="utf-8")
            ), path


@pytest.mark.parametrize("entry", ENTRIES[::40], ids=lambda entry: entry.id)
def test_a_claim_says_what_the_ledger_says(site: Path, entry: object) -> None:
    assert isinstance(entry, type(ENTRIES[0]))
    path = site / "claims" / f"{entry.id}.html"
    text = page(path).text.lower()
    assert entry.verdict_in_words in text
    assert entry.id in text
    for name in (*entry.data["rests_on"], *entry.repaired_by):
        assert f"{name}.html" in path.read_text(encoding="utf-8")
    code = path.read_text(encoding="utf-8").partition('<pre class="code"')[2]
    shown = unescape(re.sub(r"<[^>]*>", "", code))
    assert f"def {entry.id.partition('.')[2]}(" in shown


def test_counterexamples_are_shown_with_what_holds_instead(site: Path) -> None:
    refuted = [entry for entry in ENTRIES if entry.counterexample]
    assert len(refuted) == sum(entry.data["verdict"] == "refuted" for entry in ENTRIES) > 80
    for entry in refuted:
        found = page(site / "claims" / f"{entry.id}.html").text
        assert "The counterexample" in found
        assert ("What holds instead" in found) == bool(entry.repaired_by)


def test_a_counterexample_is_a_matrix_of_exact_numbers(site: Path) -> None:
    path = site / "claims/counting.third_upper_bound_holds.html"
    text = path.read_text(encoding="utf-8")
    (matrix,) = re.findall("<mtable>.*?</mtable>", text)
    numbers = re.findall(r"<mfrac><mn>(\d)</mn><mn>(\d)</mn></mfrac>", matrix)
    assert numbers == [("2", "3"), ("1", "3"), ("1", "3"), ("2", "3")]
    third, fourth = (f"<mfrac><mn>1</mn><mn>{n}</mn></mfrac>" for n in (3, 4))
    assert f"<math>{third}<mo>&gt;</mo>{fourth}</math>" in text


def test_a_paper_says_what_fails_and_what_to_use(site: Path) -> None:
    text = page(site / "papers/counting.html").text
    broken = [e for e in ENTRIES if e.subject == "counting" and e.role == "published"
              and e.data["verdict"] == "refuted"]  # fmt: skip
    assert f"{len(broken)} of these are refuted" in text
    table = (site / "papers/counting.html").read_text(encoding="utf-8")
    table = table.partition('<table class="fails"')[2].partition("</table>")[0]
    assert table.count("<tr>") == len(broken) + 1
    for entry in broken:
        assert f"{entry.id}.html" in table
        assert all(f"{name}.html" in table for name in entry.repaired_by)


def test_items_are_found_by_their_number(site: Path) -> None:
    ids = page(site / "papers/counting.html").ids
    assert {"theorem-1", "eq-47", "proposition-1", "corollary-2-1"} <= set(ids)


def test_the_front_page_counts_what_the_ledger_counts(site: Path) -> None:
    text = page(site / "index.html").text
    counted = Counter(str(entry.verdict) for entry in ENTRIES)
    for verdict, number in counted.items():
        assert f"{number} {verdict}" in text
    assert f"{len(ENTRIES)} claims" in text
    assert "Verdicts are those on record." in text


def test_pictures_have_titles(site: Path) -> None:
    drawn = 0
    for path in pages(site):
        text = path.read_text(encoding="utf-8")
        drawn += text.count("<figure")
        assert text.count("<svg") == len(re.findall(r'<svg [^>]*role="img"><title>[^<]+', text))
        assert text.count("<figure") == len(re.findall("<figcaption>.", text))
    assert drawn == 14  # each on its claim's page and on its paper's


def test_a_users_claims_are_escaped(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from provedp.verify.ledger import certified, equal, ours\n"
        '@ours("<b>notes</b>")\n@certified(n=[1, 2])\n'
        "def numbers_are_equal(n):\n"
        '    """<script>alert(1)</script> n = n & `<i>`."""\n'
        "    return equal(n, n)\n",
        encoding="utf-8",
    )
    claims = registry.claims(str(file))
    from provedp.verify.ledger import listing

    data = [dict(entry.data) for entry in listing.entries(str(file))]
    files = build.files_of(build.Book(data, claims, own=False))
    for name, text in files.items():
        if name.endswith(".html"):
            assert not re.search("<script>alert|<b>|<i>`", text), name
    assert "</script>" not in files["assets/claims.js"]
    assert "claims/mine.numbers_are_equal.html" in files
