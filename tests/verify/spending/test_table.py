"""The table that the documentation shows has a row for each case."""

import pytest

from provedp.verify.spending.cases import cases
from provedp.verify.spending.table import HEAD, main

NAME = "PrivateMixture, label, means only, 2 classes"


def test_a_row_says_what_a_case_spends(capsys: pytest.CaptureFixture[str]) -> None:
    main(NAME.split())
    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == list(HEAD)
    (case,) = (each for each in cases() if each.name == NAME)
    pairs, replays, share, numbers, bits, faults = row[len(NAME) :].split()
    assert row.startswith(NAME)
    assert int(pairs) == len(case.pairs)
    assert int(replays) == sum(len(ways) for _, _, ways in case.plan(quick=True))
    assert case.attains <= float(share) <= 1
    assert int(numbers) > 0 and int(bits) > 0
    assert faults == "0"
