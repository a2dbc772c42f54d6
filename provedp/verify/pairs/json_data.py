"""Data sets as JSON and back: arrays keep their type, tuples stay tuples."""

from typing import Any

import numpy as np


def data_record(value: Any) -> dict[str, Any]:
    """Return a data set as JSON data.

    Raises
    ------
    ValueError
        If it holds something else than numbers, texts, None, arrays and containers of these.

    >>> data_record(np.array([1.0, 2.0]))
    {'array': [1.0, 2.0], 'dtype': 'float64'}
    >>> data_record(([1], "a"))
    {'tuple': [{'json': [1]}, {'json': 'a'}]}
    """
    if isinstance(value, np.ndarray) and value.dtype != object:
        return {"array": value.tolist(), "dtype": str(value.dtype)}
    if isinstance(value, np.generic):
        return {"json": value.item()}
    if _is_json(value):
        return {"json": value}
    if isinstance(value, tuple):
        return {"tuple": [data_record(item) for item in value]}
    if isinstance(value, list):
        return {"list": [data_record(item) for item in value]}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: data_record(item) for key, item in value.items()}}
    raise ValueError(f"Data of type {type(value).__name__} cannot be written as JSON.")


def data_from(record: dict[str, Any]) -> Any:
    """Return the data set that `data_record` wrote."""
    if "array" in record:
        return np.array(record["array"], dtype=record["dtype"])
    if "tuple" in record:
        return tuple(data_from(item) for item in record["tuple"])
    if "list" in record:
        return [data_from(item) for item in record["list"]]
    if "dict" in record:
        return {key: data_from(item) for key, item in record["dict"].items()}
    return record["json"]


def _is_json(value: Any) -> bool:
    if value is None or type(value) in (bool, int, float, str):
        return True
    if type(value) is list:
        return all(map(_is_json, value))
    return type(value) is dict and all(type(k) is str and _is_json(v) for k, v in value.items())
