"""The names on top are links into the package, nothing is left out of the wheel, nothing leaks."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = ("theory", "mechanisms", "verify")


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


@pytest.mark.parametrize("layer", LAYERS)
def test_names_on_top_lead_to_the_layers(layer: str) -> None:
    link = ROOT / layer
    target = link.readlink() if link.is_symlink() else Path(link.read_text().strip())
    assert target == Path("provedp") / layer


def test_files_are_small() -> None:
    sources = [p for p in tracked() if p.suffix == ".py" and p.parts[len(ROOT.parts)] != "tests"]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert max(lengths.values()) <= 500, max(lengths, key=lambda path: lengths[path])


def test_no_registry_and_no_path_of_a_machine_in_any_file() -> None:
    forbidden = re.compile(r"index-url|find-links|/simple/|(?<![\w.])/(work|root|home)/\w")
    for path in tracked():
        if path == Path(__file__).resolve() or path.suffix in (".ipynb", ".png"):
            continue
        match = forbidden.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{path}: {match}"


def test_lock_pins_every_requirement_with_hashes() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pins = [block for block in re.split(r"\n(?=\S)", lock) if block and not block.startswith("#")]
    assert pins
    for block in pins:
        name = block.split()[0]
        assert "==" in name, name
        assert "--hash=sha256:" in block, name


def test_lock_covers_what_the_package_imports() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    wanted = (ROOT / "requirements.in").read_text(encoding="utf-8")
    for requirement in settings["project"]["dependencies"]:
        name = re.split(r"[<>=]", requirement)[0]
        assert re.search(rf"^{re.escape(name)}==", lock, re.MULTILINE), name
        assert requirement in wanted.splitlines(), requirement
