"""The pages in a headless browser: they render, are found, are read by keys and by readers."""

import json
import shutil
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from provedp.verify.ledger import committed

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
AXE = resources.files(pytest.importorskip("axe_core_python", reason="axe is not installed"))

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="chromium or chromedriver is not installed"
)

NARROW, WIDE = 360, 1200
REFUTED = "claims/counting.third_upper_bound_holds.html"
LONG_NUMBERS = "claims/modes.perturbation_has_its_distances.html"
KINDS = (
    "index.html",
    "papers/counting.html",
    "papers/privacy.html",
    REFUTED,
    "claims/modes.joint_scores_move_within_their_noise.html",
    "verdicts/refuted.html",
    "defects/misprint.html",
)
# Of hundreds of parts that are made alike on a paper's page the first of each list is looked at.
SKIPPED = [[".claim ~ .claim"], [".claims li ~ li"], ["article math"], ["svg g"]]
OVERFLOW = "return document.documentElement.scrollWidth - window.innerWidth"
WAIT = 10.0  # seconds at most


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(executable_path=DRIVER)
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(500)
    # A busy machine takes minutes for the longest page.
    driver.command_executor.client_config.timeout = 600
    yield driver
    driver.quit()


def opened(browser: Any, path: Path, width: int = WIDE, *, dark: bool = False) -> None:
    """Open a page from disk in a window of this width."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(path.as_uri())


def until(browser: Any, script: str, *arguments: str) -> Any:
    """Return what a script returns, as soon as that is something."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        found = browser.execute_script(script, *arguments)
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(script)


def pressed(browser: Any, *keys: str) -> None:
    from selenium.webdriver import ActionChains

    for key in keys:
        ActionChains(browser).send_keys(key).perform()


def violations(browser: Any) -> list[str]:
    """Return what axe finds wrong on the page that is open."""
    browser.execute_script((AXE / "axe.min.js").read_text(encoding="utf-8"))
    found = browser.execute_async_script(
        "const [skipped, done] = arguments;"
        " axe.run({exclude: skipped}).then(r => done(JSON.stringify(r.violations)));",
        SKIPPED,
    )
    return [
        f"{each['id']}: {node['html'][:200]}"
        for each in json.loads(found)
        for node in each["nodes"][:3]
    ]


def in_both_themes() -> list[Any]:
    """Return each kind of page in light and in dark; the longest one is slow."""
    longest = "papers/counting.html"
    return [
        pytest.param(name, dark, marks=[pytest.mark.slow] if name == longest else [])
        for name in KINDS
        for dark in (False, True)
    ]


@pytest.mark.parametrize(("name", "dark"), in_both_themes())
def test_axe_finds_nothing(browser: Any, site: Path, name: str, dark: bool) -> None:
    for width in (WIDE, NARROW):
        opened(browser, site / name, width, dark=dark)
        assert violations(browser) == []


def test_axe_would_find_a_fault(browser: Any, site: Path) -> None:
    opened(browser, site / "index.html")
    browser.execute_script("document.querySelector('label').remove()")
    browser.execute_script("document.querySelector('h1').style.color = '#eee'")
    browser.execute_script("document.documentElement.removeAttribute('lang')")
    found = " ".join(violations(browser))
    assert all(rule in found for rule in ("color-contrast", "html-has-lang"))


@pytest.mark.parametrize("name", [*KINDS, LONG_NUMBERS])
def test_nothing_scrolls_sideways_and_the_console_is_silent(
    browser: Any, site: Path, name: str
) -> None:
    browser.get_log("browser")
    opened(browser, site / name, NARROW)
    assert browser.execute_script(OVERFLOW) <= 0
    assert browser.get_log("browser") == []


@pytest.mark.slow
def test_no_page_at_all_scrolls_sideways_or_complains(browser: Any, site: Path) -> None:
    browser.get_log("browser")
    wide = []
    for path in sorted(site.rglob("*.html")):
        opened(browser, path, NARROW)
        if browser.execute_script(OVERFLOW) > 0:
            wide.append(path.name)
    assert wide == []
    assert browser.get_log("browser") == []


def test_mathematics_has_a_place_on_the_page(browser: Any, site: Path) -> None:
    opened(browser, site / "papers/counting.html")
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('main math')].map(e => {"
        " const box = e.getBoundingClientRect(); return [box.width, box.height]; })"
    )
    assert len(boxes) > 500
    assert np.min(boxes) > 0


def test_scripts_and_fractions_are_laid_out(browser: Any, site: Path) -> None:
    opened(browser, site / REFUTED)
    base, below, above = browser.execute_script(
        "return [...document.querySelector('.statement msubsup').children]"
        ".map(e => e.getBoundingClientRect().bottom)"
    )
    assert above < base < below
    top, bottom = browser.execute_script(
        "return [...document.querySelector('mtable mfrac').children]"
        ".map(e => e.getBoundingClientRect().top)"
    )
    assert top < bottom


def test_a_claim_is_found_by_typing(browser: Any, site: Path) -> None:
    opened(browser, site / "papers/modes.html")
    pressed(browser, "/", *"third upper bound")
    title = until(browser, "return document.querySelector('#found a')?.textContent")
    assert "Third upper bound holds" in title
    assert "claims found" in browser.execute_script("return count.textContent")
    pressed(browser, "\ue007")  # Enter
    until(browser, "return location.pathname.includes('/claims/')")
    assert browser.current_url.endswith(REFUTED)


def test_search_finds_by_item_symbol_and_says_if_there_is_nothing(browser: Any, site: Path) -> None:
    opened(browser, site / "index.html")
    for typed, wanted in (
        ("counting eq. (47)", "counting paper, Proposition 1; eq. (47)"),
        ("misprint", "Every statement is for an invertible channel"),
        ("p_e*(T)", "counting paper"),
    ):
        browser.execute_script(
            "query.value = arguments[0]; query.dispatchEvent(new Event('input'))", typed
        )
        shown = "return document.querySelector('#found').textContent.includes(arguments[0])"
        until(browser, shown, wanted)
    browser.execute_script("query.value = 'zzzzqq'; query.dispatchEvent(new Event('input'))")
    until(browser, "return count.textContent === '0 claims found'")
    assert browser.execute_script("return found.children.length") == 0


def test_all_is_reached_by_keys_alone(browser: Any, site: Path) -> None:
    opened(browser, site / "index.html")
    pressed(browser, "\ue004")  # Tab
    assert browser.execute_script("return document.activeElement.className") == "skip"
    seen = []
    for _ in range(40):
        seen.append(browser.execute_script("return document.activeElement.href ?? ''"))
        pressed(browser, "\ue004")
    for chapter in ("counting", "mixture", "modes", "privacy"):
        assert any(link.endswith(f"papers/{chapter}.html") for link in seen)
    assert any(link.endswith("defects/false.html") for link in seen)
    pressed(browser, "/", *"kernel")
    until(browser, "return document.querySelector('#found a')")
    pressed(browser, "\ue015", "\ue015")  # arrow down, twice
    focused = "return document.activeElement === document.querySelectorAll('#found a')[1]"
    assert browser.execute_script(focused)
    pressed(browser, "\ue00c")  # Escape
    assert browser.execute_script("return document.activeElement.id") == "query"
    assert browser.execute_script("return found.children.length") == 0


def test_focus_is_seen(browser: Any, site: Path) -> None:
    opened(browser, site / "index.html")
    pressed(browser, "\ue004", "\ue004")
    style = browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


def test_without_a_script_all_but_the_search_is_there(browser: Any, site: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        opened(browser, site / REFUTED)
        for name in (".search", ".theme"):
            assert not browser.find_element("css selector", name).is_displayed()
        assert browser.find_element("css selector", ".witness math").is_displayed()
        browser.find_element("link text", "Counting paper").click()
        assert browser.current_url.endswith("papers/counting.html")
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_paper_prints_without_what_is_for_the_screen(browser: Any, site: Path) -> None:
    opened(browser, site / "papers/counting.html", dark=True)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        hidden = "return getComputedStyle(document.querySelector(arguments[0])).display"
        assert browser.execute_script(hidden, ".top") == "none"
        assert browser.execute_script(hidden, ".fails") == "table"
        ground = "return getComputedStyle(document.body).backgroundColor"
        assert browser.execute_script(ground) == "rgb(255, 255, 255)"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_colours_differ_in_the_dark(browser: Any, site: Path) -> None:
    grounds = []
    for dark in (False, True):
        opened(browser, site / "index.html", dark=dark)
        grounds.append(
            browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        )
    assert grounds[0] != grounds[1]


def test_the_theme_is_chosen_by_a_button_and_kept(browser: Any, site: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    opened(browser, site / "index.html")
    light = browser.execute_script(ground)
    browser.find_element("css selector", ".theme").click()
    dark = browser.execute_script(ground)
    opened(browser, site / REFUTED)
    pressed = browser.find_element("css selector", ".theme").get_attribute("aria-pressed")
    try:
        assert light != dark == browser.execute_script(ground)
        assert pressed == "true"
        assert violations(browser) == []
        browser.find_element("css selector", ".theme").click()
        opened(browser, site / REFUTED, dark=True)
        assert browser.execute_script(ground) == light
    finally:
        browser.execute_script("localStorage.clear()")


def test_every_verdict_has_a_word_beside_its_colour(browser: Any, site: Path) -> None:
    opened(browser, site / "verdicts/refuted.html")
    badges = browser.execute_script(
        "return [...document.querySelectorAll('.badge')].map(e => [e.className, e.textContent])"
    )
    verdicts = {str(entry.verdict) for entry in committed.entries()}
    assert badges
    for classes, words in badges:
        (verdict,) = verdicts & set(classes.split())
        assert words.lower().startswith(verdict)
