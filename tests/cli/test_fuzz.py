"""Random requests of every command: each ends as documented, in a line, and soon."""

import os
import random
import resource
import signal
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from provedp.cli.formulas import formulas
from provedp.cli.main import main
from provedp.theory.domain import Choice, Flag, Integers, Reals

SECONDS = 5.0  # of processor time
MEMORY = 1 << 30  # bytes that a request may add to the most that was held before
LONG = "1" * 3000
GOOD_NUMBERS = [  # more of 1/20, which may be ε, δ, a length and a share
    "1/20", "0.05", "1/20", "0.05",
    "0", "1", "2", "3/2", "0.05", "1/3", "1e-5", "ln(3/2)", "exp(1)", "sqrt(2)", "10", "pi",
    "1e-300",
]  # fmt: skip
BAD_NUMBERS = [
    "", " ", "nan", "inf", "-inf", "-1", "1/0", "0x10", "0b1", "0o7", "1_0", "1e400", "-1e400",
    "1e999999999", "1e-999999999", "(10**9999)**9999", "2^2^2^2^2", "exp(10^9*ln(3))", "exp(1e400)",
    "exp(exp(exp(9)))", "sqrt(-1)", "sqrt(10**4000+1)", "ln(0)", "ln(-1)", "٣", "½", "1,5", "x",
    "k", "[1]", "(" * 300, LONG, "\x00", "\ud800", "1e-400", "5e-324",
    "1.7976931348623157e308",
    "0.1+0.2", "1-1", "-0", "+1", "1e", "True", "None", "__import__('os')", "é",
]  # fmt: skip
TINY = ["1e-5", "1e-300", "5e-324", "1e-400"]
BAD_COUNTS = [n for n in BAD_NUMBERS if n not in ("1e400", "1.7976931348623157e308", LONG)]
HUGE_COUNTS = ["1000", "20000", "1000000", "1000000000", str(10**18), str(10**300)]
GOOD_COUNTS = ["1", "2", "3", "4", "5", "8"]
GRAPHS = [
    "path", "complete", "circle", "within:2", "grid:2x2", "hypercube:2", "edges.json",
    "within:0", "within:-1", "within:1e9", "grid:", "grid:0x4", "grid:3x", "grid:10000000x100000",
    "hypercube:64", "hypercube:-1", "circle:3", "PATH", "loops.json", "apart.json",
]  # fmt: skip
SIDES = [
    "fair",
    "honest",
    "monotone,fair",
    "symmetric",
    "column-honest,fair",
    "x",
    ",",
    "fair,fair",
]
TABLES = [
    "[1, 0]", '["1/2", "1/2"]', "[[1, 0], [0, 1]]", '[["2/3", "1/3"], ["1/3", "2/3"]]',
    "[0.5, 0.5]",
    "[[0], [1]]", "[]", "[[]]", "[[1], [1, 2]]", "[null]", '["x"]', "[1e999999999]", "{}", "[",
    "[" * 100_000, "[[[[1]]]]", "[true]", "[NaN]", "[-1, 2]", "[1, 2, 3]", "m.csv", "deep.json",
    "huge.csv", "absent.csv", "bytes.csv", ".", "object.npy", "empty.csv",
]  # fmt: skip
FILES = [
    "good.csv", "m.csv", "pair.json", "deep.json", "huge.csv", "bytes.csv", "empty.csv",
    "ragged.csv", "quote.csv", "hex.csv", "good.npy", "object.npy", "shape.npy", "cut.npy",
    "bad.parquet", "folder", "folder.csv", "absent.csv", "", "\x00", "x" * 300, "good.csv/x",
    "certificate.json", "counterexample.json", "claims.py", "wide.csv", "fortran.npy", "big.npy",
    "version3.npy", "utf16.csv", "bom.csv", "nul.csv", "header.csv", "twice.csv", "lines.csv",
    "loss.csv", "prior.json", "edges.json", "loops.json", "account.json", "opacus.json",
    "event.json", "nan.json", "canaries.csv", "coins.csv", "scores.npy",
]  # fmt: skip
OUTPUTS = ["out.json", "out.csv", "pipe", "folder", "link.json", "good.csv", "absent/x", "", "\x00"]
BANDWIDTHS = ["1.5", *BAD_NUMBERS]  # fine ones in large boxes take seconds
WORDS = ["", "x", "t", "a", "b", "a,b", "x,y", "x,x", ",", "kind", "0", "0,1", "é", "A" * 5000]


def prepare(folder: Path) -> None:
    """Put files of every kind into a folder."""
    rows = "".join(f"{i % 5},{i % 3}.5,{'ab'[i % 2]}\n" for i in range(40))
    coins = random.Random(0)
    canaries = "".join(f"{coins.randrange(2)},{i % 7}.5\n" for i in range(60))
    texts = {
        "good.csv": f"x,y,t\n{rows}",
        "m.csv": "2/3,1/3\n1/3,2/3\n",
        "pair.json": '{"p": ["1/2", "1/2"], "q": ["1/4", "3/4"]}',
        "deep.json": "[" * 100_000,
        "huge.csv": f"x,y,t\n{'1' * 200_000},2,a\n",
        "empty.csv": "",
        "ragged.csv": "x,y,t\n1,2\n",
        "quote.csv": 'x,y,t\n"1,2,a\n1,2,b\n',
        "hex.csv": "x,y,t\n0x10,2,a\n1_0,nan,b\n",
        "certificate.json": '{"format": "provedp certificate 1"}',
        "counterexample.json": '{"format": "provedp counterexample 2"}',
        "claims.py": "1/0\n",
        "bad.parquet": "PAR1",
        "wide.csv": ",".join(["1"] * 20_001),
        "nul.csv": "x,y,t\n1,\x00,a\n",
        "header.csv": "x,y,t\n",
        "twice.csv": "x,x,t\n1,2,a\n",
        "lines.csv": 'x,y,t\n1,2,"a\nb"\n',
        "loss.csv": "0,1,3\n1,0,1\n2,1,0\n",
        "prior.json": '["1/2", "1/4", "1/4"]',
        "edges.json": "[[1, 2], [2, 3], [3, 1]]",
        "loops.json": "[[1, 1], [2, 1], [1, 2]]",
        "apart.json": "[[1, 2], [3, 4]]",
        "account.json": '{"adjacency": "replace-one", "releases": [{"noise": "gaussian",'
        ' "sigma": 2, "times": 3}, {"epsilon": "ln(2)", "delta": "1e-9"}]}',
        "opacus.json": '{"history": [[1.5, 0.02, 100]], "mechanism": "rdp"}',
        "event.json": '["GaussianDpEvent", {"noise_multiplier": 2.0}]',
        "nan.json": '{"history": [[NaN, 0.02, 1e400]], "mechanism": "rdp"}',
        "canaries.csv": "included,score\n" + canaries,
        "coins.csv": "included,score,unit\n1,2,a\n0,1,a\n2,nan,b\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "utf16.csv").write_text("x,y,t\n1,2,a\n", encoding="utf-16")
    (folder / "bom.csv").write_bytes(b"\xef\xbb\xbfx,y,t\r\n1,2,a\r\n")
    np.save(folder / "fortran.npy", np.asfortranarray(np.arange(6.0).reshape(3, 2)))
    np.save(folder / "big.npy", np.arange(6).reshape(3, 2).astype(">i4"))
    with (folder / "version3.npy").open("wb") as file:
        np.lib.format.write_array(file, np.eye(2), version=(3, 0))
    (folder / "bytes.csv").write_bytes(b"\xff\xfe\x00x")
    np.save(folder / "scores.npy", np.arange(50.0))
    np.save(folder / "moved.npy", np.arange(60.0) + 40)
    np.save(folder / "good.npy", np.arange(20.0).reshape(10, 2))
    np.save(folder / "object.npy", np.array([[{}]], dtype=object), allow_pickle=True)
    head = "{'descr': '<f8', 'fortran_order': False, 'shape': (100000000000, 1000)}".ljust(117)
    (folder / "shape.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + b"\n")
    (folder / "cut.npy").write_bytes((folder / "good.npy").read_bytes()[:-8])
    os.mkfifo(folder / "pipe")
    for name in ("folder", "folder.csv"):
        (folder / name).mkdir()
    (folder / "link.json").symlink_to("good.csv")


@dataclass
class Generator:
    """Requests from a seed; `sound` is the share of words in one that mean something."""

    draw: random.Random
    sound: float = 1.0

    def request(self) -> list[str]:
        """Return a request of any command."""
        self.sound = self.draw.choice([0.5, 0.8, 0.95, 1.0])
        return list(self.draw.choice(COMMANDS)(self))

    def number(self) -> str:
        """Return a number, or what looks like one."""
        return self.draw.choice(GOOD_NUMBERS if self.draw.random() < self.sound else BAD_NUMBERS)

    def count(self) -> str:
        """Return a small number, or what looks like one."""
        return self.draw.choice(GOOD_COUNTS if self.draw.random() < self.sound else BAD_COUNTS)

    def huge(self) -> str:
        """Return a number that may be far too large, or what looks like one."""
        if self.draw.random() < 0.2:
            return self.draw.choice([*HUGE_COUNTS, *BAD_NUMBERS])
        return self.count()

    def ratio(self) -> str:
        """Return a number that is not tiny: one draw of a count takes about 1/ε of them."""
        drawn = self.number()
        return "1" if drawn in TINY else drawn

    def of(self, pool: list[str]) -> str:
        """Return one of several texts, mostly one of the first."""
        return pool[0] if self.draw.random() < self.sound else self.draw.choice(pool)

    def chance(self, share: float) -> bool:
        """Return whether what happens with this probability does."""
        return self.draw.random() < share

    def small(self) -> str:
        """Return a number that may be a δ, or what looks like one."""
        return self.of(["1/20", *GOOD_NUMBERS, *BAD_NUMBERS])

    def options(self, **pools: Callable[[], str]) -> list[str]:
        """Return some of several options; a pool that ends in '_' is always there."""
        words: list[str] = []
        for name, pool in pools.items():
            if name.endswith("_") or self.draw.random() < 0.4:
                words += [f"--{name.rstrip('_').replace('_', '-')}", pool()]
        return words

    def flags(self, *names: str) -> list[str]:
        """Return some of several flags."""
        return [f"--{name}" for name in names if self.draw.random() < 0.3]


def value(g: Generator) -> list[str]:
    formula = g.draw.choice(list(FORMULAS.values()))
    words = ["value", formula.name]
    for name, parameter in formula.signature.parameters.items():
        if parameter.default is not parameter.empty and g.draw.random() < 0.5:
            continue
        words.append(f"{name}={_argument(g, formula.ranges.get(name))}")
    return [*words, *g.options(digits=g.count), *g.flags("symbolic", "json")]


def _argument(g: Generator, allowed: Any) -> str:
    if isinstance(allowed, Choice):
        return g.draw.choice([*allowed.names, "x", ""])
    if isinstance(allowed, Flag):
        return g.draw.choice(["true", "false", "", "1"])
    if isinstance(allowed, Integers):
        return g.huge()
    if isinstance(allowed, Reals):
        return g.number()
    return g.draw.choice(TABLES)


def solve_counting(g: Generator) -> list[str]:
    words = g.options(
        epsilon_=g.number, m=g.count, delta=g.number, snr_db=g.number,
        channel=lambda: g.of(["m.csv", "psk", *FILES]), certificate=lambda: g.of(OUTPUTS),
        convention=lambda: g.of(["symbol", "bit", "x"]),
    )  # fmt: skip
    return ["solve", "counting", *words, *g.flags("json")]


def solve_gaussian(g: Generator) -> list[str]:
    words = g.options(
        epsilon_=g.number, delta_=g.number, sensitivity=g.number, rounds=g.huge,
        sample=lambda: g.of(["1/100", "1/2", "2", "0", "x", *BAD_NUMBERS]),
        sampling=lambda: g.of(["poisson", "without-replacement", "with-replacement", "x"]),
    )  # fmt: skip
    return ["solve", "gaussian", *words, *g.flags("json")]


def solve_profile(g: Generator) -> list[str]:
    words = g.options(epsilon=g.number, delta=g.number)
    return ["solve", "profile", g.of(["m.csv", *FILES]), *words, *g.flags("json", "floats")]


def solve_noise_shape(g: Generator) -> list[str]:
    words = g.options(covariance=lambda: g.of(FILES))
    return ["solve", "noise-shape", g.of(["good.csv", *FILES]), *words, *g.flags("json")]


def release_counting(g: Generator) -> list[str]:
    words = g.options(
        column_=lambda: g.of(["x", *WORDS]), m_=g.count, epsilon_=g.ratio, delta=g.number,
        first=g.count, seed=g.count, output=lambda: g.of(OUTPUTS),
        mechanism=lambda: g.of(["optimal", "exponential", "rounded-laplace", "x"]),
    )  # fmt: skip
    flags = g.flags("json", "clamp", "show-values")
    return ["release", "counting", g.of(FILES), *words, *flags]


def release_mixture(g: Generator) -> list[str]:
    words = g.options(
        label_=lambda: g.of(["t", *WORDS]), classes_=lambda: g.of(["a,b", *WORDS]),
        epsilon_=g.number, delta_=g.number, bound_=g.number, output_=lambda: g.of(OUTPUTS),
        floor=g.number, location=lambda: g.of(["0,0", *WORDS]), shape=lambda: g.of(FILES),
        records=g.count, features=lambda: g.of(["x,y", *WORDS]), seed=g.count,
        adjacency=lambda: g.of(["replace-one", "add-remove", "label", "x"]),
    )  # fmt: skip
    return ["release", "mixture", g.of(FILES), *words, *g.flags("json", "show-values")]


def release_modes(g: Generator) -> list[str]:
    words = g.options(
        columns=lambda: g.of(["x,y", *WORDS]), epsilon_=g.number, delta_=g.number,
        box_=lambda: g.of(["0:5,0:5", "0:5", "5:0", ":", *WORDS]), modes=g.count, cluster=g.count,
        bandwidth_=lambda: g.of(BANDWIDTHS), regress=lambda: g.of(["y", *WORDS]), branches=g.count,
        seed=g.count, output=lambda: g.of(OUTPUTS),
        method=lambda: g.of(["auto", "field", "local", "x"]),
    )  # fmt: skip
    flags = g.flags("json", "show-values", "private-box")
    return ["release", "modes", g.of(FILES), *words, *flags]


def diagnose(g: Generator) -> list[str]:
    words = g.options(
        label_=lambda: g.of(["t", *WORDS]), classes_=lambda: g.of(["a,b", *WORDS]), bound_=g.number,
        location=lambda: g.of(["0,0", *WORDS]), shape=lambda: g.of(FILES),
    )  # fmt: skip
    return ["diagnose", "mixture", g.of(FILES), *words, *g.flags("json", "show-values")]


def refused_audit(g: Generator) -> list[str]:
    """Return a request of an audit that runs nothing: its target is nowhere."""
    words = g.options(
        claim_epsilon_=g.number, claim_delta=g.number, claim_mu=g.number, seed=g.count,
        adjacency=lambda: g.of(["any", "l2", "l1:x", *WORDS]), pairs=lambda: g.of(FILES),
        out=lambda: g.of(["o", *OUTPUTS]), confidence=g.number,
    )  # fmt: skip
    sides = [g.draw.choice(TABLES + FILES) for _ in range(2)]
    return [
        "audit",
        g.of(["nowhere:x", *WORDS]),
        "--pair",
        *sides,
        *words,
        *g.flags("json", "html"),
    ]


def solve_release(g: Generator) -> list[str]:
    bayes = ["--criterion", "bayes", "--prior", g.of(["uniform", "prior.json", *FILES])]
    words = g.options(
        m_=lambda: g.of(["3", "5", "8", *BAD_COUNTS]), epsilon_=g.number, delta=g.small,
        side=lambda: g.of(SIDES), graph=lambda: g.of(GRAPHS), mechanism=lambda: g.of(OUTPUTS),
        loss=lambda: g.of(["absolute", "squared", "loss.csv", *FILES]),
        outputs=lambda: g.of(["1,3/2,2", "0", *WORDS]), certificate=lambda: g.of(OUTPUTS),
    )  # fmt: skip
    return ["solve", "release", *words, *(bayes if g.chance(0.3) else []), *g.flags("json")]


def release_by_loss(g: Generator) -> list[str]:
    words = g.options(
        column_=lambda: g.of(["x", *WORDS]), m_=lambda: g.of(["5", *BAD_COUNTS]),
        epsilon_=g.ratio, delta=g.small, loss_=lambda: g.of(["absolute", "squared", *FILES]),
        prior=lambda: g.of(["uniform", *FILES]), graph=lambda: g.of(GRAPHS), seed=g.count,
        output=lambda: g.of(OUTPUTS),
    )  # fmt: skip
    return ["release", "counting", g.of(FILES), *words, *g.flags("json", "clamp", "show-values")]


def compare_counting(g: Generator) -> list[str]:
    words = g.options(
        m_=g.count, epsilon_=g.number, delta=g.small,
        loss=lambda: g.of(["zero-one", "absolute", "squared", "x"]),
    )  # fmt: skip
    return ["compare", "counting", *words, *g.flags("json", "uniform")]


def account(g: Generator) -> list[str]:
    asked = g.draw.choice([("claim-epsilon", "claim-delta"), ("epsilon",), ("delta",)])
    words = [word for name in asked for word in (f"--{name}", g.small())]
    words += g.options(adjacency=lambda: g.of(["add-or-remove", "replace-one", "x"]))
    if g.chance(0.4):
        pool = ["account.json", "opacus.json", "event.json", "nan.json"]
        return ["account", g.draw.choice(pool if g.chance(g.sound) else FILES), *words]
    words += g.options(sigma_=g.number, sensitivity=g.number, rounds=g.huge)
    if g.chance(0.5):
        words += g.options(
            sample_=lambda: g.of(["1/100", "1/2", "3/3", "2", "0", "x", *BAD_NUMBERS]),
            sampling_=lambda: g.of(["poisson", "without-replacement", "with-replacement", "x"]),
        )
    return ["account", *words, *g.flags("json")]


def recorded_audit(g: Generator) -> list[str]:
    """Return a request of an audit of what was recorded, which runs no target."""
    claim = g.draw.choice(["claim-epsilon", "claim-epsilon", "claim-mu", "claim-rho"])
    words = [f"--{claim}", g.number(), *g.options(confidence=lambda: g.of(["0.9", *BAD_NUMBERS]))]
    if g.chance(0.5):
        files = ["scores.npy", "moved.npy", "good.npy", *FILES]
        sides = [g.draw.choice(files[:3] if g.chance(g.sound) else files) for _ in range(2)]
        words += g.options(seed=g.count, out=lambda: g.of(["o", *OUTPUTS]))
        return ["audit", "--outputs", *sides, *words, *g.flags("json")]
    guesses = g.options(guesses_=lambda: g.of(["10", "60", *HUGE_COUNTS, *BAD_NUMBERS]))
    if g.chance(0.3):
        guesses = ["--threshold", g.of(["5", *BAD_NUMBERS]), g.of(["1", *BAD_NUMBERS])]
    words += guesses + g.options(
        inclusion=lambda: g.of(["0.5", "pairs", *BAD_NUMBERS]), looks=g.huge,
        control=lambda: g.of(["canaries.csv", *FILES]), certificate=lambda: g.of(OUTPUTS),
    )  # fmt: skip
    file = g.of(["canaries.csv", "coins.csv", *FILES])
    return ["audit", "--canaries", file, *words, *g.flags("json", "losses")]


def refused_local_audit(g: Generator) -> list[str]:
    values = g.of(["0..7", "0..0", "7..0", "0..1000000000", *TABLES, *WORDS])
    words = g.options(claim_epsilon_=g.number, claim_delta=g.small, runs=g.huge, seed=g.count)
    return ["audit", g.of(["nowhere:x", *WORDS]), "--ldp", values, *words, *g.flags("json")]


def browse(g: Generator) -> list[str]:
    words = g.options(
        paper=lambda: g.of(["counting", "modes", "x", *WORDS]), item=lambda: g.of(WORDS),
        verdict=lambda: g.of(["proved", "x", *WORDS]), defect=lambda: g.of(["misprint", *WORDS]),
    )  # fmt: skip
    return ["list", *([g.of(WORDS)] if g.chance(0.5) else []), *words, *g.flags("json")]


def lessons(g: Generator) -> list[str]:
    exercise = g.draw.choice(["counting-3", *WORDS, *BAD_NUMBERS])
    return ["course", *g.draw.choice([["list"], ["show", exercise], ["grade", g.of(FILES)]])]


def of_a_file(g: Generator) -> list[str]:
    command = g.draw.choice([["check"], ["replay"], ["replay", "--trust"], ["show", "x", "--from"]])
    return [*command, g.draw.choice(FILES)]


def of_a_word(g: Generator) -> list[str]:
    command = g.draw.choice(["show", "verify", "reproduce", "value", "solve", "release", "x", "-x"])
    return [command, "no." + g.draw.choice([*WORDS, *BAD_NUMBERS])]


COMMANDS = [
    *(value,) * 6, solve_counting, solve_gaussian, solve_profile, solve_noise_shape,
    release_counting, release_mixture, release_modes, diagnose, refused_audit, of_a_file, of_a_word,
    solve_release, release_by_loss, compare_counting, account, recorded_audit, refused_local_audit,
    browse, lessons,
]  # fmt: skip
FORMULAS = formulas()


class TooSlow(BaseException):
    """A request took too long."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow


@pytest.fixture
def answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[[list[str]], str]]:
    """Yield a function that makes a request and returns what is wrong with its end, or nothing."""
    prepare(tmp_path)
    monkeypatch.chdir(tmp_path)
    before = signal.signal(signal.SIGPROF, _stop)

    def make(request: list[str]) -> str:
        capsys.readouterr()
        held = most_held()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            main(request)
        except SystemExit as end:
            status = end.code or 0
        except TooSlow:
            return f"more than {SECONDS} s"
        except BaseException:
            return traceback.format_exc(limit=-3)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if most_held() - held > MEMORY:
            return f"{most_held() - held} bytes more than before"
        return misdeed(status, *capsys.readouterr())

    yield make
    signal.signal(signal.SIGPROF, before)


def most_held() -> int:
    """Return the most memory that this process has held so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def misdeed(status: Any, out: str, err: str) -> str:
    """Return what is not as documented, or nothing."""
    if "Traceback" in out + err:
        return f"a traceback: {err[:500]}"
    if status == 2:
        told = err.startswith("provedp: ") and err.count("\n") == 1 and not out
        return "" if told and len(err) < 2100 else f"not one line: {out[:300]!r} {err[:300]!r}"
    if status == 1 and not err.startswith("INVALID "):
        return "" if "refuted" in out.lower() else f"status 1 and {out[:300]!r} {err[:300]!r}"
    return (
        ""
        if status in (0, 1, 3) and out + err
        else f"status {status} and {out[:300]!r} {err[:300]!r}"
    )


def campaign(answer: Callable[[list[str]], str], seed: int, requests: int) -> list[str]:
    """Return the requests that did not end as documented, and how they ended."""
    generator = Generator(random.Random(seed))
    found = []
    for _ in range(requests):
        request = generator.request()
        wrong = answer(request)
        if wrong:
            shown = [word if len(word) < 60 else f"{word[:40]}…({len(word)})" for word in request]
            found.append(f"{shown}\n    {wrong}")
    return found


def test_every_request_ends_as_documented(answer: Callable[[list[str]], str]) -> None:
    found = campaign(answer, seed=13, requests=300)
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_requests_end_as_documented(answer: Callable[[list[str]], str], seed: int) -> None:
    found = campaign(answer, seed=100 + seed, requests=500)
    assert not found, "\n".join(found)


def test_the_campaign_sees_what_it_is_for() -> None:
    assert misdeed(0, "1\n", "") == misdeed(2, "", "provedp: no.\n") == ""
    assert misdeed(1, "", "INVALID x: it proves nothing.\n") == misdeed(1, "x: REFUTED", "") == ""
    for status, out, err in [
        (2, "", "provedp: no.\nmore\n"), (2, "1\n", "provedp: no.\n"), (0, "", ""), (1, "", ""),
        (7, "1", ""), (0, "1", "Traceback (most recent…"), (2, "", ""), (1, "PROVED", ""),
        (2, "", f"provedp: {'9' * 5000}\n"),
    ]:  # fmt: skip
        assert misdeed(status, out, err)
