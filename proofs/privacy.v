(** Differential privacy over a real field: laws on finite sets, the hockey-stick
    divergence, and the facts on which every guarantee of the ledger rests. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Tools: signs of expressions, and inequalities by the difference of their sides *)

Ltac known := first [ assumption | by apply: ltW | exact: ler01 | exact: ltr01 | exact: ler0n | done ].

Ltac nonneg := lazymatch goal with
  | |- is_true (@Order.le _ _ _ (@GRing.add _ _ (@GRing.opp _ _))) => first
      [ assumption | apply: ltW; assumption | rewrite subr_ge0; first [ assumption | by apply: ltW ]
      | apply: addr_ge0; nonneg ]
  | |- is_true (@Order.le _ _ _ (@GRing.add _ _ _)) => first [assumption | apply: addr_ge0; nonneg]
  | |- is_true (@Order.le _ _ _ (@GRing.mul _ _ _)) => first [assumption | apply: mulr_ge0; nonneg]
  | |- is_true (@Order.le _ _ _ (@GRing.inv _ _)) => rewrite invr_ge0; nonneg
  | |- is_true (@Order.le _ _ _ (@GRing.exp _ _ _)) => apply: exprn_ge0; nonneg
  | _ => known
  end.

Ltac positive := lazymatch goal with
  | |- is_true (@Order.lt _ _ _ (@GRing.add _ _ (@GRing.opp _ _))) => first
      [ assumption | rewrite subr_gt0; assumption ]
  | |- is_true (@Order.lt _ _ _ (@GRing.add _ _ _)) => first [assumption | apply: addr_gt0; positive]
  | |- is_true (@Order.lt _ _ _ (@GRing.mul _ _ _)) => first [assumption | apply: mulr_gt0; positive]
  | |- is_true (@Order.lt _ _ _ (@GRing.inv _ _)) => rewrite invr_gt0; positive
  | |- is_true (@Order.lt _ _ _ (@GRing.exp _ _ _)) => apply: exprn_gt0; positive
  | _ => known
  end.

Lemma le_by (R : realFieldType) (s x y : R) : y - x = s -> 0 <= s -> x <= y.
Proof. by move=> e s0; rewrite -subr_ge0 e. Qed.

Lemma lt_by (R : realFieldType) (s x y : R) : y - x = s -> 0 < s -> x < y.
Proof. by move=> e s0; rewrite -subr_gt0 e. Qed.

Lemma eq_by (R : realFieldType) (x y : R) : x <= y -> y <= x -> x = y.
Proof. by move=> a b; apply/eqP; rewrite eq_le a b. Qed.

Section Privacy.
Variable R : realFieldType.

(** ** Definitions *)

Definition law (T : finType) (p : T -> R) : Prop :=
  (forall t, 0 <= p t) /\ \sum_t p t = 1.

Definition prob (T : finType) (p : T -> R) (U : {set T}) : R := \sum_(t in U) p t.

(** [close k delta p q]: p(U) <= k q(U) + delta for every event U. *)
Definition close (T : finType) (k delta : R) (p q : T -> R) : Prop :=
  forall U : {set T}, prob p U <= k * prob q U + delta.

Definition pos (x : R) : R := Num.max x 0.

(** [E k p q], the hockey-stick divergence: the sum of the positive parts. *)
Definition E (T : finType) (k : R) (p q : T -> R) : R := \sum_t pos (p t - k * q t).

(** The law of an output of the kernel [K] whose input has the law [p]. *)
Definition push (T S : finType) (K : T -> S -> R) (p : T -> R) : S -> R :=
  fun s => \sum_t p t * K t s.

(** ** Positive parts *)

Lemma pos_ge0 x : 0 <= pos x.
Proof. by rewrite /pos le_maxr lexx orbT. Qed.

Lemma pos_ge x : x <= pos x.
Proof. by rewrite /pos le_maxr lexx. Qed.

Lemma pos_le x y : (pos x <= y) = (x <= y) && (0 <= y).
Proof. by rewrite /pos le_maxl. Qed.

(** ** The divergence is the supremum over events, and an event attains it *)

Lemma gap_of_event (T : finType) k (p q : T -> R) U :
  prob p U - k * prob q U = \sum_(t in U) (p t - k * q t).
Proof. by rewrite /prob sumrB mulr_sumr. Qed.

Theorem event_gap_le_hockey_stick (T : finType) k (p q : T -> R) (U : {set T}) :
  prob p U - k * prob q U <= E k p q.
Proof.
rewrite gap_of_event /E [X in _ <= X](bigID (mem U)) /= -[X in X <= _]addr0.
apply: ler_add; first by apply: ler_sum => t _; exact: pos_ge.
by apply: sumr_ge0 => t _; exact: pos_ge0.
Qed.

Theorem hockey_stick_is_attained (T : finType) k (p q : T -> R) :
  prob p [set t | 0 < p t - k * q t] - k * prob q [set t | 0 < p t - k * q t] = E k p q.
Proof.
rewrite gap_of_event /E big_mkcond /=; apply: eq_bigr => t _.
by rewrite inE /pos; case: ltP.
Qed.

(** (ln k, delta)-privacy of a pair is exactly E_k <= delta. *)
Theorem close_iff_hockey_stick (T : finType) k delta (p q : T -> R) :
  close k delta p q <-> E k p q <= delta.
Proof.
split=> [h | h U].
  by rewrite -hockey_stick_is_attained ler_subl_addl; exact: h.
by rewrite -ler_subl_addl (le_trans (event_gap_le_hockey_stick k p q U)).
Qed.

(** ** Post-processing *)

Lemma push_law (T S : finType) (K : T -> S -> R) p :
  law p -> (forall t, law (K t)) -> law (push K p).
Proof.
case=> p0 p1 hK; split=> [s|].
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 //; case: (hK t).
rewrite /push exchange_big /= -[RHS]p1; apply: eq_bigr => t _.
by rewrite -mulr_sumr (proj2 (hK t)) mulr1.
Qed.

Theorem post_processing (T S : finType) k (K : T -> S -> R) (p q : T -> R) :
  (forall t, law (K t)) -> E k (push K p) (push K q) <= E k p q.
Proof.
move=> hK; rewrite /E.
have -> : \sum_t pos (p t - k * q t) = \sum_t \sum_s pos (p t - k * q t) * K t s.
  by apply: eq_bigr => t _; rewrite -mulr_sumr (proj2 (hK t)) mulr1.
rewrite exchange_big /=; apply: ler_sum => s _; rewrite pos_le.
have K0 t : 0 <= K t s by case: (hK t).
apply/andP; split; last by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?pos_ge0.
rewrite /push mulr_sumr -sumrB; apply: ler_sum => t _.
by rewrite mulrA -mulrBl ler_wpmul2r ?pos_ge.
Qed.

Corollary post_processing_keeps_guarantees (T S : finType) k delta (K : T -> S -> R) p q :
  (forall t, law (K t)) -> close k delta p q -> close k delta (push K p) (push K q).
Proof.
move=> hK /close_iff_hockey_stick h; apply/close_iff_hockey_stick.
exact: le_trans (post_processing _ _ _ hK) h.
Qed.

End Privacy.

