"""What the Python formulas say, as statements that the proof assistant has to prove.

Each formula is run on symbols, or on numbers where it is a program; what comes out is printed as a
term and set equal to the formal definition. So a formula that is changed changes the text of
`proofs/agreement.v`, and the assistant refuses it unless it still is the formal one.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction as Q
from types import ModuleType
from typing import Any

import sympy

from provedp.theory import counting, mixture, modes
from provedp.theory.counting import canonical
from provedp.verify.formal.terms import field_term, matrix_term, quotient_term, rational_term

SIZES = (2, 3, 4, 5, 6)
POINTS = ((Q(1), Q(0)), (Q(2), Q(0)), (Q(3, 2), Q(1, 20)), (Q(2), Q(1, 3)))

# k, δ and the whole steps of the noise, the first n with δ (1 + … + k^(n−1)) ≥ (1 − δ)/(1 + k)
REACHES = (
    *((Q(2), Q(1, 10), 2), (Q(3, 2), Q(1, 10), 3), (Q(1), Q(1, 5), 2)),
    *((Q(3), Q(1, 100), 4), (Q(7), Q(2, 5), 1)),
)

NOISES = (
    *((Q(2), Q(0)), (Q(2), Q(1, 10)), (Q(3, 2), Q(1, 10)), (Q(1), Q(1, 5))),
    (Q(7), Q(2, 5)),
)
# x, and the whole steps from −|x| to [−1/2, 1/2)
PLACES = ((Q(-10, 3), 3), (Q(-3, 2), 1), (Q(-1, 2), 0), (Q(0), 0), (Q(1, 3), 0), (Q(7, 4), 2))

HEAD = """\
(** Written by `make proofs` from the Python formulas: do not edit.
    Each formula, run on symbols or on numbers, is the formal definition. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees peers table.
From provedp Require structure radius universal noise records three ranks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Agreement.
Variable R : realFieldType.
Implicit Types (k r delta : R) (m : nat).
"""

H = sympy.Symbol("h", integer=True, nonnegative=True)
D = sympy.Symbol("d", integer=True, positive=True)
N = sympy.Symbol("n", integer=True, positive=True)
K, R, A = sympy.symbols("k r a", positive=True)
DELTA = sympy.Symbol("delta", nonnegative=True)
ODD, EVEN = 2 * H + 1, 2 * H + 2


@dataclass(frozen=True)
class Agreement:
    """What ties one Python formula to one formal definition.

    Parameters
    ----------
    formula
        Name of the function.
    definition
        Name of the formal definition that it agrees with.
    write
        Makes the statements, with their proofs, of what the function returns.
    on_numbers
        Whether it is compared at points, as a program, outside of the section on symbols.
    module
        Where the function is.
    """

    formula: str
    definition: str
    write: Callable[[Callable[..., Any]], str]
    on_numbers: bool = False
    module: ModuleType = counting

    @property
    def function(self) -> Callable[..., Any]:
        """The function as it is now."""
        found: Callable[..., Any] = getattr(self.module, self.formula)
        return found

    def text(self, formula: Callable[..., Any] | None = None) -> str:
        """Return the statements; of another function in its place, if one is given."""
        function = self.function if formula is None else formula
        return f"(** {self.address} *)\n{self.write(function)}"

    @property
    def address(self) -> str:
        """Subject and name: 'counting.release_entry'."""
        subject = self.module.__name__.split(".")[2]  # provedp.theory.counting.canonical
        return f"{subject}.{self.formula}"


def _release_entry(entry: Callable[..., Any]) -> str:
    return f"""\
Lemma python_entry_on_the_diagonal m k delta (i : 'I_m.+1) : let a := alpha m k in
  {field_term(entry(A, K, DELTA, 0))} = release k delta i i.
Proof. by rewrite /release /cyclic_distance subnn min0n expr0 invr1 eqxx /=; ring. Qed.

Lemma python_entry_off_the_diagonal m k delta (i j : 'I_m.+1) : i != j ->
  let a := alpha m k in let d := cyclic_distance m i j in
  {field_term(entry(A, K, DELTA, D))} = release k delta i j.
Proof. by move=> /negbTE ij; rewrite /release ij /=; ring. Qed.
"""


def _alpha_closed_form(alpha: Callable[..., Any]) -> str:
    return f"""\
Lemma python_alpha_odd (h : nat) k : 1 < k ->
  {quotient_term(alpha(ODD, K))} = alpha (2 * h) k.
Proof. by move=> k1; rewrite (alpha_odd k1) ?add1n ?exprS; congr (_ / _); ring. Qed.

Lemma python_alpha_even (h : nat) k : 1 < k ->
  {quotient_term(alpha(EVEN, K))} = alpha (2 * h).+1 k.
Proof. by move=> k1; rewrite (alpha_even k1) ?add1n ?exprS; congr (_ / _); ring. Qed.
"""


def _error(error: Callable[..., Any]) -> str:
    at_one = field_term(error(N, sympy.Integer(1), DELTA)).replace("n", "m.+1%:R")
    return f"""\
Lemma python_error_odd (h : nat) k delta : 1 < k ->
  {field_term(error(ODD, K, DELTA))} = error (2 * h) k delta.
Proof.
by move=> k1; rewrite /error -(python_alpha_odd h k1) ?add1n ?exprS -?exprS; ring.
Qed.

Lemma python_error_even (h : nat) k delta : 1 < k ->
  {field_term(error(EVEN, K, DELTA))} = error (2 * h).+1 k delta.
Proof. by move=> k1; rewrite /error -(python_alpha_even h k1); ring. Qed.

Lemma python_error_at_one m delta :
  {at_one} = error m 1 delta.
Proof. by rewrite /error alpha_at_one; ring. Qed.
"""


def _error_limit(limit: Callable[..., Any]) -> str:
    return f"""\
Lemma python_error_limit k delta :
  {quotient_term(limit(K, DELTA))} = (1 + 1) * (1 - delta) / (1 + k).
Proof. by congr (_ / _); ring. Qed.
"""


SHARES = "rewrite /share !mulr1n [1 + k]addrC; move: (k ^- _) ((k + 1)^-1) => x y; ring"


def _geometric_entry(entry: Callable[..., Any]) -> str:
    return f"""\
Lemma python_geometric_at_an_end m k (i j : 'I_m.+1) :
  (j == 0%N :> nat) || (j == m :> nat) -> let d := gap i j in
  {field_term(entry(K, D, True))} = geometric k i j.
Proof. by rewrite /geometric => -> /=; {SHARES}. Qed.

Lemma python_geometric_inside m k (i j : 'I_m.+1) :
  (j == 0%N :> nat) || (j == m :> nat) = false -> let d := gap i j in
  {field_term(entry(K, D, False))} = geometric k i j.
Proof. by rewrite /geometric => -> /=; {SHARES}. Qed.
"""


def _response_entry(entry: Callable[..., Any]) -> str:
    same, other = (
        quotient_term(entry(N, K, flag)).replace("n", "m.+1%:R") for flag in (True, False)
    )
    return f"""\
Lemma python_response_same m k (i : 'I_m.+1) :
  {same} = response k i i.
Proof. by rewrite /response eqxx; congr (_ / _); ring. Qed.

Lemma python_response_other m k (i j : 'I_m.+1) : i != j ->
  {other} = response k i j.
Proof. by move=> /negbTE ij; rewrite /response ij; congr (_ / _); ring. Qed.
"""


def _laplace_entry(entry: Callable[..., Any]) -> str:
    """Write the entry at gap 0 and beyond, inside and at an end."""
    parts = []
    for word, flag in (("inside", False), ("at_an_end", True)):
        formal = str(flag).lower()
        parts.append(f"""\
Lemma python_laplace_of_the_count_{word} r : 0 < r ->
  {field_term(entry(R, 0, flag))} = laplace_at r 0 {formal}.
Proof. by move=> r0; rewrite /laplace_at; field; rewrite ?gt_eqF. Qed.

Lemma python_laplace_{word} r (d : nat) : 0 < r -> (0 < d)%N ->
  {field_term(entry(R, D, flag))} = laplace_at r d {formal}.
Proof.
by case: d => // d r0 _; rewrite /laplace_at; move: (r ^- _) => x; field; rewrite ?gt_eqF.
Qed.
""")
    return "\n".join(parts)


def _exponential_weight(weight: Callable[..., Any]) -> str:
    return f"""\
Lemma python_exponential_weight m r (i : 'I_m.+1) :
  exponential r i = normalised (fun j : 'I_m.+1 => let d := gap i j in
  {field_term(weight(R, D))}).
Proof. by []. Qed.
"""


def _release_matrix(release: Callable[..., Any]) -> str:
    parts = []
    for m in SIZES:
        for k, delta in POINTS:
            name = f"{m}_{k.numerator}_{k.denominator}_{delta.numerator}_{delta.denominator}"
            rows = [[Q(str(entry)) for entry in row] for row in release(m, k, delta)]
            parts.append(f"""\
Example release_{name} :
  [seq [seq release ({rational_term(k)} : rat) ({rational_term(delta)}) i j | j : 'I_{m}]
  | i : 'I_{m}] =
   {matrix_term(rows)}.
Proof. by rewrite -tableP; vm_compute. Qed.
""")
    return "\n".join(parts)


def _cyclic_distance(distance: Callable[..., Any]) -> str:
    parts = []
    for m in SIZES:
        rows = ((distance(m, i, j) for j in range(1, m + 1)) for i in range(1, m + 1))
        listed = "; ".join(f"[:: {'; '.join(map(str, row))}]" for row in rows)
        parts.append(f"""\
Example distance_{m} :
  [seq [seq cyclic_distance {m - 1} i j | j <- iota 0 {m}] | i <- iota 0 {m}] =
  [:: {listed}]%N.
Proof. by []. Qed.
""")
    return "\n".join(parts)


def _canonical_edge(edge: Callable[..., Any]) -> str:
    return f"""\
Lemma python_canonical_edge k delta :
  {quotient_term(edge(K, DELTA))} = universal.noise_edge k delta.
Proof. by congr (_ / _); ring. Qed.
"""


def _canonical_reach(reach: Callable[..., Any]) -> str:
    """Write where the noise ends, as whole steps and what is over them."""
    parts = []
    for k, delta, steps in REACHES:
        name = f"{k.numerator}_{k.denominator}_{delta.numerator}_{delta.denominator}"
        over = Q(str(reach(k, delta))) - steps
        parts.append(f"""\
Example reach_{name} :
  universal.over ({rational_term(k)} : rat) ({rational_term(delta)}) {steps} =
  {rational_term(over)}.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.
""")
    return "\n".join(parts)


def _canonical_cdf(cdf: Callable[..., Any]) -> str:
    """Write values in the middle, beyond it, and beyond the end of the noise."""
    parts = []
    for k, delta in NOISES:
        for x, steps in PLACES:
            name = "_".join(f"{abs(q.numerator)}_{q.denominator}" for q in (k, delta, x))
            turned = "rewrite noise.canonical_cdf_above; last by vm_compute.\n" if x > 0 else ""
            parts.append(f"""\
Example cdf_{name} :
  noise.canonical_cdf ({rational_term(k)} : rat) ({rational_term(delta)}) ({rational_term(x)}) =
  {rational_term(Q(str(cdf(x, k, delta))))}.
Proof.
{turned}rewrite (@noise.canonical_cdf_at _ _ _ _ {steps}); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.
""")
    return "\n".join(parts)


def _radius_upper(upper: Callable[..., Any]) -> str:
    parts = []
    for m in SIZES[:3]:
        for k, delta in POINTS:
            name = f"{m}_{k.numerator}_{k.denominator}_{delta.numerator}_{delta.denominator}"
            value = rational_term(Q(str(upper(m, k, delta))))
            parts.append(f"""\
Example radius_{name} :
  radius.radius_bound {m - 1} ({rational_term(k)} : rat) ({rational_term(delta)}) =
  {value}.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.
""")
    return "\n".join(parts)


ADJACENCIES = ("label", "replace-one", "add-remove")
B = sympy.Symbol("b", nonnegative=True)
C = sympy.Symbol("c", nonnegative=True)
COUNT = sympy.Symbol("n", nonnegative=True)  # of counts, a real number


def _moment_cost(cost: Callable[..., Any]) -> str:
    return _costs("moment_cost", "n a b", lambda how: cost(how, COUNT, A, B))


def _pooled_cost(cost: Callable[..., Any]) -> str:
    return _costs("pooled_cost", "c b", lambda how: cost(how, C, B))


def _record_cost(name: str, adjacencies: tuple[str, ...]) -> Callable[[Callable[..., Any]], str]:
    def write(cost: Callable[..., Any]) -> str:
        return _costs(name, "c", lambda how: cost(how, C), "record_cost", adjacencies)

    return write


def _costs(
    name: str,
    symbols: str,
    cost: Callable[[str], Any],
    definition: str = "",
    adjacencies: tuple[str, ...] = ADJACENCIES,
) -> str:
    """Write what a function of the adjacency says for each."""
    parts = []
    for how in adjacencies:
        word = how.replace("-", "_")
        parts.append(f"""\
Lemma python_{name}_{word} ({symbols} : R) :
  {field_term(cost(how))} = records.{definition or name} records.{word} {symbols}.
Proof. by rewrite /=; ring. Qed.
""")
    return "\n".join(parts)


def _mean_move(name: str, members: str) -> Callable[[Callable[..., Any]], str]:
    """Return what writes how far a mean moves in a ball, over the size of the larger class."""

    def write(sensitivity: Callable[..., Any]) -> str:
        return f"""\
Lemma python_{name} (b n : R) :
  {quotient_term(sensitivity(B, N))} = (1 + 1) * b / {members}.
Proof. by congr (_ / _); ring. Qed.
"""

    return write


def _mean_sensitivity(sensitivity: Callable[..., Any]) -> str:
    return f"""\
Lemma python_mean_sensitivity (b n d : R) :
  {quotient_term(sensitivity(B, N, D, 2))} = (1 + 1) * b / n.
Proof. by congr (_ / _); ring. Qed.
"""


def _covariance_sensitivity(sensitivity: Callable[..., Any]) -> str:
    first, second = (quotient_term(sensitivity(B, N, D, norm)) for norm in (1, 2))
    return f"""\
Lemma python_covariance_sensitivity (b n d : R) : let most := 4%:R * b ^+ 2 / n in
  {second} = most /\\
  {first} = (d + 1) / (1 + 1) * most.
Proof. by rewrite /=; move: (n^-1) => y; split; field. Qed.
"""


U, V, EXTRA = sympy.symbols("u v e", nonnegative=True)


def _three_determinant(determinant: Callable[..., Any]) -> str:
    return f"""\
Lemma python_three_determinant k (e u v : R) :
  {field_term(determinant(K, EXTRA, U, V))} = three.three_determinant (k + e) u v.
Proof. by rewrite /three.three_determinant; ring. Qed.
"""


def _radius_of_four(radius: Callable[..., Any]) -> str:
    return f"""\
Lemma python_radius_of_four k : {quotient_term(radius(K))} = ranks.radius_of_four k.
Proof. by congr (_ / _); ring. Qed.
"""


def _radius_of_three(radius: Callable[..., Any]) -> str:
    parts = []
    for k, delta in POINTS:
        name = f"{k.numerator}_{k.denominator}_{delta.numerator}_{delta.denominator}"
        parts.append(f"""\
Example radius_of_three_{name} :
  three.radius_of_three ({rational_term(k)} : rat) ({rational_term(delta)}) =
  {rational_term(Q(str(radius(k, delta))))}.
Proof. by apply/eqP; vm_compute. Qed.
""")
    return "\n".join(parts)


RECORD = ("replace-one", "add-remove")
AGREEMENTS = (
    Agreement("release_entry", "release", _release_entry),
    Agreement("alpha_closed_form", "alpha", _alpha_closed_form),
    Agreement("error", "error", _error),
    Agreement("error_limit", "error", _error_limit),
    Agreement("geometric_entry", "geometric", _geometric_entry),
    Agreement("response_entry", "response", _response_entry),
    Agreement("laplace_entry", "laplace", _laplace_entry),
    Agreement("exponential_weight", "exponential", _exponential_weight),
    Agreement("canonical_edge", "cells", _canonical_edge, module=canonical),
    Agreement("moment_cost", "moment_cost", _moment_cost, module=mixture),
    Agreement("pooled_cost", "pooled_cost", _pooled_cost, module=mixture),
    Agreement(
        *("histogram_cost", "record_cost", _record_cost("histogram_cost", ADJACENCIES)),
        module=mixture,
    ),
    Agreement("field_cost", "record_cost", _record_cost("field_cost", RECORD), module=modes),
    Agreement(
        "bins_sensitivity", "record_cost", _record_cost("bins_sensitivity", RECORD), module=modes
    ),
    Agreement("leave_sensitivity", "count_of", _mean_move("leave", "n"), module=mixture),
    Agreement("join_sensitivity", "count_of", _mean_move("join", "(n + 1)"), module=mixture),
    Agreement("mean_sensitivity", "count_of", _mean_sensitivity, module=mixture),
    Agreement("covariance_sensitivity", "covariance", _covariance_sensitivity, module=mixture),
    Agreement("three_determinant", "three_determinant", _three_determinant),
    Agreement("radius_of_four", "radius_of_four", _radius_of_four),
    Agreement("radius_of_three", "radius_of_three", _radius_of_three, on_numbers=True),
    Agreement("release_matrix", "release", _release_matrix, on_numbers=True),
    Agreement("cyclic_distance", "cyclic_distance", _cyclic_distance, on_numbers=True),
    Agreement("canonical_reach", "cells", _canonical_reach, True, canonical),
    Agreement("canonical_cdf", "canonical_cdf", _canonical_cdf, True, canonical),
    Agreement("radius_upper", "radius_bound", _radius_upper, on_numbers=True),
)


@functools.cache
def agreement() -> str:
    """Return the text of agreement.v as the formulas are now."""
    return assembled({one.formula: one.text() for one in AGREEMENTS})


def assembled(texts: dict[str, str]) -> str:
    """Return the text of agreement.v made of the statements about each formula, by its name."""
    symbols = [texts[one.formula] for one in AGREEMENTS if not one.on_numbers]
    numbers = [texts[one.formula] for one in AGREEMENTS if one.on_numbers]
    return "\n".join([HEAD, *symbols, "End Agreement.\n", *numbers])
