"""The options of an audit: said once, given one by one or together, refused by name."""

from dataclasses import fields
from typing import Any, get_type_hints

import numpy as np
import pytest

from provedp.verify.audit import ApproximateDP, Options, audit, audit_profile, target
from provedp.verify.audit.runs.options import RECORDED, OptionKeywords

CLAIM = ApproximateDP(1.0)


@pytest.fixture
def laplace() -> Any:
    def release(data: float, rng: np.random.Generator, count: int) -> Any:
        return data + rng.laplace(scale=0.5, size=count)

    return target(release, isolated=False)


def test_keywords_are_the_fields() -> None:
    assert get_type_hints(OptionKeywords) == get_type_hints(Options)
    assert set(RECORDED) < {field.name for field in fields(Options)}


def test_options_one_by_one_and_together_are_the_same(laplace: Any) -> None:
    apart = audit(laplace, (0.0, 1.0), CLAIM, runs=400, seed=3, confidence=0.9)
    together = Options(runs=400, seed=3, confidence=0.9)
    assert audit(laplace, (0.0, 1.0), CLAIM, options=together) == apart
    other = audit(laplace, (0.0, 1.0), CLAIM, options=Options(runs=400, seed=4), seed=3)
    assert (other.counts, other.confidence) == (apart.counts, 0.95)


@pytest.mark.parametrize(
    ("option", "value"),
    [("runs", 19), ("confidence", 0.0), ("seed", -1), ("workers", 0), ("channel", "sound")],
)
def test_each_option_is_refused_by_its_name(option: Any, value: Any, laplace: Any) -> None:
    with pytest.raises(ValueError, match=f"'{option}'"):
        Options(**{option: value})
    for refused in (audit, audit_profile):
        with pytest.raises(ValueError, match=f"'{option}'"):
            refused(
                laplace,
                (0.0, 1.0),
                **{"claim": CLAIM} if refused is audit else {},
                **{option: value},
            )


def test_an_unknown_option_is_a_type_error(laplace: Any) -> None:
    with pytest.raises(TypeError, match="rns"):
        audit(laplace, (0.0, 1.0), CLAIM, rns=400)  # type: ignore[call-arg]


def test_a_profile_is_not_sequential(laplace: Any) -> None:
    with pytest.raises(ValueError, match="'sequential'"):
        audit_profile(laplace, (0.0, 1.0), sequential=True)


def test_the_record_says_what_the_result_depends_on() -> None:
    options = Options(runs=50, workers=3, progress=print)
    assert options.record() == {
        "channel": "value",
        "runs": 50,
        "sequential": False,
        "confidence": 0.95,
        "seed": 0,
        "adjacency": "any",
        "processes": None,
    }
