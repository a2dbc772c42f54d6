(** Proposition 1 of the counting paper, eq. (47), as printed: its third upper bound is below
    the least error. Two counts, k = 3, delta = 0, T = [2/3 1/3; 1/3 2/3]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum channels table.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Definitions.
Variable R : realFieldType.
Variable m : nat.
Notation matrix := ('I_m.+1 -> 'I_m.+1 -> R).

(** [C] = (I - P*^-1 Q) T, without the inverse. *)
Definition change_of (P T Q C : matrix) : Prop :=
  forall i j, times P C i j = times P T i j - times Q T i j.

(** [b] is the least t_ij / c_ij over the entries with c_ij > 0. *)
Definition least_ratio (T C : matrix) (b : R) : Prop :=
  (exists i j, 0 < C i j /\ b = T i j / C i j) /\ (forall i j, 0 < C i j -> b <= T i j / C i j).

(** [u] = 1 - the least diagonal entry of (b Q + (1 - b) P) T, eq. (46). *)
Definition third_bound (P T Q : matrix) (b u : R) : Prop :=
  let G : matrix := fun i j => b * Q i j + (1 - b) * P i j in
  (exists i, u = 1 - times G T i i) /\ (forall i, 1 - times G T i i <= u).

(** [u] is u_3(T) as the paper prints it. *)
Definition u3_as_printed (k delta : R) (T : matrix) (u : R) : Prop :=
  exists Q C b, [/\ assignment_of T Q, change_of (@release R m k delta) T Q C,
                    least_ratio T C b & third_bound (@release R m k delta) T Q b u].

End Definitions.

Lemma ord2 (i : 'I_2) : i = ord0 \/ i = lift ord0 ord0.
Proof. by case: i => [[|[|n]] h] //; [left | right]; apply: val_inj. Qed.

Definition T (i j : 'I_2) : rat := if i == j then 2%:Q / 3%:Q else 1%:Q / 3%:Q.
Definition C (i j : 'I_2) : rat := if i == j then - (1%:Q / 6%:Q) else 1%:Q / 6%:Q.
Definition I2 (i j : 'I_2) : rat := (j == i)%:R.

Lemma release_3 (i j : 'I_2) : release (3%:Q) 0 i j = if i == j then 3%:Q / 4%:Q else 1%:Q / 4%:Q.
Proof.
rewrite /release /alpha !big_ord_recl big_ord0.
by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
Qed.

Lemma u3_is_a_quarter : u3_as_printed (3%:Q) 0 T (1%:Q / 4%:Q).
Proof.
exists I2, C, 2%:Q; split.
- exists id; split=> // i l.
  by case: (ord2 i) => ->; case: (ord2 l) => ->; vm_compute.
- move=> i j; rewrite /times !big_ord_recl !big_ord0 !release_3; apply/eqP.
  by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
- split.
    by exists ord0, (lift ord0 ord0); split; [vm_compute | apply/eqP; vm_compute].
  by move=> i j; case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
- split.
    by exists ord0; apply/eqP; rewrite /times !big_ord_recl !big_ord0 !release_3; vm_compute.
  move=> i; rewrite /times !big_ord_recl !big_ord0 !release_3.
  by case: (ord2 i) => ->; vm_compute.
Qed.

(** Yet no stochastic matrix at all, private or not, errs less than a third behind [T]. *)
Lemma no_release_errs_less_than_a_third (P : 'I_2 -> 'I_2 -> rat) e :
  stochastic P -> errs_at_most (times P T) e -> 1%:Q / 3%:Q <= e.
Proof.
move=> hP /(_ ord0); apply: le_trans.
case: (hP ord0) => p0; rewrite !big_ord_recl big_ord0 addr0 => p1.
rewrite /times !big_ord_recl big_ord0 addr0.
have -> : T ord0 ord0 = 2%:Q / 3%:Q by [].
have -> : T (lift ord0 ord0) ord0 = 1%:Q / 3%:Q by [].
have -> : P ord0 ord0 = 1 - P ord0 (lift ord0 ord0) by rewrite -p1 addrK.
rewrite -subr_ge0; set b := P ord0 _.
have -> : 1 - ((1 - b) * (2%:Q / 3%:Q) + b * (1%:Q / 3%:Q)) - 1%:Q / 3%:Q = b * (1%:Q / 3%:Q).
  by field.
by rewrite mulr_ge0 ?p0.
Qed.

(** [counting.third_upper_bound_holds], refuted: [u] is the bound as printed, and every release
    that is allowed errs more. *)
Theorem third_upper_bound_fails :
  exists u, u3_as_printed (3%:Q) 0 T u /\
    forall P e, allowed (3%:Q) 0 T P -> errs_at_most (times P T) e -> u < e.
Proof.
exists (1%:Q / 4%:Q); split=> [|P e [hP _] he]; first exact: u3_is_a_quarter.
by apply: lt_le_trans (no_release_errs_less_than_a_third hP he).
Qed.

