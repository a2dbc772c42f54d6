"""Our own description: `{"adjacency": …, "releases": [{…}, …]}`, each release told by its keys."""

import json
from typing import Any

from provedp.cli.account.fields import Fields
from provedp.cli.account.samples import DRAWN, INDEPENDENT, fixed_size, poisson
from provedp.cli.numbers import exact_or_ball
from provedp.cli.tables import read_table
from provedp.theory.domain import reals
from provedp.theory.matrices import matrix
from provedp.theory.numbers import Number, ball, in_one_field
from provedp.theory.privacy.definitions import Adjacency
from provedp.verify.accounting.discrete_releases import DiscreteGaussian, Geometric, Guaranteed
from provedp.verify.accounting.finite_mechanisms import MOST_ROWS, FiniteMechanism
from provedp.verify.accounting.judgement import Described, Releases
from provedp.verify.accounting.laplace import Laplace
from provedp.verify.accounting.releases import Finite, Gaussian, Release
from provedp.verify.accounting.renyi_claims import ORDER, RenyiClaim

NOISES = ("gaussian", "laplace", "geometric", "discrete-gaussian")
SAMPLINGS = ("none", "poisson", "without-replacement", "with-replacement")
KEYS = {"adjacency", "releases"}
TIMES = {"times"}
ROWS = "the two rows are the laws of the output for the two inputs; the first is with the record"
ALL_ROWS = "the rows are the laws of the output for all values of a record; any two are adjacent"
UNSAMPLED = "each sensitivity is for the adjacency above"
Found = tuple[Release | FiniteMechanism | RenyiClaim, str, str]


def read_own(data: dict[str, Any], adjacency: Adjacency | None) -> Releases:
    """Return the releases of a description.

    Raises
    ------
    ValueError
        If a key is not known, or a value is outside its range.
    """
    for key in data:
        if key not in KEYS:
            raise ValueError(f"A description has no key {key!r}: only 'adjacency' and 'releases'.")
    entries = data["releases"]
    if not isinstance(entries, (list, tuple)):
        raise ValueError("'releases' must be a list of objects.")
    assumptions: list[str] = []
    parts = []
    for index, entry in enumerate(entries, start=1):
        part, assumption = _part(entry, f"'releases', entry {index}", adjacency)
        parts.append(part)
        if assumption not in assumptions:
            assumptions.append(assumption)
    return Releases(parts, tuple(assumptions), adjacency)


def _part(entry: Any, where: str, adjacency: Adjacency | None) -> tuple[Described, str]:
    if not isinstance(entry, dict):
        raise ValueError(f"{where} must be an object.")
    fields = Fields(where, entry)
    rounds = fields.count("times") if fields.has("times") else 1
    release, words, assumption = _release(fields, entry, where, adjacency)
    return Described(release, rounds, f"{rounds} × {words}"), assumption


def _release(
    fields: Fields, entry: dict[str, Any], where: str, adjacency: Adjacency | None
) -> Found:
    if fields.has("noise"):
        if entry["noise"] not in NOISES:
            raise ValueError(f"{where}: there is no event for the noise {entry['noise']!r}.")
        return _noise(entry["noise"], fields, where, adjacency)
    if fields.has("matrix"):
        fields.refuse_unknown({"matrix"} | TIMES)
        laws = _finite(entry["matrix"], where, adjacency)
        if isinstance(laws, Finite):
            return laws, "a law over finitely many outcomes", ROWS
        return laws, f"one of {len(laws.rows)} laws over finitely many outcomes", ALL_ROWS
    if fields.has("epsilon"):
        fields.refuse_unknown({"epsilon", "delta"} | TIMES)
        slack = fields.within("delta", reals(0, 1, open_high=True)) if fields.has("delta") else 0
        words = f"an (ε, δ)-guarantee, ε = {fields.given('epsilon')}"
        words += f", δ = {fields.given('delta')}" if fields.has("delta") else ""
        release = Guaranteed(fields.ratio("epsilon"), slack, adjacency)
        return release, words, "each guarantee holds, for the adjacency above"
    if fields.has("rho") or fields.has("order"):
        return _renyi(fields)
    raise ValueError(f"{where} has none of the fields noise, matrix, epsilon, rho and order.")


def _renyi(fields: Fields) -> Found:
    holds = "each Rényi claim holds in both directions, for the adjacency above"
    if fields.has("rho"):
        fields.refuse_unknown({"rho", "xi"} | TIMES)
        xi = fields.non_negative("xi") if fields.has("xi") else 0
        claim = RenyiClaim(rho=fields.non_negative("rho"), offset=xi)
        return claim, f"a claim of zCDP, ρ = {fields.given('rho')}", holds
    fields.refuse_unknown({"order", "divergence"} | TIMES)
    order = float(fields.within("order", ORDER))
    claim = RenyiClaim({order: fields.non_negative("divergence")})
    words = f"a claim of Rényi DP, order {fields.given('order')}, {fields.given('divergence')} nats"
    return claim, words, holds


def _finite(rows: Any, where: str, adjacency: Adjacency | None) -> Finite | FiniteMechanism:
    try:
        table = read_table(json.dumps(rows), "matrix")
    except (ValueError, TypeError) as error:
        raise ValueError(f"{where}: {error}") from None
    if not 2 <= len(table) <= MOST_ROWS or not all(isinstance(row, list) for row in table):
        raise ValueError(
            f"{where}: a matrix has 2 to {MOST_ROWS} rows, of which all pairs are compared."
        )
    laws = matrix([[exact_or_ball(entry) for entry in row] for row in table])
    if len(laws) == 2:
        return Finite(laws[0], laws[1], adjacency)
    return FiniteMechanism(tuple(laws), adjacency)


def _noise(noise: str, fields: Fields, where: str, adjacency: Adjacency | None) -> Found:
    if noise == "gaussian":
        return _gaussian(fields, where, adjacency)
    words = f"{noise} noise"
    if noise == "laplace":
        fields.refuse_unknown({"noise", "scale", "sensitivity"} | TIMES)
        shift = _shift(fields, "scale")
        words = f"Laplace noise, scale {fields.given('scale')}, sensitivity {_sensitivity(fields)}"
        return Laplace(shift, adjacency), words, UNSAMPLED
    step = fields.count("sensitivity") if fields.has("sensitivity") else 1
    words += f", sensitivity {step}"
    if noise == "geometric":
        fields.refuse_unknown({"noise", "scale", "decay", "sensitivity"} | TIMES)
        if fields.has("decay"):
            decay = fields.within("decay", reals(0, 1, open_low=True, open_high=True))
            words += f", decay {fields.given('decay')}"
        else:
            decay = (-1 / ball(fields.positive("scale"))).exp()
            words += f", scale {fields.given('scale')}"
        return Geometric(decay, step, adjacency), words, UNSAMPLED
    fields.refuse_unknown({"noise", "sigma", "sensitivity"} | TIMES)
    sigma = fields.positive("sigma")
    words += f", σ = {fields.given('sigma')}"
    return DiscreteGaussian(sigma, step, adjacency), words, UNSAMPLED


def _sensitivity(fields: Fields) -> str:
    return fields.given("sensitivity") if fields.has("sensitivity") else "1"


def _shift(fields: Fields, scale: str) -> Number:
    """Return the sensitivity over the scale of the noise."""
    reach = fields.positive("sensitivity") if fields.has("sensitivity") else 1
    above, below = in_one_field(reach, fields.positive(scale))
    return above / below


def _gaussian(fields: Fields, where: str, adjacency: Adjacency | None) -> Found:
    fields.refuse_unknown(
        {"noise", "sigma", "sensitivity", "sampling", "rate", "sample", "size"} | TIMES
    )
    mu = _shift(fields, "sigma")
    sampling = fields.given("sampling") if fields.has("sampling") else "none"
    words = f"Gaussian noise, σ = {fields.given('sigma')}, sensitivity {_sensitivity(fields)}"
    if sampling not in SAMPLINGS:
        raise ValueError(f"{where}: there is no event for the sampling {sampling!r}.")
    if sampling == "none":
        for name in ("rate", "sample", "size"):
            if fields.has(name):
                raise ValueError(f"{where}: {name!r} needs a 'sampling', such as 'poisson'.")
        return Gaussian(mu, adjacency), f"{words}, on all records", UNSAMPLED
    if sampling == "poisson":
        for name in ("sample", "size"):
            if fields.has(name):
                raise ValueError(f"{where}: Poisson samples have a 'rate', and no {name!r}.")
        words += f", on Poisson samples at rate {fields.given('rate')}"
        return (
            poisson(mu, fields.share("rate"), adjacency or Adjacency.ADD_OR_REMOVE_ONE),
            words,
            (f"{INDEPENDENT}; the sensitivity is the largest length that one record adds"),
        )
    if adjacency is Adjacency.ADD_OR_REMOVE_ONE:
        raise ValueError(f"{where}: there is no event for sampling {sampling} but for replace-one.")
    if fields.has("rate"):
        raise ValueError(f"{where}: samples {sampling} have 'sample' and 'size', and no 'rate'.")
    draws, size = fields.count("sample"), fields.count("size")
    words += f", on {draws} of {size} records, drawn {sampling.replace('-', ' ')}"
    release = fixed_size(mu, draws, size, sampling == "with-replacement")
    return release, words, f"{DRAWN}; the sensitivity is the largest distance of two such sums"
