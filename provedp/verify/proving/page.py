"""The page of the proofs: each theorem beside its claim, and what stays outside."""

from pathlib import Path

from provedp.verify.formal.agreement import AGREEMENTS
from provedp.verify.formal.record import Record
from provedp.verify.ledger import registry
from provedp.verify.ledger.claim import Claim
from provedp.verify.ledger.papers import Paper
from provedp.verify.ledger.source import in_words
from provedp.verify.proving import guarantees

PAGE = Path("docs") / "proofs.md"

HEAD = """\
# The machine-checked core

{count} claims have theorems in {assistant} with {library}, without an axiom: each is *closed under
the global context*. {whole}

The sources are in [`proofs/`](../proofs/README.md); k stands for e^ε, and counts run from 0 to m
(M = m + 1) there, from 1 to M in the claims.

`provedp verify` needs no proof assistant. It compares the sources with the digests on record,
generates the agreement with the Python formulas anew and compares it byte for byte, and looks for
words and options that would weaken the kernel. A changed source or formula makes the record
*lapse*: the claim falls back to what its own check decides, and the run reports it. It says
*recorded*, not *checked*, unless this machine has built the proofs:

```
make proofs
```

This needs the Debian 12 packages `coq`, `libcoq-mathcomp-ssreflect`, `libcoq-mathcomp-algebra`,
`libcoq-mathcomp-field` and `libcoq-mathcomp-algebra-tactics`. Without them it names them, does
nothing and ends with status 2. `make proofs-mutants` also tries wrong definitions, none of which
may compile.

## What you need to trust, and what stays outside

- Coq's kernel and the definitions: `law`, `close`, `private`, `release`, `error`, `allowed` and
  the few others that the statements below speak of.
- That a theorem is the claim. Both stand side by side below: read them.
- What stands between a field and the real numbers: theorems hold in every ordered field
  (`realFieldType`), the limit of the error and canonical noise in those without infinite numbers
  (`archiFieldType`).
  Where outcomes are countably many, as for noise on the integers, a theorem speaks of every finite
  set of them; a probability is the limit of those of finite sets.
- The agreement: `proofs/agreement.v` sets what the Python formulas return on symbols equal to the
  definitions; {programs} are programs, and are compared on numbers. sympy's rewriting while a
  formula runs, the printer of terms (`provedp/verify/formal/terms.py`), and the values of programs
  elsewhere are trusted.
- That a mechanism draws from its matrix. For `OptimalCount` the law of the described draw is a
  theorem; that its code is that draw is checked by running it
  (`counting.draws_of_counts_spend_what_they_promise`), as for the others.
- Everything with real analysis: Gaussian noise and its tails, Laplace noise on the line, Wishart
  matrices, Rényi accounting. These claims stay *proved* with their argued steps named, or
  *certified*.
- What of the counting paper is not reached: the spectrum and definiteness of P* (that it is
  invertible is a theorem), and the refutations by larger matrices or cosines. Of the private
  mixture and modes there is what one record moves (counts, sums, second moments, means,
  covariances, weights, parts of binned counts, slopes), clipping, what a threshold adds, and binned
  counts and slopes after them with geometric noise, in a private box too: not Gaussian noise, nor
  that the code draws as described, so that the claims that those guarantees cite are
  machine-checked in part or not.

The text follows the locked version of sympy: under another one the agreement may read differently,
and the record then lapses until it is built again.

With Coq 8.20 and MathComp 2.3, the packages of Debian 13, the sources need the new names of 62
lemmas on ordered fields, in some 700 places (`ler_add` is `lerD` there, `ler_wpmul2l` is
`ler_wpM2l`, `ler_subl_addl` is `lerBlDl`, `le_maxl` is `ge_max`; the table is in
`proofs/README.md`); with these alone all of them compiled. The record is of Coq 8.16 all the same:
it compares statements as they are printed. Rocq 9 was not tried: in
`provedp/verify/proving/assistant.py` it needs the names of the packages and of the commands, which
are `rocq compile` and `rocq makefile` there.

## Which guarantees rest on it

| guarantee | claim | evidence |
| --- | --- | --- |
"""


def text(record: Record) -> str:
    """Return the page as Markdown."""
    claims = registry.claims()
    named = {name: claims[name] for name in record.claims}
    head = HEAD.format(
        count=len(named),
        whole=_whole(list(named.values())),
        assistant=record.assistant,
        library=record.library,
        programs=_listed([one.formula for one in AGREEMENTS if one.on_numbers]),
    )
    rows = (
        f"| {what} | [{claim}]({_address(claims[claim])}) | {guarantees.evidence(claims[claim])} |"
        for what, claim in guarantees.cited().items()
    )
    sections = (part for name in named for part in _section(record, named[name]))
    return head + "\n".join([*rows, "", "## The theorems", "", *sections]).rstrip() + "\n"


def _whole(named: list[Claim]) -> str:
    """Return for how many claims the theorems are the whole statement, in a sentence."""
    parts = sum(bool(claim.part) for claim in named)
    if not parts:
        return "The theorems are the whole statement of each, and no step is argued in words."
    each = f"For {len(named) - parts} of them the theorems are the whole statement, and no step is"
    return f"{each} argued in words; the others name the part."


def _listed(names: list[str]) -> str:
    """Return names in a sentence."""
    quoted = [f"`{name}`" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _section(record: Record, claim: Claim) -> list[str]:
    """Return a claim with the theorems that stand for it."""
    lines = [f"### [`{claim.id}`]({_address(claim)})", "", claim.statement, ""]
    lines += [f"*{in_words(claim.sources)}.*", ""]
    if claim.part:
        lines += [f"In part: {claim.part}.", ""]
    if claim.verdict.name == "REFUTED":
        lines += ["The claim is refuted; the theorem is the refutation.", ""]
    for name in claim.theorems:
        lines += [f"`{name}`", "", "```coq", record.theorems[name].statement, "```", ""]
    return lines


def _address(claim: Claim) -> str:
    """Return where the ledger's pages have a claim."""
    for source in claim.sources:
        if isinstance(source.paper, Paper):
            return f"papers/{source.paper}.md#{claim.id}"
    return f"papers/ours.md#{claim.id}"
