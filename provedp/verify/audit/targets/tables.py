"""Trees of arrays and tables: NumPy, pandas, sparse matrices, and what is like an array."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

REAL = "biuf"  # kinds of dtypes whose numbers are floats, or ints of at most 64 bits
MOMENTS = "mM"  # those that count units of time


def array_token(dtype: str, shape: tuple[int, ...]) -> str:
    """Return the token of an array of numbers.

    >>> array_token("float64", (2, 3))
    '{"array":"float64","shape":[2,3]}'
    """
    return f'{{"array":"{dtype}","shape":[{",".join(map(str, shape))}]}}'


def scalar_token(writer: Any, value: Any, depth: int) -> str:
    """Write a NumPy scalar."""
    name, kind = value.dtype.name, value.dtype.kind
    if kind == "f" and value.dtype.itemsize <= 8:
        writer.numbers.append(float(value))
        return f'{{"np":"{name}"}}'
    if kind in "bui":
        return str(writer.integer(int(value), name))
    if kind in MOMENTS:
        return str(writer.integer(int(value.astype(np.int64)), str(value.dtype)))
    if kind == "c" and value.dtype.itemsize <= 16:
        writer.numbers += [float(value.real), float(value.imag)]
        return json.dumps({"complex": name})
    if kind == "V":
        return _records(writer, np.asarray(value).reshape(1), f"scalar {value.dtype}", (), depth)
    return f'{{"as":"numpy.{type(value).__name__}","of":{writer.node(_item(value), depth)}}}'


def _item(value: Any) -> Any:
    """Return a scalar as an object of Python; long floats as texts."""
    return repr(value) if value.dtype.kind in "fc" else value.item()


def token_of(writer: Any, value: Any, depth: int) -> str | None:
    """Write an array, a table or a matrix; None if it is nothing of the kind."""
    if isinstance(value, np.ma.MaskedArray):
        parts = [_array(writer, x, depth) for x in (np.ma.getmaskarray(value), value.filled())]
        return f'{{"masked":[{",".join(parts)}]}}'
    if isinstance(value, np.ndarray):
        token = _array(writer, np.asarray(value), depth)
        return token if type(value) is np.ndarray else _named(type(value).__name__, token)
    package = type(value).__module__.partition(".")[0]
    if package == "pandas":
        return _pandas(writer, value, depth)
    if hasattr(value, "tocoo") and hasattr(value, "nnz"):
        return _sparse(writer, value, depth)
    for name in ("to_pydict", "to_dict"):  # of arrow and polars
        if package in ("pyarrow", "polars") and hasattr(value, name):
            columns = value.to_pydict() if name == "to_pydict" else value.to_dict(as_series=False)
            table = {"schema": str(value.schema), "columns": columns}
            return _named(type(value).__name__, writer.node(table, depth + 1))
    if hasattr(value, "__array__"):
        return _named(type(value).__name__, _array(writer, np.asarray(value), depth))
    return None


def _named(name: str, token: str) -> str:
    return f'{{"as":{json.dumps(name)},"of":{token}}}'


def _array(writer: Any, value: NDArray[Any], depth: int) -> str:
    kind = value.dtype.kind
    if kind in MOMENTS:
        return _integers(writer, value.astype(np.int64), str(value.dtype), value.shape)
    if kind in "iu":
        return _integers(writer, value, value.dtype.name, value.shape)
    if kind in REAL and value.dtype.itemsize <= 8:
        writer.numbers += value.astype(np.float64).ravel().tolist()
        return array_token(value.dtype.name, value.shape)
    if kind == "c" and value.dtype.itemsize <= 16:
        writer.numbers += value.astype(np.complex128).ravel().view(np.float64).tolist()
        return array_token(value.dtype.name, (*value.shape, 2))
    if value.dtype.names is not None:
        return _records(writer, value.ravel(), str(value.dtype), value.shape, depth)
    with writer.inside(value, depth) as cut:
        if cut:
            return str(cut)
        items = value.ravel().tolist() if kind != "f" else map(repr, value.ravel())
        return _listed(str(value.dtype), value.shape, writer.nodes(items, depth))


def _listed(dtype: str, shape: tuple[int, ...], parts: list[str]) -> str:
    return f'{{"array":{json.dumps(dtype)},"shape":{list(shape)},"items":[{",".join(parts)}]}}'


def _records(writer: Any, rows: Any, dtype: str, shape: tuple[int, ...], depth: int) -> str:
    """Write a structured array row by row."""
    names = rows.dtype.names or ()
    parts = []
    for row in rows:
        cells = [f"[{json.dumps(name)},{writer.node(row[name], depth + 2)}]" for name in names]
        parts.append(f'{{"record":[{",".join(cells)}],"as":"numpy.void"}}')
        if not names:
            parts[-1] = writer.node(bytes(row), depth + 1)
    return _listed(dtype, shape, parts)


def _integers(writer: Any, value: NDArray[Any], dtype: str, shape: tuple[int, ...]) -> str:
    """Write integers, one by one if some may not be exact as floats."""
    flat = value.ravel()
    if are_large(flat):
        return _listed(dtype, shape, [writer.integer(each, dtype) for each in flat.tolist()])
    writer.numbers += flat.astype(np.float64).tolist()
    return array_token(dtype, shape)


def are_large(array: NDArray[Any]) -> bool:
    """Return whether some integers are not sure to be exact as floats."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or array.size == 0:
        return False
    return bool(array.max() > 2**53 or array.min() < -(2**53))


def _pandas(writer: Any, value: Any, depth: int) -> str | None:
    kind = type(value).__name__
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        index = _labels(writer, value.index, depth)
        names = [writer.key(each) for each in value.columns.names]
        columns = [
            f"[{writer.key(name)},{_column(writer, value.iloc[:, place], depth)}]"
            for place, name in enumerate(value.columns)
        ]
        return (
            f'{{"frame":[{",".join(columns)}],"index":{index},"names":[{",".join(names)}],'
            f'"rows":{len(value)}}}'
        )
    if hasattr(value, "iloc"):
        index = _labels(writer, value.index, depth)
        column = _column(writer, value, depth)
        return f'{{"series":[[{writer.key(value.name)},{column}]],"index":{index}}}'
    if hasattr(value, "get_indexer"):
        return _named(f"pandas.{kind}", _labels(writer, value, depth))
    if hasattr(value, "to_numpy") and hasattr(value, "isna") and hasattr(value, "dtype"):
        return _named(f"pandas.{kind}", _column(writer, value, depth))
    return json.dumps({"plain": [f"pandas.{kind}", str(value)]})


def _labels(writer: Any, index: Any, depth: int) -> str:
    """Write an index: its kind, its names, its values."""
    names = ",".join(writer.key(name) for name in index.names)
    kind = type(index).__name__
    values = writer.node(index.tolist(), depth + 1) if index.nlevels > 1 else None
    values = values or _column(writer, index, depth)
    return f'["{kind}",[{names}],{values}]'


def _column(writer: Any, column: Any, depth: int) -> str:
    """Write a column: its dtype, with the categories if it has some, and its values."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in REAL + MOMENTS:
        return _array(writer, column.to_numpy(), depth)
    name = str(dtype)
    if hasattr(dtype, "categories"):
        categories = writer.key(tuple(dtype.categories.tolist()))
        name = f"{name}, ordered {dtype.ordered}, {categories}"
    return _listed(name, (len(column),), writer.nodes(column.tolist(), depth))


def _sparse(writer: Any, value: Any, depth: int) -> str:
    """Write the stored entries, zeros among them too, in the order in which they are stored."""
    entries = value.tocoo()
    places = getattr(entries, "coords", None) or (entries.row, entries.col)
    parts = [_array(writer, np.asarray(each), depth) for each in (*places, entries.data)]
    head = json.dumps([type(value).__name__, value.format, list(value.shape)])
    return f'{{"sparse":{head},"entries":[{",".join(parts)}]}}'
