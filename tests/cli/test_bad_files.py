"""Every command that reads a file, on every kind of wrong file: one line, status 2, no data."""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from provedp.cli.main import main

COMMANDS = {
    "release counting": "release counting FILE --column x --m 8 --epsilon 1",
    "release mixture": "release mixture FILE --label t --classes a,b --bound 9 --epsilon 1"
    " --delta 1e-5 --output out.json",
    "release mixture --shape": "release mixture good.csv --label t --classes a,b --bound 9"
    " --epsilon 1 --delta 1e-5 --output out.json --shape FILE",
    "release modes": "release modes FILE --columns x,y --box 0:5,0:5 --bandwidth 1 --epsilon 1"
    " --delta 1e-5",
    "diagnose mixture": "diagnose mixture FILE --label t --classes a,b --bound 9",
    "solve counting": "solve counting --epsilon 1 --channel FILE",
    "solve profile": "solve profile FILE --epsilon 1",
    "solve release --loss": "solve release --m 3 --epsilon 1 --loss FILE",
    "solve release --prior": "solve release --m 3 --epsilon 1 --prior FILE",
    "solve release --graph": "solve release --m 3 --epsilon 1 --graph FILE",
    "solve noise-shape": "solve noise-shape FILE",
    "solve noise-shape --covariance": "solve noise-shape points.csv --covariance FILE",
    "check": "check FILE",
    "replay": "replay FILE --target nowhere:x",
    "show": "show x --from FILE",
    "verify": "verify --from FILE",
    "audit --pair": "audit nowhere:x --claim-epsilon 1 --pair FILE 1",
    "audit --pairs": "audit nowhere:x --claim-epsilon 1 --pairs FILE",
}
SECRET = "secret-of-alice"
HEADER = "x,y,t\n"
FILES: dict[str, str | bytes | None] = {
    "absent.csv": None,
    "folder.csv": None,
    "empty.csv": "",
    "blank.csv": "\n\n\n",
    "binary.csv": bytes(range(256)),
    "utf16.csv": (HEADER + f"1,2,{SECRET}\n").encode("utf-16"),
    "latin.csv": HEADER.encode() + "1,2,é\n".encode("latin-1"),
    "header.csv": HEADER,
    "twice.csv": "x,x,x\n1,2,a\n",
    "nul.csv": HEADER + f"1,\x00,{SECRET}\n",
    "over-lines.csv": HEADER + f'1,2,"{SECRET}\nb"\n',
    "open-quote.csv": HEADER + f'1,2,"{SECRET}\n',
    "carriage.csv": HEADER + f"1,2,{SECRET}\r2,3,b\n",
    "ragged.csv": HEADER + f"1,2,{SECRET}\n1\n",
    "words.csv": HEADER + f"{SECRET},{SECRET},{SECRET}\n",
    "deep.json": "[" * 100_000,
    "half.json": '{"a": [1,',
    "number.json": "3",
    "text.parquet": "PAR1",
    "text.npy": "no array",
    "object.npy": None,
    "huge.npy": None,
    "no-suffix": HEADER + f"1,2,{SECRET}\n",
}
HARMLESS = {
    ("release counting", "nul.csv"),  # in another column
    ("release counting", "no-suffix"),  # counts are read from CSV alone
    ("solve noise-shape", "number.json"),  # and so are points, if not from Parquet or .npy
}


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], tuple[int, str, str]]:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        if content is not None:
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("folder.csv").mkdir()
    Path("good.csv").write_text(HEADER + "1,2,a\n2,1,b\n")
    Path("points.csv").write_text("1,0\n0,1\n")
    np.save("object.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000, 1000)}".ljust(117)
    Path("huge.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + b"\n")

    def run(line: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(line.split())
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_file_is_one_line(
    call: Callable[[str], tuple[int, str, str]], command: str, file: str
) -> None:
    status, out, err = call(COMMANDS[command].replace("FILE", file))
    if (command, file) in HARMLESS:
        assert status == 0
        return
    assert (status, out) == (2, ""), (out, err)
    assert err.startswith("provedp: ")
    assert err.count("\n") == 1
    assert len(err) < 1000
    if command.startswith(("release", "diagnose")):
        assert SECRET not in err
    assert not Path("out.json").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_unreadable_file_is_one_line(
    call: Callable[[str], tuple[int, str, str]], command: str
) -> None:
    Path("closed.csv").write_text(HEADER)
    Path("closed.csv").chmod(0)
    status, out, err = call(COMMANDS[command].replace("FILE", "closed.csv"))
    assert (status, out, err.count("\n")) == (2, "", 1)
