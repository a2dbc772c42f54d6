"""Wrong definitions, which the proofs must not survive: a theorem that holds of them says nothing.

That a script breaks is no refutation of what it states. It shows that nothing passes by accident.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from provedp.verify.formal import sources
from provedp.verify.proving import assistant

TRY = "mutants"  # the folder for what must not compile, within that of the build


@dataclass(frozen=True)
class Mutant:
    """A change to one definition or hypothesis of a source.

    Parameters
    ----------
    source
        The file.
    old, new
        What stands there once, and what is put in its place.
    """

    source: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.source}: {_short(self.old)} → {_short(self.new)}"

    def text(self) -> str:
        """Return the changed source.

        Raises
        ------
        ValueError
            If what is to be changed does not stand there exactly once.
        """
        text = sources.read()[self.source]
        if text.count(self.old) != 1:
            raise ValueError(f"{self.source} has {self.old!r} {text.count(self.old)} times.")
        return text.replace(self.old, self.new)


def _short(text: str) -> str:
    return " ".join(text.split())


GAP = "minn ((i - j) + (j - i)) (M - ((i - j) + (j - i)))"
ENTRY = "(1 - delta) * alpha * k ^- cyclic_distance i j + delta * (i == j)%:R"
ERROR = "Definition error : R := (1 - delta) * (1 - alpha)."
PRIVATE = "(i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> close k delta (P i) (P i')."
CLOSE = "forall U : {set T}, prob p U <= k * prob q U + delta."
ALPHA = "Definition alpha : R := (\\sum_(j < M) k ^- cyclic_distance 0 j)^-1."
UNIT = "noise_edge k delta) * (x + n%:R)"

MUTANTS = (
    Mutant("optimum.v", GAP, "minn ((i - j) + (j - i)) (M.+1 - ((i - j) + (j - i)))"),
    Mutant("optimum.v", GAP, "maxn ((i - j) + (j - i)) (M - ((i - j) + (j - i)))"),
    Mutant("optimum.v", GAP, "(i - j) + (j - i)"),
    Mutant("optimum.v", ALPHA, f"{ALPHA[:-1]} * (1 + 10000%:R^-1)."),
    Mutant("optimum.v", ENTRY, ENTRY.replace("k ^- cyclic", "(k ^+ 2) ^- cyclic")),
    Mutant("optimum.v", ENTRY, ENTRY.replace(" + delta * (i == j)%:R", "")),
    Mutant("optimum.v", ENTRY, ENTRY.replace("+ delta *", "+ (delta + delta) *")),
    Mutant("optimum.v", ERROR, f"{ERROR[:-1]} + 10000%:R^-1."),
    Mutant("optimum.v", PRIVATE, "(i' == i.+1 :> nat) -> close k delta (P i) (P i')."),
    Mutant("optimum.v", PRIVATE, PRIVATE.replace("close k delta", "close (k ^+ 2) delta")),
    Mutant("optimum.v", PRIVATE, PRIVATE.replace("close k delta", "close k (delta + delta)")),
    Mutant("privacy.v", CLOSE, "forall U : {set T}, prob p U <= k * prob q U."),
    Mutant("privacy.v", CLOSE, "forall U : {set T}, prob p U <= k * prob q U + (delta + delta)."),
    Mutant("privacy.v", "Definition pos (x : R) : R := Num.max x 0.",
           "Definition pos (x : R) : R := Num.max x (- x)."),
    Mutant("peers.v", "(if at_end then k else k - 1) / (k + 1).",
           "(if at_end then k else k) / (k + 1)."),
    Mutant("peers.v", "(if i == j then k else 1) / (k + m%:R).",
           "(if i == j then k else 1) / (k + m.+1%:R)."),
    Mutant("peers.v", "(1 + 1) * r ^- (2 * d.+1)", "(1 + 1) * r ^- (2 * d)"),
    Mutant("guarantees.v", "(1 - a) * p t + a * q t.", "a * p t + (1 - a) * q t."),
    Mutant("guarantees.v", "fun t => w t / \\sum_s w s.", "fun t => w t * \\sum_s w s."),
    Mutant("certificates.v", "(i == j)%:R - \\sum_b mu i b j + k * (\\sum_a mu a i j).",
           "(i == j)%:R + \\sum_b mu i b j - k * (\\sum_a mu a i j)."),
    Mutant("certificates.v", "y i * L i j + \\sum_b mu i b j - k * (\\sum_b mu b i j) +",
           "y i * L i j - \\sum_b mu i b j + k * (\\sum_b mu b i j) +"),
    Mutant("draws.v", "(if backwards then M %/ 2 else M.+1 %/ 2)%N.",
           "(if backwards then M.+1 %/ 2 else M %/ 2)%N."),
    Mutant("draws.v", "(if backwards then 1 else k) / (k + 1)",
           "(if backwards then k else 1) / (k + 1)"),
    Mutant("channels.v", "fun i j => a * A i j + (1 - a) * B i j.",
           "fun i j => a * A i j + a * B i j."),
    Mutant("radius.v", "highest : R := Num.min (", "highest : R := Num.max ("),
    Mutant("families.v", "1 <= x2 <= k ^+ 2 & k^-1 <= x3 <= k].",
           "1 <= x2 <= k ^+ 2 & k^-1 <= x3 <= k ^+ 2]."),
    Mutant("three.v", "[:: v; 1 + 1 - v; k + extra]] i) j.", "[:: v; 1 - v; k + extra]] i) j."),
    Mutant("ranks.v", "(k - 1) / (k * (k + 1)).", "(k - 1) / (k + 1)."),
    Mutant("entries.v", "(M.-1 %/ 2 <= i <= j)%N.", "(M %/ 2 <= i <= j)%N."),
    Mutant("witnesses.v", "\\sum_j P i j * ((i - j) + (j - i))%:R.", "\\sum_j P i j * (i - j)%:R."),
    Mutant("witnesses.v", "((i %/ 2 != j %/ 2) + (i %% 2 != j %% 2) == 1)%N.",
           "((i %/ 2 != j %/ 2) + (i %% 2 != j %% 2) == 2)%N."),
    Mutant("universal.v", "(1 - delta) / (1 + k).", "(1 - delta) / (1 + (1 + k))."),
    Mutant("universal.v", "|| (n == L) && inside part.", "|| (n == L)."),
    Mutant("dominance.v", "((i <= j)%N -> loss i j <= loss i j')",
           "((i <= j)%N -> loss i j' <= loss i j)"),
    Mutant("dominance.v", "0 < F x < 1 -> F (x - 1) = trade_off (1 - F x)",
           "0 < F x < 1 -> F (x - 1) = trade_off (F x)"),
    Mutant("dominance.v", "at_value t, at_value t' => t <= t'",
           "at_value t, at_value t' => t' <= t"),
    Mutant("dominance.v", "| always => 1 | never => 0", "| always => 0 | never => 1"),
    Mutant("noise.v", f"{UNIT} - level k delta n", f"{UNIT} + level k delta n"),
    Mutant("noise.v", f"{UNIT} - level", f"{UNIT.replace('+', '-')} - level"),
    Mutant("noise.v", "if 0 < x then 1 - canonical_below (- x)",
           "if 0 < x then canonical_below (- x)"),
    Mutant("intervals.v", "a <= b & apart b rest]", "a <= b & apart z rest]"),
    Mutant("intervals.v", "(F (I.2 - x) - F (I.1 - x)).", "(F (I.2 - x) + F (I.1 - x))."),
    Mutant("sensitivities.v", "fun i => Num.min 1 (A / r) * v i.",
           "fun i => Num.max 1 (A / r) * v i."),
    Mutant("records.v", "(1 + 1) * (a + b) + (1 + 1) * Num.max a n",
           "(1 + 1) * (a + b) + (1 + 1) * Num.min a n"),
    Mutant("records.v", "match how with add_remove => s + b | _ => s + (1 + 1) * b end.",
           "match how with add_remove => s + b | _ => s + b end."),
    Mutant("records.v", "match how with add_remove => c | _ => (1 + 1) * c end.",
           "match how with add_remove => c | _ => c end."),
    Mutant("means.v", "scatter s i j / (count_of s - 1).", "scatter s i j / count_of s."),
    Mutant("means.v", "\\sum_(x <- s) (x i - mean s i) * (x j - mean s j).",
           "\\sum_(x <- s) x i * x j."),
    Mutant("spreads.v", "R := \\sum_(i : I) \\sum_(j : I | (i <= j)%N) `|E i j|.",
           "R := \\sum_(i : I) \\sum_(j : I | (i < j)%N) `|E i j|."),
    Mutant("spreads.v", "R := \\sum_(r <- l) `|r.1| * square r.2.",
           "R := \\sum_(r <- l) r.1 * square r.2."),
    Mutant("slopes.v", "(slopes D p i - slopes D' p i)", "(slopes D p i + slopes D' p i)"),
    Mutant("slopes.v", "slopes (D : seq X) (p : P) (i : 'I_d) : int := \\sum_(x <- D) w x p i.",
           "slopes (D : seq X) (p : P) (i : 'I_d) : int := \\sum_(x <- D) w x p i *+ 2."),
    Mutant("releases.v", "(\\sum_c ((h c - h' c) + (h' c - h c)))./2%N.",
           "(\\sum_c ((h c - h' c) + (h' c - h c)))%N."),
    Mutant("releases.v", "\\prod_i (c * k ^- absz (o i - x i)).",
           "\\prod_i (c * k ^- (2 * absz (o i - x i)))."),
)  # fmt: skip


def refused(folder: Path) -> dict[Mutant, bool]:
    """Return whether each mutant is refused, all sources of `folder` being compiled.

    Raises
    ------
    ValueError
        If a mutant changes nothing, so that it would say nothing.
    """
    place = folder / TRY
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for compiled in folder.glob("*.vo"):
        shutil.copy2(compiled, place)
    return {mutant: not _compiles(place, mutant) for mutant in MUTANTS}


def _compiles(place: Path, mutant: Mutant) -> bool:
    (place / mutant.source).write_text(mutant.text(), encoding="utf-8")
    return assistant.compiles(place, mutant.source)
