"""What the canaries of one run showed."""

from dataclasses import asdict, dataclass
from typing import Any

from provedp.verify.audit.canaries.bounds import Guesses


@dataclass(frozen=True)
class CanaryResult:
    """What the canaries of one run showed.

    Attributes
    ----------
    refuted
        Whether the bound is above the claim.
    epsilon_lower
        Lower confidence bound on the level of the claim: ε at the claimed δ, or what `notion` says.
    confidence
        Of the bound, and of the refutation.
    notion, claim, claimed
        What is bounded; the claim in words, and its level.
    p_value
        Of the claim.
    method
        The bound's name.
    canaries
        Coins.
    guesses
        Those of the number that refutes most, of `tried` numbers.
    tried
        How many numbers of guesses there were; the error is shared or their joint law taken.
    cap
        The bound that these guesses would give if all were right.
    needed
        Right guesses, all of those that are made, without which this claim cannot be refuted;
        None if there are more than 10⁹.
    able
        Whether these guesses could refute the claim: without, nothing says "not refuted".
    control
        The bound that the scores of the control give, if there is one.
    learning, weights
        How many canaries weights of the scores were learned from, which are not counted; and the
        weights. 0 and none if there is one score.
    taken
        What is assumed, in words.
    warnings
        What is strange, in words.
    """

    refuted: bool
    epsilon_lower: float
    confidence: float
    notion: str
    claim: str
    claimed: float
    p_value: float
    method: str
    canaries: int
    guesses: Guesses
    tried: int
    cap: float
    needed: int | None
    able: bool
    control: float | None = None
    learning: int = 0
    weights: tuple[float, ...] = ()
    taken: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """'REFUTED', 'not refuted', or 'NO VERDICT' where no guesses could have refuted it."""
        if self.refuted:
            return "REFUTED"
        return "not refuted" if self.able else "NO VERDICT"

    def record(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {"verdict": self.verdict, **asdict(self)}

    def __str__(self) -> str:
        made, bound = self.guesses, self.epsilon_lower
        needed = "more than 10⁹" if self.needed is None else str(self.needed)
        several = "s" if self.tried > 1 else ""
        lines = [
            f"{self.claim} from {self.canaries} canaries in one run: {self.verdict}",
            f"  bound       {self.notion} >= {bound:.4g} at confidence {self.confidence:g}"
            f" ({self.method}; p = {self.p_value:.1e})",
            f"  guesses     {made.right} of {made.made} right ({made.said_in} highest called in,"
            f" {made.said_out} lowest out; {self.tried} number{several} of guesses tried)",
            f"  cap         these guesses can show at most {self.cap:.4g}; this claim needs at"
            f" least {needed} right guesses",
        ]
        if self.learning:
            shown = ", ".join(f"{each:.3g}" for each in self.weights)
            lines.append(
                f"  learned     weights {shown} of the scores on {self.learning} canaries; the"
                f" other {self.canaries - self.learning} are counted"
            )
        if not self.able:
            lines.append("  no verdict  so few guesses cannot refute this claim, all right or not")
        if self.control is not None:
            lines.append(f"  control     the same guesses on the control show {self.control:.4g}")
        lines += [f"  taken       {each}" for each in self.taken]
        lines += [f"  warning     {each}" for each in self.warnings]
        return "\n".join(lines)
