From mathcomp Require Import all_ssreflect all_algebra.
From provedp Require Import privacy optimum.
Import GRing.Theory.
Local Open Scope ring_scope.

(** The value of the formal definition as a computation on lists, for evaluation. *)
Definition table (m : nat) (k delta : rat) : seq (seq rat) :=
  let total := foldr (fun j s => k ^- cyclic_distance m 0 j + s) 0 (iota 0 m.+1) in
  let a := total^-1 in
  [seq [seq (1 - delta) * a * k ^- cyclic_distance m i j + delta * (i == j)%:R
       | j <- iota 0 m.+1] | i <- iota 0 m.+1].

Lemma tableP (m : nat) (k delta : rat) :
  table m k delta = [seq [seq release k delta i j | j : 'I_m.+1] | i : 'I_m.+1].
Proof.
have total : foldr (fun j s => k ^- cyclic_distance m 0 j + s) 0 (iota 0 m.+1)
             = \sum_(j < m.+1) k ^- cyclic_distance m 0 j.
  by rewrite -(big_mkord xpredT (fun j => k ^- cyclic_distance m 0 j)) unlock /index_iota subn0.
rewrite /table total -val_enum_ord -map_comp; apply: eq_map => i /=.
by rewrite -map_comp; apply: eq_map => j.
Qed.
