"""Names on top lead into the package, archives hold what they should, nothing leaks."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import provedp

ROOT = Path(__file__).resolve().parents[1]
LINKS = {name: f"provedp/{name}" for name in ("theory", "mechanisms", "verify", "ledger.json")}
IS_ARCHIVE = (ROOT / "PKG-INFO").is_file()  # an unpacked source archive, which holds no links
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = SETTINGS["project"]["optional-dependencies"]
MADE = re.compile(r"\..*|__pycache__|build|dist|.*\.egg-info")
KEPT = {".ci", ".github", ".gitignore", ".pre-commit-config.yaml"}


# Longer files, with the reason.
WHOLE = {"check.py": "one file that can be carried to another machine, and read there alone"}


def tracked() -> list[Path]:
    """Return the files of the project that are no links: git's, or without it those on disk."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    is_clone = (ROOT / ".git").exists() and done.returncode == 0
    names = done.stdout.split("\0") if is_clone else list(_on_disk())
    paths = [ROOT / name for name in names if name]
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def _on_disk() -> Iterator[str]:
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name in KEPT or not MADE.fullmatch(name)]
        for name in files:
            if name in KEPT or not MADE.fullmatch(name):
                yield os.path.relpath(os.path.join(folder, name), ROOT)


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.skipif(IS_ARCHIVE, reason="a source archive holds no links")
@pytest.mark.parametrize("name", LINKS)
def test_names_on_top_lead_into_the_package(name: str) -> None:
    link = ROOT / name
    target = str(link.readlink()) if link.is_symlink() else link.read_text().strip()
    assert target == LINKS[name]
    assert (ROOT / target).exists()


def test_files_are_small() -> None:
    sources = [p for p in tracked() if p.suffix == ".py" and p.parts[len(ROOT.parts)] != "tests"]
    assert sources
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    long = {path.name for path, length in lengths.items() if length > 500}
    assert long <= WHOLE.keys(), long


def test_files_that_stay_whole_import_nothing_of_the_package() -> None:
    for name in WHOLE:
        (path,) = (p for p in tracked() if p.name == name and "solvers" in p.parts)
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 800
        assert not re.search(r"^(from|import) provedp", text, re.MULTILINE)


def test_no_registry_and_no_path_of_a_machine_in_any_file() -> None:
    forbidden = re.compile(r"index-url|find-links|/simple/|(?<![\w.])/(work|root|home)/\w")
    for path in tracked():
        if path == Path(__file__).resolve() or path.suffix in (".ipynb", ".png"):
            continue
        match = forbidden.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{path}: {match}"


def pins_of(lock: str) -> dict[str, str]:
    """Return each pinned requirement, with its marker, of a lock file; all have hashes."""
    lines = [line for line in text_of(lock).splitlines() if not line.startswith("#")]
    blocks = re.split(r"\n(?=\S)", "\n".join(lines))
    pins = {}
    for block in blocks:
        head = block.split("\\")[0].strip()
        assert "==" in head, head
        assert "--hash=sha256:" in block, head
        name, version = head.split("==", 1)
        pins[f"{name} {version.partition(';')[2]}".strip()] = version
    return pins


def names_in(lock: str) -> set[str]:
    return {name.split()[0] for name in pins_of(lock)}


def required(extra: str) -> set[str]:
    """Return what an extra brings, other extras included, without what the package always needs."""
    found = set()
    for requirement in EXTRAS[extra]:
        inner = re.fullmatch(r"provedp\[(.*)\]", requirement)
        names = [] if inner is None else inner[1].split(",")
        found |= set().union(*map(required, names)) if names else {_name_of(requirement)}
    return found


def _name_of(requirement: str) -> str:
    return re.split(r"[<>=]", requirement)[0]


def test_locks_pin_what_the_package_asks_for() -> None:
    base = {_name_of(requirement) for requirement in SETTINGS["project"]["dependencies"]}
    assert base | required("ledger") | {"setuptools"} <= names_in("requirements.lock")
    assert base | required("dev") | {"setuptools"} <= names_in("requirements-dev.lock")


def test_verifying_installs_no_development_tools() -> None:
    users = set().union(*(required(extra) for extra in EXTRAS if extra != "dev"))
    tools = required("dev") - users - {"setuptools"}
    assert {"mypy", "pytest", "ruff"} <= tools
    assert not tools & names_in("requirements.lock")


def test_both_locks_agree() -> None:
    few, all_of_them = pins_of("requirements.lock"), pins_of("requirements-dev.lock")
    assert few.items() <= all_of_them.items()


def test_the_version_stands_in_one_place() -> None:
    assert SETTINGS["project"]["dynamic"] == ["version"]
    cited = re.search(r"^version: (.*)$", text_of("CITATION.cff"), re.MULTILINE)
    assert cited is not None
    assert cited[1] == provedp.__version__
    assert re.search(r"^## Unreleased$", text_of("CHANGELOG.md"), re.MULTILINE)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a source archive and a wheel, built from the tracked files without the network."""
    source = tmp_path_factory.mktemp("source")
    for path in tracked():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    built = tmp_path_factory.mktemp("built")
    code = "import setuptools.build_meta as b, sys; folder = sys.argv[1]; "
    code += "b.build_sdist(folder); b.build_wheel(folder)"
    subprocess.run(
        [sys.executable, "-P", "-c", code, built], cwd=source, check=True, capture_output=True
    )
    (sdist,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    return sdist, wheel


def test_the_wheel_holds_the_files_of_the_package(archives: tuple[Path, Path]) -> None:
    package = [path.relative_to(ROOT) for path in tracked() if ROOT / "provedp" in path.parents]
    with zipfile.ZipFile(archives[1]) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == {str(path) for path in package}
    assert {"provedp/ledger.json", "provedp/py.typed"} <= held


def test_the_source_archive_holds_every_file(archives: tuple[Path, Path]) -> None:
    with tarfile.open(archives[0]) as sdist:
        held = {member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()}
    written = re.compile(r"PKG-INFO|setup\.cfg|.*\.egg-info/.*")
    assert {name for name in held if not written.fullmatch(name)} == {
        str(path.relative_to(ROOT)) for path in tracked() if not written.fullmatch(path.name)
    } - {name for name in LINKS}
