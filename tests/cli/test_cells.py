"""A cell means what its own text says: no other cell decides about it, and no refusal quotes it."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from provedp.cli.cells import floats, integer
from provedp.cli.main import main
from provedp.cli.records import read_features, read_records
from provedp.cli.release.counting import read_counts

NUMBERS = {
    "5": 5.0,
    "+5": 5.0,
    "-5": -5.0,
    " 5\t": 5.0,
    "007": 7.0,
    ".5": 0.5,
    "5.": 5.0,
    "1e5": 100_000.0,
    "1E-5": 1e-5,
    "1e+5": 100_000.0,
    "-0.0": -0.0,
    "2e-324": 0.0,  # the least positive float is nearer to 5e-324
    "3e-324": 5e-324,
    "1e-999999999": 0.0,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "9007199254740993": 9007199254740992.0,  # 2⁵³ + 1 lies between two
    "18446744073709551615": 2.0**64,
    "1" + "0" * 300: 1e300,
}
REFUSED = [
    "", " ", "0x10", "0X1p3", "0b1", "0o7", "1_0", "1,5", "1 0", "1e", "e5", ".", "+", "-", "--5",
    "1.2.3", "1e5.0", "1e400", "-1e400", "1e999999999", "nan", "NaN", "-nan", "inf", "-Infinity",
    "1e1_0", "٣", "５", "1٫5", "½", "1d5", "5f", "5L", "0xFFFFFFFFFFFFFFFF", "true", "NA", "NULL",
    "2020-01-01", "12:00", "\u00a05", "5\u2003", "5\x0b", "5\x00", "1/2", "$5", "5%", "1" * 1001,
    "1" + "0" * 400,
]  # fmt: skip
NEIGHBOURS = ["5", "3.5", "-1e-7", "9223372036854775808", "0x10", "x", "", "nan", "1e400", "true"]


def as_csv(path: Path, cells: list[str]) -> Path:
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    path.write_text("\n".join(["x,t", *(f"{cell},a" for cell in quoted)]) + "\n", encoding="utf-8")
    return path


def as_parquet(path: Path, cells: list[str]) -> Path:
    columns = {"x": cells, "t": ["a"] * len(cells)}
    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


def meaning(path: Path) -> Any:
    """Return the features of a file, or the refusal in full."""
    try:
        return read_records(path, "t").features.ravel().tolist()
    except ValueError as refusal:
        return getattr(refusal, "in_full", str(refusal))


WRITERS = {"csv": as_csv, "parquet": as_parquet}


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("text", NUMBERS)
def test_a_decimal_number_is_the_nearest_float(tmp_path: Path, kind: str, text: str) -> None:
    path = WRITERS[kind](tmp_path / f"data.{kind}", [text])
    (found,) = meaning(path)
    assert found == NUMBERS[text]
    assert math.copysign(1, found) == math.copysign(1, NUMBERS[text])


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_finite_decimal_number_is_refused(tmp_path: Path, kind: str, text: str) -> None:
    path = WRITERS[kind](tmp_path / f"data.{kind}", [text])
    assert "column x, row 1: " in meaning(path)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.parametrize("text", [*NUMBERS, *REFUSED])
def test_no_neighbour_decides_what_a_cell_means(tmp_path: Path, kind: str, text: str) -> None:
    """The first cell stays, the second changes: the first is read, or refused, alike in all."""
    for place, other in enumerate(NEIGHBOURS):
        found = meaning(WRITERS[kind](tmp_path / f"{place}.{kind}", [text, other]))
        if text in REFUSED:
            assert "column x, row 1: " in found
        elif other in REFUSED or other == "x":
            assert "column x, row 2: " in found
        else:
            assert found[0] == NUMBERS[text]


def test_a_block_is_read_cell_by_cell_where_the_quick_way_fails() -> None:
    cells = list(NUMBERS)
    together = floats(cells, "x")
    assert [floats([cell], "x")[0] for cell in cells] == together.tolist()


@pytest.mark.parametrize(
    ("first", "second"),
    [("1,2", '"1",2'), ("1,2", ' 1 ,"2"'), ("1,2", "1,2\r"), ("1,2", "\ufeff1,2")],
)
def test_quotes_spaces_and_line_ends_do_not_reach_other_rows(
    tmp_path: Path, first: str, second: str
) -> None:
    for place, row in enumerate((first, second)):
        path = tmp_path / f"{place}.csv"
        path.write_bytes(f"x,y\n7,8\n{row}\n9,10\n".encode())
        try:
            found = read_features(path)[0].tolist()
        except ValueError as refusal:
            assert "column x, row 2: " in refusal.in_full  # type: ignore[attr-defined]
            continue
        assert found == [[7, 8], [1, 2], [9, 10]]


@pytest.mark.parametrize("row", ['"1', '1,"2', '"1"2,3', "1", "1,2,3", "1\r2,3", '"1\n",2'])
def test_a_misshapen_line_is_the_one_that_is_refused(tmp_path: Path, row: str) -> None:
    """A quote that is left open does not swallow the rows below, even if one closes it."""
    for below in ("5,6", '"5",6', '5","6'):
        path = tmp_path / "data.csv"
        path.write_text(f"x,y\n7,8\n{row}\n{below}\n")
        with pytest.raises(ValueError, match="a line must have as many cells") as refusal:
            read_features(path)
        assert "line 3 is" in refusal.value.in_full  # type: ignore[attr-defined]


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_marks_and_line_ends_are_no_part_of_a_cell(tmp_path: Path, mark: str, ends: str) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes((mark + ends.join(["x,t", "5,a", "", "6,b", ""])).encode())
    found = read_records(path, "t")
    assert (found.features.tolist(), found.labels) == ([[5], [6]], ["a", "b"])
    path.write_bytes((mark + ends.join(["x", "5", "", "6"])).encode())
    assert read_counts(path, "x", range(10)) == [5, 6]


def test_a_huge_cell_and_other_bytes_are_refused_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    long = [b'x\n"' + b"1" * 200_000 + b'"', b"x\n" + b"1" * 3_000_000]
    for content in (*long, b"x\n\xff\xfe\n", "x\n5\n".encode("utf-16")):
        path.write_bytes(content)
        for read in (read_features, lambda file: read_counts(file, "x", range(10))):
            with pytest.raises(ValueError, match="cannot be read") as refusal:
                read(path)
            assert len(str(refusal.value)) < 500


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("+5", 5), ("-5", -5), (" 5 ", 5), ("007", 7), ("1" * 1000, int("1" * 1000))],
)
def test_integers(text: str, value: int) -> None:
    assert integer(text, "x", 0) == value


@pytest.mark.parametrize(
    "text", ["", "5.0", "5e0", "0x5", "1_0", "٣", "½", "nan", "5 5", "+-5", "1" * 1001, "5\x00"]
)
def test_what_is_no_integer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a cell is not an integer"):
        integer(text, "x", 0)


def test_a_huge_count_is_clamped(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text(f"x\n{'9' * 500}\n-{'9' * 500}\n3\n")
    assert read_counts(path, "x", range(1, 8), clamp=True) == [7, 1, 3]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pa.array([1, 2], pa.int8()), [1, 2]),
        (pa.array([2**64 - 1, 2], pa.uint64()), [2.0**64, 2]),
        (pa.array([1.5, 2], pa.float32()), [1.5, 2]),
        (pa.array(["1.5", "2"]).dictionary_encode(), [1.5, 2]),
        (pa.array(["1.5", "2"], pa.large_string()), [1.5, 2]),
        (pa.array([1, 2], pa.int64()).cast(pa.decimal128(22, 2)), [1, 2]),
    ],
)
def test_a_column_of_a_parquet_file_has_the_type_of_the_file(
    tmp_path: Path, values: Any, expected: list[float]
) -> None:
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(pa.table({"x": values}), path)
    assert read_features(path)[0].ravel().tolist() == expected


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, None], pa.int64()),
        pa.array([1.0, None]),
        pa.array([1.0, math.nan]),
        pa.array([1.0, -math.inf]),
        pa.array(["1", None]),
        pa.array(["1", "0x10"]),
    ],
)
def test_a_missing_or_infinite_cell_of_a_parquet_file_is_refused(
    tmp_path: Path, values: Any
) -> None:
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(pa.table({"x": values}), path)
    with pytest.raises(ValueError, match="column x: a cell is not") as refusal:
        read_features(path)
    assert "row 2: " in refusal.value.in_full  # type: ignore[attr-defined]


@pytest.mark.parametrize("values", [[True, False], [b"1", b"2"], [[1], [2]]])
def test_a_column_of_another_type_is_refused_by_its_type(tmp_path: Path, values: Any) -> None:
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(pa.table({"x": values}), path)
    with pytest.raises(ValueError, match="none of numbers or texts"):
        read_features(path)


@pytest.mark.parametrize("kind", ["<f8", ">f8", ">i4", "<u2", "<f2", "i1"])
def test_arrays_of_any_byte_order(tmp_path: Path, kind: str) -> None:
    np.save(tmp_path / "data.npy", np.array([[1, 2], [3, 4]], dtype=kind))
    assert read_features(tmp_path / "data.npy")[0].tolist() == [[1, 2], [3, 4]]


def header(text: str, content: bytes = b"12345678") -> bytes:
    padded = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + content


SHAPES = ["(100000000000, 1000)", "(2, 2)", "(0, 1000000000000)", "(-1, 1)", "(1, 1, 1)", "()"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04",
        header("("),
        header("((((" * 20),
        header("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1)}"),
        header("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1)}"),
        header("{'descr': '|b1', 'fortran_order': False, 'shape': (2, 4)}"),
        header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 2)}"),
        *(header("{'descr': '<f8', 'fortran_order': False, 'shape': " + s + "}") for s in SHAPES),
    ],
)
def test_a_header_that_promises_something_else_is_refused_at_once(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "data.npy"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"data\.npy cannot be read"):
        read_features(path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return call


SECRET = "secret-of-alice"
PUBLIC = ["--epsilon", "1", "--delta", "1e-6"]
COMMANDS = {
    "counting": ["--column", "x", "--m", "10", "--epsilon", "1"],
    "modes": ["--columns", "x", *PUBLIC, "--box", "0:1", "--bandwidth", "1"],
    "mixture": ["--label", "t", "--classes", "a,b", *PUBLIC, "--bound", "9", "--output", "o.json"],
}
MISFITS = [f"{SECRET},a", f"7,{SECRET}", SECRET, f'"{SECRET},a', f'"7"{SECRET},a', f"-7{SECRET},b"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("row", MISFITS)
def test_no_refusal_quotes_a_record_unless_it_is_told_to(
    run: Callable[..., Any], command: str, row: str
) -> None:
    Path("data.csv").write_text(f"x,t\n1,a\n{row}\n")
    words = ["release", command, "data.csv", *COMMANDS[command]]
    refused, out, err = run(*words)
    assert SECRET not in out + err
    shown, _, in_full = run(*words, "--show-values")
    assert shown == refused
    if refused:
        assert (refused, err.count("\n"), in_full.count("\n")) == (2, 1, 1)
        assert SECRET in in_full
        assert in_full.startswith("provedp: PRIVATE")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_first_line_that_is_a_record_is_not_quoted(run: Callable[..., Any], command: str) -> None:
    Path("data.csv").write_text(f"7,{SECRET}\n8,a\n")
    words = ["release", command, "data.csv", *COMMANDS[command]]
    status, _, err = run(*words)
    assert (status, SECRET in err) == (2, False)
    assert "has no column" in err
    assert SECRET in run(*words, "--show-values")[2]


def test_a_long_label_is_cut(run: Callable[..., Any]) -> None:
    Path("data.csv").write_text(f"x,t\n1,{'a' * 100_000}\n")
    words = ["release", "mixture", "data.csv", *COMMANDS["mixture"], "--show-values"]
    assert len(run(*words)[2]) < 300


@pytest.mark.parametrize("command", COMMANDS)
def test_help_says_what_is_private(run: Callable[..., Any], command: str) -> None:
    words = " ".join(run("release", command, "--help")[1].split())
    assert "--show-values Let a refusal quote row and cell; what it prints is private then" in words


def test_the_neighbours_of_the_first_report(run: Callable[..., Any]) -> None:
    """3 becomes 3.5 in the second row: the first one, 0x10, is refused in both files."""
    words = ["--label", "t", "--classes", "A,B", *PUBLIC, "--bound", "10", "--output", "o.json"]
    found = []
    for second in ("3", "3.5"):
        Path("data.csv").write_text(f"x,y,t\n0x10,2,A\n{second},4,B\n")
        found.append(run("release", "mixture", "data.csv", *words, "--adjacency", "replace-one"))
    assert found[0] == found[1]
    assert found[0][0] == 2


def test_diagnosis_quotes_on_demand_alone(run: Callable[..., Any]) -> None:
    Path("data.csv").write_text(f"x,t\n1,{SECRET}\n")
    words = ["diagnose", "mixture", "data.csv", "--label", "t", "--classes", "a,b", "--bound", "9"]
    assert SECRET not in run(*words)[2]
    assert SECRET in run(*words, "--show-values")[2]
    Path("data.csv").write_text("x,t\n1,a\n")
    assert "CONFIDENTIAL" in json.loads(run(*words, "--json")[1])["warning"]
