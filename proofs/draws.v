(** How `OptimalCount` draws: the count itself with probability delta, else a step around the circle
    of counts that is tried until it is accepted. Its law is P*. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Draws.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Variables k delta : R.

(** A distance d is drawn with probability c k^(-d): c is 1 - 1/k if it has no end, and larger if it
    is drawn in so many digits. *)
Variable c : R.

(** ** Definitions, as the code of `OptimalCount` has them *)

(** One try: backwards with probability 1/(k + 1), and a distance. *)
Definition attempt (backwards : bool) (d : nat) : R :=
  (if backwards then 1 else k) / (k + 1) * (c * k ^- d).

(** Distances up to here are accepted, others refused. *)
Definition places (backwards : bool) : nat :=
  (if backwards then M %/ 2 else M.+1 %/ 2)%N.

(** Backwards by d + 1, or forwards by d, around the circle. *)
Definition column (i : nat) (backwards : bool) (d : nat) : nat :=
  (if backwards then (i + (M - d.+1)) %% M else (i + d) %% M)%N.

(** The probability that one try is accepted and leads to [j]. *)
Definition accepted (i j : nat) : R :=
  \sum_b \sum_(d < M | (d < places b)%N) attempt b d * (column i b d == j)%:R.

(** Tries are repeated until one is accepted. *)
Definition drawn (i j : 'I_M) : R :=
  delta * (i == j)%:R + (1 - delta) * (accepted i j / \sum_(l < M) accepted i l).

(** ** One step leads to each count *)

Lemma turn (i d : nat) : (i < M)%N -> (d <= M)%N ->
  ((i + d) %% M = if i + d < M then i + d else i + d - M)%N.
Proof.
move=> iM dM; case: ltnP => h; first by rewrite modn_small.
have e : (i + d = i + d - M + M)%N by rewrite subnK.
rewrite [in LHS]e modnDr; have [small|] := ltnP (i + d - M) M; first by rewrite modn_small.
by move: iM dM h; lia.
Qed.

Lemma one_term (f : nat -> R) (top s : nat) (here : nat -> bool) : (s < M)%N ->
  (forall d, (d < M)%N -> here d = (d == s)) ->
  \sum_(d < M | (d < top)%N) f d * (here d)%:R = if (s < top)%N then f s else 0.
Proof.
move=> sM unique; rewrite big_mkcond /= (bigD1 (Ordinal sM)) //= unique // eqxx mulr1.
rewrite big1 ?addr0 // => d; rewrite -val_eqE /= => ds.
by rewrite unique // (negbTE ds) mulr0 if_same.
Qed.

Lemma accepted_weight (i j : nat) : 0 < k -> (i < M)%N -> (j < M)%N ->
  accepted i j = c * k / (k + 1) * k ^- cyclic_distance m i j.
Proof.
move=> k0 iM jM; have s0 : 0 < k + 1 by positive.
have backward (f : nat -> R) (s : nat) : (s < M)%N -> (column i true s == j) ->
    \sum_(d < M | (d < places true)%N) f d * (column i true d == j)%:R =
    if (s < places true)%N then f s else 0.
  move=> sM here; apply: (@one_term f _ s (fun d => column i true d == j)) => // d dM.
  move: here; by rewrite /column !turn // ?leq_subr //; do 2 case: ifP; move: iM jM sM dM; lia.
have forward (f : nat -> R) (s : nat) : (s < M)%N -> (column i false s == j) ->
    \sum_(d < M | (d < places false)%N) f d * (column i false d == j)%:R =
    if (s < places false)%N then f s else 0.
  move=> sM here; apply: (@one_term f _ s (fun d => column i false d == j)) => // d dM.
  move: here; by rewrite /column !turn // ?(ltnW sM) ?(ltnW dM) //; do 2 case: ifP; move: iM jM sM dM; lia.
pose s := if (i <= j)%N then (j - i)%N else (j + M - i)%N.
have sM : (s < M)%N by rewrite /s; case: ifP; move: iM jM; lia.
have leads : column i false s == j.
  by rewrite /column turn // ?(ltnW sM) // /s; do 2 case: ifP; move: iM jM; lia.
have back_leads : column i true (M - s.+1) == j.
  by rewrite /column turn // ?leq_subr // /s; do 2 case: ifP; move: iM jM; lia.
have bM : (M - s.+1 < M)%N by move: sM; lia.
rewrite /accepted big_bool /= (backward _ _ bM back_leads) (forward _ _ sM leads).
have [near|far] := ltnP s (places false).
  have -> : (M - s.+1 < places true)%N = false by move: near sM; rewrite /places; lia.
  have -> : cyclic_distance m i j = s.
    by move: near; rewrite /cyclic_distance /places /s; case: ifP; move: iM jM; lia.
  by rewrite /attempt add0r; move: (k ^- s) => x; field; rewrite !gt_eqF.
have -> : (M - s.+1 < places true)%N by move: far sM; rewrite /places; lia.
have -> : cyclic_distance m i j = (M - s.+1).+1.
  by move: far; rewrite /cyclic_distance /places /s; case: ifP; move: iM jM; lia.
rewrite /attempt addr0 exprS invfM; move: (k ^- (M - s.+1)) => x; field.
by rewrite !gt_eqF.
Qed.

(** [counting.draws_follow_the_release] *)
Theorem draws_follow_the_release : 0 < c -> 0 < k -> forall i j, drawn i j = release k delta i j.
Proof.
move=> c_gt0 k0 i j.
have s0 : 0 < k + 1 by positive.
have c0 : c * k / (k + 1) != 0 by rewrite gt_eqF // divr_gt0 // mulr_gt0.
rewrite /drawn /release accepted_weight //.
under eq_bigr => l _ do rewrite accepted_weight //.
rewrite -mulr_sumr invfM mulrACA divff // mul1r addrC; congr (_ + _).
by rewrite /alpha -(sum_over_any_row i (fun d => k ^- d)) -mulrA [_^-1 * _]mulrC.
Qed.

(** At k = 1 every step is as likely. *)
Theorem draws_follow_the_release_at_one (i j : 'I_M) :
  delta * (i == j)%:R + (1 - delta) * M%:R^-1 = release 1 delta i j.
Proof. by rewrite /release alpha_at_one expr1n invr1 mulr1 addrC. Qed.

End Draws.
