"""Descriptions of releases with parts taken out, put in or replaced: read, or refused in a line."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provedp.cli.account.documents import read_document

GAUSSIAN = ["module", "GaussianDpEvent", "1.0"]
SOUND: list[Any] = [
    {"adjacency": "replace-one", "releases": [{"noise": "gaussian", "sigma": "2", "times": "3"}]},
    {
        "releases": [
            {"epsilon": "ln(2)", "delta": "1e-9"},
            {"matrix": [["2/3", "1/3"], ["1/3", "2/3"]]},
        ]
    },
    {"history": [["1.5", "0.02", "100"]], "mechanism": "rdp"},
    GAUSSIAN,
    {"module_name": "module", "class_name": "GaussianDpEvent", "noise_multiplier": "1"},
    ["module", "SelfComposedDpEvent", ["module", "PoissonSampledDpEvent", "0.1", GAUSSIAN], "10"],
    ["module", "ComposedDpEvent", [["module", "LaplaceDpEvent", "1.0"], ["module", "NoOpDpEvent"]]],
    ["module", "SampledWithReplacementDpEvent", "100", "3", GAUSSIAN],
    ["module", "ZCDpEvent", "1", "0"],
    {"class_name": "ComposedDpEvent", "events": []},
]
STRANGE: st.SearchStrategy[Any] = st.sampled_from(
    [None, [], {}, "", "nan", "-1", "1e400", "Infinity", True, [[]], {"a": 1}, "0", "x", ["x"],
     10**400, "1/0", "exp(1e400)", 1.5, float("nan"), [None], {"class_name": {}}]
)  # fmt: skip
KEYS = st.sampled_from(["z", "times", "sigma", "noise", "epsilon", "adjacency", "class_name"])


@st.composite
def spoiled(draw: st.DrawFn, part: Any) -> Any:
    """Return a description of which each part may have become another."""
    if draw(st.integers(0, 7)) == 0:
        return draw(STRANGE)
    if isinstance(part, dict):
        changed = {key: draw(spoiled(value)) for key, value in part.items()}
        if draw(st.integers(0, 7)) == 0:
            changed[draw(KEYS)] = draw(STRANGE)
        return changed
    if isinstance(part, list):
        kept = [draw(spoiled(each)) for each in part]
        return kept[draw(st.integers(0, 1)) :] if draw(st.integers(0, 7)) == 0 else kept
    return part


@pytest.mark.parametrize("sound", SOUND, ids=str)
def test_sound_ones_are_read(sound: Any) -> None:
    assert read_document(sound, "replace-one") is not None


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(SOUND).flatmap(spoiled), st.sampled_from([None, "add-or-remove"]))
def test_others_are_refused_in_a_line(data: Any, adjacency: str | None) -> None:
    try:
        read_document(data, adjacency)
    except ValueError as refusal:
        assert str(refusal).strip() and "\n" not in str(refusal)


@pytest.mark.parametrize("name", [{}, [], None, 3])
def test_names_that_are_no_text(name: Any) -> None:
    with pytest.raises(ValueError, match="an event is"):
        read_document(["module", name, "1"], "replace-one")
    with pytest.raises(ValueError, match="'adjacency' must be one of"):
        read_document({"adjacency": name or {}, "releases": []}, None)
