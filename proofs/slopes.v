(** What slopes around places tell: integers of any sign that records add after counts were seen, in a
    box that was found before. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees sensitivities records releases.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Integers that a record adds around places that were released before, and their release. *)
Section Slopes.
Variable X : Type.
Variables (P : finType) (d : nat).
Variable w : X -> P -> 'I_d -> int.

Definition slopes (D : seq X) (p : P) (i : 'I_d) : int := \sum_(x <- D) w x p i.
Definition slopes_apart (D D' : seq X) : nat :=
  (\sum_p \sum_i absz (slopes D p i - slopes D' p i))%N.

Lemma slopes_move (W : nat) : (forall x, (\sum_p \sum_i absz (w x p i) <= W)%N) ->
  (forall D D', replaced D D' -> (slopes_apart D D' <= 2 * W)%N) /\
  (forall D D', removed D D' \/ removed D' D -> (slopes_apart D D' <= W)%N).
Proof.
move=> most; split=> D D'.
  case=> s [t [x [y [-> ->]]]].
  have sum : (\sum_p \sum_i absz (w x p i) + \sum_p \sum_i absz (w y p i) <= 2 * W)%N.
    by rewrite mul2n -addnn leq_add.
  apply: leq_trans sum; rewrite /slopes_apart -big_split; apply: leq_sum => p _ /=.
  rewrite -big_split; apply: leq_sum => i _ /=; rewrite /slopes !big_cat !big_cons /=.
  by move: (\sum_(z <- s) _) (\sum_(z <- t) _) (w x p i) (w y p i); clear; lia.
case=> -[s [t [x [-> ->]]]]; apply: leq_trans (most x); apply: leq_sum => p _; apply: leq_sum => i _;
  rewrite /slopes !big_cat !big_cons /=;
  by move: (\sum_(z <- s) _) (\sum_(z <- t) _) (w x p i); clear; lia.
Qed.

(** [modes.a_record_moves_slopes_by_at_most_its_parts]: at its one peak, if it is near one, a record
    adds W times a point with Σ |tᵢ| <= 1, cut towards zero. *)
Theorem a_record_moves_slopes_by_at_most_its_parts (R : realFieldType) (peak : X -> option P)
    (t : X -> 'I_d -> R) (W : nat) :
  (forall x, \sum_i `|t x i| <= 1) ->
  (forall x p i, Some p <> peak x -> w x p i = 0) ->
  (forall x p i, Some p = peak x -> (absz (w x p i))%:R <= W%:R * `|t x i|) ->
  (forall x, (\sum_p \sum_i absz (w x p i) <= W)%N) /\
  forall how D D', neighbours how D D' -> (slopes_apart D D')%:R <= record_cost how (W%:R : R).
Proof.
move=> unit alone cut.
have most x : (\sum_p \sum_i absz (w x p i) <= W)%N.
  have none p : Some p <> peak x -> (\sum_i absz (w x p i) = 0)%N.
    by move=> other; rewrite big1 // => i _; rewrite alone.
  case e : (peak x) => [q|]; last by rewrite big1 // => p _; rewrite none // e.
  rewrite (bigD1 q) //= [X in (_ + X)%N]big1 ?addn0 => [|p pq]; last first.
    by apply: none; rewrite e => -[] /eqP; rewrite (negbTE pq).
  rewrite -(ler_nat R) natr_sum; apply: (@le_trans _ _ (W%:R * \sum_i `|t x i|)).
    by rewrite mulr_sumr; apply: ler_sum => i _; apply: cut.
  by rewrite -[X in _ <= X]mulr1 ler_wpmul2l ?ler0n.
have [h h'] := slopes_move most; split=> // -[] D D' near /=.
- by rewrite (_ : _ * _ = (2 * W)%:R) ?ler_nat ?h // natrM.
- by rewrite (_ : _ * _ = (2 * W)%:R) ?ler_nat ?h // natrM.
by rewrite ler_nat h'.
Qed.

End Slopes.

(** ** A box, counts in it, and slopes around their peaks *)

Section Steps.
Variable R : realFieldType.
Variable X : Type.
Variable question : seq int -> pred X.
Variables (d : nat) (P : finType).

(** Answers, counts in the box that they give, and slopes at places that the counts give. *)
Definition steps_chance (w : seq int -> X -> 'I_d -> nat)
    (v : seq int -> ('I_d -> int) -> X -> P -> 'I_d -> int) (j a k b k' b' : R) (D : seq X)
    (o : seq int * ('I_d -> int) * (P -> 'I_d -> int)) : R :=
  boxed_chance question w j a k b D o.1 *
  \prod_p noisy k' b' (slopes (v o.1.1 o.1.2) D p) (o.2 p).

Lemma slopes_are_close (v : X -> P -> 'I_d -> int) (k b : R) (D D' : seq X) (S : nat) o :
  1 <= k -> 0 <= b -> (slopes_apart v D D' <= S)%N ->
  \prod_p noisy k b (slopes v D p) (o p) <= k ^+ S * \prod_p noisy k b (slopes v D' p) (o p).
Proof.
move=> k1 b0 near; have k0 : 0 < k := lt_le_trans ltr01 k1.
pose away p := (\sum_i absz (slopes v D p i - slopes v D' p i))%N.
apply: (@le_trans _ _ (\prod_p (k ^+ away p * noisy k b (slopes v D' p) (o p)))).
  by apply: ler_prod => p _; rewrite noisy_ge0 //= noisy_is_close.
rewrite big_split /= prodrXr ler_wpmul2r ?ler_weexpn2l //.
by apply: prodr_ge0 => p _; exact: noisy_ge0.
Qed.

(** [modes.private_bins_hide_a_record], [modes.private_bins_hide_presence] (without questions),
    [modes.private_box_and_bins_hide_a_record], [modes.private_box_and_bins_hide_presence] *)
Theorem private_box_bins_and_slopes (w : seq int -> X -> 'I_d -> nat)
    (v : seq int -> ('I_d -> int) -> X -> P -> 'I_d -> int) (W S V T Q : nat)
    (j a k b k' b' K : R) (outcomes : seq (seq int * ('I_d -> int) * (P -> 'I_d -> int)))
    (made : seq int * ('I_d -> int) * (P -> 'I_d -> int) -> R) (D D' : seq X) :
  1 <= j -> 0 <= a -> 1 <= k -> 0 <= b -> 1 <= k' -> 0 <= b' ->
  j ^+ Q * k ^+ S * k' ^+ T <= K ->
  (forall q x, \sum_i w q x i = W)%N ->
  (forall q o x, \sum_p \sum_i absz (v q o x p i) <= V)%N ->
  (forall o, o \in map (fun o => o.1.1) outcomes -> size o = Q) ->
  (forall o, 0 <= made o <= 1) ->
  [/\ replaced D D', S = (2 * W)%N & T = (2 * V)%N] \/
    [/\ removed D D' \/ removed D' D, S = W & T = V] ->
  \sum_(o <- outcomes) steps_chance w v j a k b k' b' D o * made o <=
  K * \sum_(o <- outcomes) steps_chance w v j a k b k' b' D' o * made o.
Proof.
move=> j1 a0 k1 b0 k1' b0' jkK whole most asked m01 near.
have j0 : 0 < j := lt_le_trans ltr01 j1; have k0 : 0 < k := lt_le_trans ltr01 k1.
have k0' : 0 < k' := lt_le_trans ltr01 k1'.
have boxed : (replaced D D' /\ S = (2 * W)%N) \/ ((removed D D' \/ removed D' D) /\ S = W).
  by case: near => -[h e _]; auto.
have box0 A o : 0 <= boxed_chance question w j a k b A o.
  by rewrite mulr_ge0 ?answers_ge0 ?noisy_ge0.
elim: outcomes asked => [|o rest IH] asked; first by rewrite !big_nil mulr0.
rewrite !big_cons mulrDr ler_add //; last first.
  by apply: IH => q h; apply: asked; rewrite /= inE h orbT.
have size_o : size o.1.1 = Q by apply: asked; rewrite /= inE eqxx.
case/andP: (m01 o) => m0 _; rewrite mulrA ler_wpmul2r // /steps_chance.
have one : boxed_chance question w j a k b D o.1 <=
           j ^+ Q * k ^+ S * boxed_chance question w j a k b D' o.1.
  have := @private_box_and_bins R X question d w W S Q j a k b _ [:: o.1] (fun=> 1) D D'
    j1 a0 k1 b0 (lexx _) whole; rewrite !big_seq1 !mulr1; apply=> // [q|_]; last by rewrite ler01 lexx.
  by rewrite inE => /eqP ->.
have two : \prod_p noisy k' b' (slopes (v o.1.1 o.1.2) D p) (o.2 p) <=
           k' ^+ T * \prod_p noisy k' b' (slopes (v o.1.1 o.1.2) D' p) (o.2 p).
  apply: slopes_are_close => //; have [h h'] := slopes_move (most o.1.1 o.1.2).
  by case: near => -[n _ ->]; auto.
have prod0 A : 0 <= \prod_p noisy k' b' (slopes (v o.1.1 o.1.2) A p) (o.2 p).
  by apply: prodr_ge0 => p _; exact: noisy_ge0.
apply: le_trans (ler_pmul _ _ one two) _ => //.
by rewrite mulrACA ler_wpmul2r // mulr_ge0.
Qed.

End Steps.
