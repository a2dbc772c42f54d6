"""dp-accounting's `DpEvent` as a named tuple, or JSON of one: lists without names, or objects."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from provedp.cli.account.fields import Fields
from provedp.cli.account.samples import CLIPPED, DRAWN, INDEPENDENT, TWICE, fixed_size, poisson
from provedp.theory.domain import reals
from provedp.theory.matrices import matrix
from provedp.theory.privacy.definitions import Adjacency
from provedp.theory.privacy.functions import exp
from provedp.verify.accounting.discrete_releases import Geometric
from provedp.verify.accounting.judgement import Described, Releases
from provedp.verify.accounting.laplace import Laplace
from provedp.verify.accounting.releases import Finite, Gaussian, Release
from provedp.verify.accounting.renyi_claims import RenyiClaim

ORDER: dict[str, tuple[str, ...]] = {
    "NoOpDpEvent": (),
    "NonPrivateDpEvent": (),
    "GaussianDpEvent": ("noise_multiplier",),
    "LaplaceDpEvent": ("noise_multiplier",),
    "DiscreteLaplaceDpEvent": ("noise_parameter", "sensitivity"),
    "RandomizedResponseDpEvent": ("noise_parameter", "num_buckets"),
    "ZCDpEvent": ("rho", "xi"),
    "SelfComposedDpEvent": ("event", "count"),
    "ComposedDpEvent": ("events",),
    "PoissonSampledDpEvent": ("sampling_probability", "event"),
    "SampledWithReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
    "SampledWithoutReplacementDpEvent": ("source_dataset_size", "sample_size", "event"),
}  # the fields of each event, in the order of its named tuple
DEEPEST = 50


class Reader:
    """Reads events for one adjacency, and collects what that assumes."""

    def __init__(self, adjacency: Adjacency):
        self._adjacency = adjacency
        self.assumptions: list[str] = []

    def read(self, data: Any, rounds: int = 1, depth: int = 0) -> list[Described]:
        """Return the releases of an event that happens so many times."""
        name, fields = _named(data)
        if name not in ORDER:
            raise ValueError(f"There is no event for {name} here.")
        if depth > DEEPEST:
            raise ValueError("'file': the event is nested too deeply.")
        if name == "NoOpDpEvent":
            return []
        if name == "SelfComposedDpEvent":
            count = Fields(name, fields).count("count")
            return self.read(fields["event"], rounds * count, depth + 1)
        if name == "ComposedDpEvent":
            if not isinstance(fields["events"], (list, tuple)):
                raise ValueError("'events' of a ComposedDpEvent must be a list.")
            return [
                part for each in fields["events"] for part in self.read(each, rounds, depth + 1)
            ]
        return [self._release(name, fields, rounds)]

    def _release(self, name: str, fields: dict[str, Any], rounds: int) -> Described:
        make: dict[str, Callable[[Fields], tuple[Release | RenyiClaim | None, str]]] = {
            "NonPrivateDpEvent": lambda _: (None, "data without noise"),
            "GaussianDpEvent": self._gaussian,
            "LaplaceDpEvent": self._laplace,
            "DiscreteLaplaceDpEvent": self._geometric,
            "RandomizedResponseDpEvent": self._response,
            "ZCDpEvent": self._zcdp,
        }
        if name in make:
            release, words = make[name](Fields(name, fields))
        else:
            release, words = self._sampled(name, fields)
        return Described(release, rounds, f"{rounds} × {words}")

    def _mu(self, fields: Fields, doubled: bool) -> Any:
        self._assume(CLIPPED)
        multiplier = fields.positive("noise_multiplier")
        if self._adjacency is Adjacency.REPLACE_ONE:
            self._assume(TWICE)
            return (2 if doubled else 1) / multiplier
        return 1 / multiplier

    def _gaussian(self, fields: Fields) -> tuple[Release, str]:
        words = f"Gaussian noise, multiplier {fields.given('noise_multiplier')}"
        return Gaussian(self._mu(fields, True), self._adjacency), words

    def _laplace(self, fields: Fields) -> tuple[Release, str]:
        words = f"Laplace noise, multiplier {fields.given('noise_multiplier')}"
        return Laplace(self._mu(fields, True), self._adjacency), words

    def _geometric(self, fields: Fields) -> tuple[Release, str]:
        parameter, shift = fields.positive("noise_parameter"), fields.count("sensitivity")
        words = f"discrete Laplace noise, parameter {fields.given('noise_parameter')}"
        self._assume("the sensitivity of a DiscreteLaplaceDpEvent is for the adjacency above")
        return Geometric(exp(-parameter), shift, self._adjacency), f"{words}, sensitivity {shift}"

    def _response(self, fields: Fields) -> tuple[Release, str]:
        if self._adjacency is not Adjacency.REPLACE_ONE:
            raise ValueError("There is no event for RandomizedResponseDpEvent but for replace-one.")
        noise = fields.within("noise_parameter", reals(0, 1, open_low=True))
        buckets = fields.count("num_buckets")
        if buckets < 2 or not isinstance(noise, Fraction):
            raise ValueError(
                "RandomizedResponseDpEvent needs two buckets and a rational parameter."
            )
        other = noise / buckets
        laws = [[1 - noise + other, other], [other, 1 - noise + other]]
        rest = [[1 - sum(law)] if buckets > 2 else [] for law in laws]
        words = f"randomised response, noise {fields.given('noise_parameter')}, {buckets} buckets"
        p, q = (matrix([law + more])[0] for law, more in zip(laws, rest, strict=True))
        return Finite(p, q, self._adjacency), words

    def _zcdp(self, fields: Fields) -> tuple[RenyiClaim, str]:
        rho, xi = fields.non_negative("rho"), fields.non_negative("xi")
        self._assume("the claim of zero-concentrated DP is for the adjacency above")
        return RenyiClaim(rho=rho, offset=xi), f"a claim of zCDP, ρ = {fields.given('rho')}"

    def _sampled(self, name: str, fields: dict[str, Any]) -> tuple[Release, str]:
        inner, of = _named(fields["event"])
        if inner != "GaussianDpEvent":
            raise ValueError(f"There is no event for {name} of {inner} here.")
        noise, sample = Fields(inner, of), Fields(name, fields)
        words = f"Gaussian noise, multiplier {noise.given('noise_multiplier')}"
        if name == "PoissonSampledDpEvent":
            self._assume(INDEPENDENT)
            rate = sample.share("sampling_probability")
            at = f"on Poisson samples at rate {sample.given('sampling_probability')}"
            return poisson(self._mu(noise, False), rate, self._adjacency), f"{words}, {at}"
        if self._adjacency is not Adjacency.REPLACE_ONE:
            raise ValueError(f"There is no event for {name} but for replace-one.")
        self._assume(DRAWN)
        draws, size = sample.count("sample_size"), sample.count("source_dataset_size")
        replacement = name == "SampledWithReplacementDpEvent"
        how = "with" if replacement else "without"
        at = f"on {draws} of {size} records, drawn {how} replacement"
        return fixed_size(self._mu(noise, True), draws, size, replacement), f"{words}, {at}"

    def _assume(self, sentence: str) -> None:
        if sentence not in self.assumptions:
            self.assumptions.append(sentence)


def read_event(data: Any, adjacency: Adjacency) -> Releases:
    """Return the releases of an event, for one adjacency.

    Raises
    ------
    ValueError
        If there is no event for it here; the message names it.
    """
    reader = Reader(adjacency)
    parts = reader.read(data)
    return Releases(parts, tuple(reader.assumptions), adjacency)


def _named(data: Any) -> tuple[str, dict[str, Any]]:
    """Return the class and the fields of an event."""
    if hasattr(data, "_asdict"):
        data = data._asdict()
    if isinstance(data, dict):
        fields = {key: value for key, value in data.items() if key != "module_name"}
        name = fields.pop("class_name", None)
    elif isinstance(data, (list, tuple)) and len(data) >= 2:
        name, values = data[1], data[2:]
        known = ORDER.get(name) if isinstance(name, str) else None
        fields = dict(zip(known or (), values, strict=False))
        if known is not None and len(values) != len(known):
            raise ValueError(f"A {name} has the fields {', '.join(known) or 'none'}.")
    else:
        name, fields = None, {}
    if not isinstance(name, str):
        raise ValueError("'file': an event is [module, class, fields …] or has a 'class_name'.")
    if name in ORDER and set(fields) != set(ORDER[name]):
        raise ValueError(f"A {name} has the fields {', '.join(ORDER[name]) or 'none'}.")
    return name, fields
