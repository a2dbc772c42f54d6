import copy
import json
import subprocess
import sys
from fractions import Fraction as Q
from pathlib import Path

import pytest

from provedp.verify.solvers import certificates
from provedp.verify.solvers.channel.optimum import least_error, least_error_behind
from provedp.verify.solvers.check import CertificateError, UnreadableError, check, main

CHANNEL = [
    [Q(1, 2), Q(2, 5), Q(1, 10)],
    [Q(3, 10), Q(1, 5), Q(1, 2)],
    [Q(1, 5), Q(1, 5), Q(3, 5)],
]
CHECKER = Path(certificates.__file__).resolve().with_name("check.py")


@pytest.fixture(scope="module")
def genuine():
    best = least_error_behind(CHANNEL, Q(2), Q(1, 10))
    return certificates.document(best, certificates.problem(CHANNEL, Q(2), Q(1, 10)))


def moved(text, step):
    return str(Q(text) + step)


def test_a_genuine_certificate_is_valid(genuine):
    assert check(genuine) == [
        "A private release errs with probability at most 37/60.",
        "No private release errs with probability below 37/60.",
    ]


def test_the_identity_channel_is_null():
    best = least_error(8, Q(2), Q(1, 20))
    document = certificates.document(best, certificates.problem(None, Q(2), Q(1, 20)))
    assert document["problem"]["channel"] is None
    assert len(check(document)) == 2


def shift(path, step):
    """Return a change of the number at `path`."""

    def change(document):
        *parents, last = path
        for key in parents:
            document = document[key]
        document[last] = moved(document[last], step)

    return change


def reversed_rows(document):
    document["primal"].reverse()


def negative_entry(document):
    document["primal"][1] = ["-1", "1", "1"]


def negative_multiplier(document):
    document["dual"]["mu"][0][3] = "-1"


def negative_weight(document):
    document["dual"]["y"] = ["2", "-1", "0"]


def far_pair(document):
    document["dual"]["mu"].append([1, 3, 1, "1"])


def shorter_primal(document):
    document["primal"].pop()


def ragged_primal(document):
    document["primal"][2].append("0")


def no_multipliers(document):
    document["dual"]["mu"] = []


def swapped_pairs(document):
    document["dual"]["mu"] = [[b, a, j, value] for a, b, j, value in document["dual"]["mu"]]


def other_channel(document):
    document["problem"]["channel"].reverse()


def no_channel(document):
    document["problem"]["channel"] = None


def smaller_ratio(document):
    document["problem"]["k"] = "3/2"


def ratio_below_one(document):
    document["problem"]["k"] = "1/2"


def smaller_delta(document):
    document["problem"]["delta"] = "0"


INVALID = [
    shift(["claim", "error_lower"], Q(1, 10**30)),
    shift(["claim", "error_upper"], -Q(1, 10**30)),
    shift(["primal", 0, 0], Q(1, 10**30)),
    shift(["dual", "y", 0], Q(1, 10**30)),
    shift(["problem", "channel", 0, 0], Q(1, 10**30)),
    reversed_rows,
    negative_entry,
    negative_multiplier,
    negative_weight,
    far_pair,
    shorter_primal,
    ragged_primal,
    no_multipliers,
    swapped_pairs,
    other_channel,
    no_channel,
    smaller_ratio,
    ratio_below_one,
    smaller_delta,
]


@pytest.mark.parametrize("tamper", INVALID)
def test_tampering_is_found(genuine, tamper):
    document = copy.deepcopy(genuine)
    tamper(document)
    with pytest.raises(CertificateError):
        check(document)


UNREADABLE = [
    lambda d: d.update(format="provedp certificate 2"),
    lambda d: d["problem"].update(kind="mixture"),
    lambda d: d.pop("dual"),
    lambda d: d["claim"].update(error_upper=0.5),
    lambda d: d["claim"].update(error_upper="nan"),
    lambda d: d["problem"].update(k="1/0"),
    lambda d: d["problem"].update(delta="1e-3"),
    lambda d: d["dual"]["mu"].append([1, 2, 4, "1"]),
    lambda d: d["dual"]["mu"].append(d["dual"]["mu"][0]),
    lambda d: d["dual"]["mu"].append([1, 2, True, "1"]),
    lambda d: d["dual"]["mu"].append([1, 2]),
]


@pytest.mark.parametrize("garble", UNREADABLE)
def test_garbled_documents_are_unreadable(genuine, garble):
    document = copy.deepcopy(genuine)
    garble(document)
    with pytest.raises(UnreadableError):
        check(document)


@pytest.mark.parametrize("document", [None, [], "text", 3, {}])
def test_other_json_is_unreadable(document):
    with pytest.raises(UnreadableError):
        check(document)


def test_the_script_runs_without_the_package(tmp_path, genuine):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(genuine))
    command = [sys.executable, "-I", "-S", str(CHECKER), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "37/60" in done.stdout


def test_exit_statuses(tmp_path, genuine, capsys):
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps({**genuine, "dual": {**genuine["dual"], "mu": []}}))
    assert main([str(path)]) == 1
    path.write_text("{")
    assert main([str(path)]) == 2
    assert main([str(tmp_path / "absent.json")]) == 2
    assert capsys.readouterr().out == ""


def test_files_are_written_whole(tmp_path):
    problem = certificates.problem(None, Q(3, 2), Q(1, 20))
    path = tmp_path / "certificate.json"
    certificates.write(least_error(32, Q(3, 2), Q(1, 20)), problem, path)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    assert main([str(path)]) == 0


def test_a_failed_write_leaves_nothing(tmp_path):
    problem = certificates.problem(None, Q(3, 2), Q(0))
    with pytest.raises(ValueError, match="cannot be written"):
        certificates.write(least_error(2, Q(3, 2), Q(0)), problem, tmp_path / "absent" / "file")
    assert list(tmp_path.iterdir()) == []


def test_certificates_hold_rationals_alone():
    with pytest.raises(ValueError, match="'k' parameter of certificates.problem"):
        certificates.problem(None, 2.5, Q(0))
