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

(** counting.release_entry *)
Lemma python_entry_on_the_diagonal m k delta (i : 'I_m.+1) : let a := alpha m k in
  (((((- 1%:R) * delta) + 1%:R) * a) + delta) = release k delta i i.
Proof. by rewrite /release /cyclic_distance subnn min0n expr0 invr1 eqxx /=; ring. Qed.

Lemma python_entry_off_the_diagonal m k delta (i j : 'I_m.+1) : i != j ->
  let a := alpha m k in let d := cyclic_distance m i j in
  ((((- 1%:R) * delta) + 1%:R) * (k ^- d) * a) = release k delta i j.
Proof. by move=> /negbTE ij; rewrite /release ij /=; ring. Qed.

(** counting.alpha_closed_form *)
Lemma python_alpha_odd (h : nat) k : 1 < k ->
  (((- 1%:R) + k) * (k ^+ h)) / (((1%:R + k) * (k ^+ h)) + (- 2%:R)) = alpha (2 * h) k.
Proof. by move=> k1; rewrite (alpha_odd k1) ?add1n ?exprS; congr (_ / _); ring. Qed.

Lemma python_alpha_even (h : nat) k : 1 < k ->
  (((- 1%:R) + k) * (k ^+ (1 + h)%N)) / (((- 1%:R) * k) + ((1%:R + k) * (k ^+ (1 + h)%N)) + (- 1%:R)) = alpha (2 * h).+1 k.
Proof. by move=> k1; rewrite (alpha_even k1) ?add1n ?exprS; congr (_ / _); ring. Qed.

(** counting.error *)
Lemma python_error_odd (h : nat) k delta : 1 < k ->
  (((((((1%:R + k) * (k ^+ h)) + (- 2%:R))^-1) * ((- 1%:R) + k) * (- 1%:R) * (k ^+ h)) + 1%:R) * (((- 1%:R) * delta) + 1%:R)) = error (2 * h) k delta.
Proof.
by move=> k1; rewrite /error -(python_alpha_odd h k1) ?add1n ?exprS -?exprS; ring.
Qed.

Lemma python_error_even (h : nat) k delta : 1 < k ->
  (((((((- 1%:R) * k) + ((1%:R + k) * (k ^+ (1 + h)%N)) + (- 1%:R))^-1) * ((- 1%:R) + k) * (- 1%:R) * (k ^+ (1 + h)%N)) + 1%:R) * (((- 1%:R) * delta) + 1%:R)) = error (2 * h).+1 k delta.
Proof. by move=> k1; rewrite /error -(python_alpha_even h k1); ring. Qed.

Lemma python_error_at_one m delta :
  ((((- 1%:R) * (m.+1%:R^-1)) + 1%:R) * (((- 1%:R) * delta) + 1%:R)) = error m 1 delta.
Proof. by rewrite /error alpha_at_one; ring. Qed.

(** counting.error_limit *)
Lemma python_error_limit k delta :
  (((- 2%:R) * delta) + 2%:R) / (1%:R + k) = (1 + 1) * (1 - delta) / (1 + k).
Proof. by congr (_ / _); ring. Qed.

(** counting.geometric_entry *)
Lemma python_geometric_at_an_end m k (i j : 'I_m.+1) :
  (j == 0%N :> nat) || (j == m :> nat) -> let d := gap i j in
  (((1%:R + k)^-1) * (k ^- d) * k) = geometric k i j.
Proof. by rewrite /geometric => -> /=; rewrite /share !mulr1n [1 + k]addrC; move: (k ^- _) ((k + 1)^-1) => x y; ring. Qed.

Lemma python_geometric_inside m k (i j : 'I_m.+1) :
  (j == 0%N :> nat) || (j == m :> nat) = false -> let d := gap i j in
  (((- 1%:R) + k) * ((1%:R + k)^-1) * (k ^- d)) = geometric k i j.
Proof. by rewrite /geometric => -> /=; rewrite /share !mulr1n [1 + k]addrC; move: (k ^- _) ((k + 1)^-1) => x y; ring. Qed.

(** counting.response_entry *)
Lemma python_response_same m k (i : 'I_m.+1) :
  k / ((- 1%:R) + k + m.+1%:R) = response k i i.
Proof. by rewrite /response eqxx; congr (_ / _); ring. Qed.

Lemma python_response_other m k (i j : 'I_m.+1) : i != j ->
  1%:R / ((- 1%:R) + k + m.+1%:R) = response k i j.
Proof. by move=> /negbTE ij; rewrite /response ij; congr (_ / _); ring. Qed.

(** counting.laplace_entry *)
Lemma python_laplace_of_the_count_inside r : 0 < r ->
  (((- 1%:R) * (r^-1)) + 1%:R) = laplace_at r 0 false.
Proof. by move=> r0; rewrite /laplace_at; field; rewrite ?gt_eqF. Qed.

Lemma python_laplace_inside r (d : nat) : 0 < r -> (0 < d)%N ->
  (((((- 1%:R) / 2%:R) * (r^-1)) + ((1%:R / 2%:R) * r)) * (r ^- (2 * d)%N)) = laplace_at r d false.
Proof.
by case: d => // d r0 _; rewrite /laplace_at; move: (r ^- _) => x; field; rewrite ?gt_eqF.
Qed.

Lemma python_laplace_of_the_count_at_an_end r : 0 < r ->
  ((((- 1%:R) / 2%:R) * (r^-1)) + 1%:R) = laplace_at r 0 true.
Proof. by move=> r0; rewrite /laplace_at; field; rewrite ?gt_eqF. Qed.

Lemma python_laplace_at_an_end r (d : nat) : 0 < r -> (0 < d)%N ->
  ((1%:R / 2%:R) * (r ^- (2 * d)%N) * r) = laplace_at r d true.
Proof.
by case: d => // d r0 _; rewrite /laplace_at; move: (r ^- _) => x; field; rewrite ?gt_eqF.
Qed.

(** counting.exponential_weight *)
Lemma python_exponential_weight m r (i : 'I_m.+1) :
  exponential r i = normalised (fun j : 'I_m.+1 => let d := gap i j in
  (r ^- d)).
Proof. by []. Qed.

(** counting.canonical_edge *)
Lemma python_canonical_edge k delta :
  (((- 1%:R) * delta) + 1%:R) / (1%:R + k) = universal.noise_edge k delta.
Proof. by congr (_ / _); ring. Qed.

(** mixture.moment_cost *)
Lemma python_moment_cost_label (n a b : R) :
  ((2%:R * a) + (2%:R * b) + (2%:R * n)) = records.moment_cost records.label n a b.
Proof. by rewrite /=; ring. Qed.

Lemma python_moment_cost_replace_one (n a b : R) :
  (((Num.max a n) * 2%:R) + (2%:R * a) + (2%:R * b)) = records.moment_cost records.replace_one n a b.
Proof. by rewrite /=; ring. Qed.

Lemma python_moment_cost_add_remove (n a b : R) :
  (a + b + n) = records.moment_cost records.add_remove n a b.
Proof. by rewrite /=; ring. Qed.

(** mixture.pooled_cost *)
Lemma python_pooled_cost_label (c b : R) :
  ((2%:R * b) + c) = records.pooled_cost records.label c b.
Proof. by rewrite /=; ring. Qed.

Lemma python_pooled_cost_replace_one (c b : R) :
  ((2%:R * b) + c) = records.pooled_cost records.replace_one c b.
Proof. by rewrite /=; ring. Qed.

Lemma python_pooled_cost_add_remove (c b : R) :
  (b + c) = records.pooled_cost records.add_remove c b.
Proof. by rewrite /=; ring. Qed.

(** mixture.histogram_cost *)
Lemma python_histogram_cost_label (c : R) :
  (2%:R * c) = records.record_cost records.label c.
Proof. by rewrite /=; ring. Qed.

Lemma python_histogram_cost_replace_one (c : R) :
  (2%:R * c) = records.record_cost records.replace_one c.
Proof. by rewrite /=; ring. Qed.

Lemma python_histogram_cost_add_remove (c : R) :
  c = records.record_cost records.add_remove c.
Proof. by rewrite /=; ring. Qed.

(** modes.field_cost *)
Lemma python_field_cost_replace_one (c : R) :
  (2%:R * c) = records.record_cost records.replace_one c.
Proof. by rewrite /=; ring. Qed.

Lemma python_field_cost_add_remove (c : R) :
  c = records.record_cost records.add_remove c.
Proof. by rewrite /=; ring. Qed.

(** modes.bins_sensitivity *)
Lemma python_bins_sensitivity_replace_one (c : R) :
  (2%:R * c) = records.record_cost records.replace_one c.
Proof. by rewrite /=; ring. Qed.

Lemma python_bins_sensitivity_add_remove (c : R) :
  c = records.record_cost records.add_remove c.
Proof. by rewrite /=; ring. Qed.

(** mixture.leave_sensitivity *)
Lemma python_leave (b n : R) :
  (2%:R * b) / n = (1 + 1) * b / n.
Proof. by congr (_ / _); ring. Qed.

(** mixture.join_sensitivity *)
Lemma python_join (b n : R) :
  (2%:R * b) / (1%:R + n) = (1 + 1) * b / (n + 1).
Proof. by congr (_ / _); ring. Qed.

(** mixture.mean_sensitivity *)
Lemma python_mean_sensitivity (b n d : R) :
  (2%:R * b) / n = (1 + 1) * b / n.
Proof. by congr (_ / _); ring. Qed.

(** mixture.covariance_sensitivity *)
Lemma python_covariance_sensitivity (b n d : R) : let most := 4%:R * b ^+ 2 / n in
  ((b ^+ 2) * 4%:R) / n = most /\
  ((1%:R + d) * (b ^+ 2) * 2%:R) / n = (d + 1) / (1 + 1) * most.
Proof. by rewrite /=; move: (n^-1) => y; split; field. Qed.

(** counting.three_determinant *)
Lemma python_three_determinant k (e u v : R) :
  (((((- 1%:R) * u) + ((- 1%:R) * v) + (u * v) + 4%:R) * (- 1%:R) * (e + k)) + ((- 2%:R) * u * v) + ((e + k) ^+ 3) + (2%:R * u) + (2%:R * v)) = three.three_determinant (k + e) u v.
Proof. by rewrite /three.three_determinant; ring. Qed.

(** counting.radius_of_four *)
Lemma python_radius_of_four k : ((- 1%:R) + k) / ((1%:R + k) * k) = ranks.radius_of_four k.
Proof. by congr (_ / _); ring. Qed.

End Agreement.

(** counting.radius_of_three *)
Example radius_of_three_1_1_0_1 :
  three.radius_of_three (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  0%:Q / 1%:Q.
Proof. by apply/eqP; vm_compute. Qed.

Example radius_of_three_2_1_0_1 :
  three.radius_of_three (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  1%:Q / 8%:Q.
Proof. by apply/eqP; vm_compute. Qed.

Example radius_of_three_3_2_1_20 :
  three.radius_of_three (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) =
  13%:Q / 105%:Q.
Proof. by apply/eqP; vm_compute. Qed.

Example radius_of_three_2_1_1_3 :
  three.radius_of_three (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) =
  1%:Q / 6%:Q.
Proof. by apply/eqP; vm_compute. Qed.

(** counting.release_matrix *)
Example release_2_1_1_0_1 :
  [seq [seq release (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_2]
  | i : 'I_2] =
   [:: [:: 1%:Q / 2%:Q; 1%:Q / 2%:Q];
      [:: 1%:Q / 2%:Q; 1%:Q / 2%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_2_2_1_0_1 :
  [seq [seq release (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_2]
  | i : 'I_2] =
   [:: [:: 2%:Q / 3%:Q; 1%:Q / 3%:Q];
      [:: 1%:Q / 3%:Q; 2%:Q / 3%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_2_3_2_1_20 :
  [seq [seq release (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) i j | j : 'I_2]
  | i : 'I_2] =
   [:: [:: 31%:Q / 50%:Q; 19%:Q / 50%:Q];
      [:: 19%:Q / 50%:Q; 31%:Q / 50%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_2_2_1_1_3 :
  [seq [seq release (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) i j | j : 'I_2]
  | i : 'I_2] =
   [:: [:: 7%:Q / 9%:Q; 2%:Q / 9%:Q];
      [:: 2%:Q / 9%:Q; 7%:Q / 9%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_3_1_1_0_1 :
  [seq [seq release (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_3]
  | i : 'I_3] =
   [:: [:: 1%:Q / 3%:Q; 1%:Q / 3%:Q; 1%:Q / 3%:Q];
      [:: 1%:Q / 3%:Q; 1%:Q / 3%:Q; 1%:Q / 3%:Q];
      [:: 1%:Q / 3%:Q; 1%:Q / 3%:Q; 1%:Q / 3%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_3_2_1_0_1 :
  [seq [seq release (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_3]
  | i : 'I_3] =
   [:: [:: 1%:Q / 2%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q];
      [:: 1%:Q / 4%:Q; 1%:Q / 2%:Q; 1%:Q / 4%:Q];
      [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 2%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_3_3_2_1_20 :
  [seq [seq release (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) i j | j : 'I_3]
  | i : 'I_3] =
   [:: [:: 16%:Q / 35%:Q; 19%:Q / 70%:Q; 19%:Q / 70%:Q];
      [:: 19%:Q / 70%:Q; 16%:Q / 35%:Q; 19%:Q / 70%:Q];
      [:: 19%:Q / 70%:Q; 19%:Q / 70%:Q; 16%:Q / 35%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_3_2_1_1_3 :
  [seq [seq release (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) i j | j : 'I_3]
  | i : 'I_3] =
   [:: [:: 2%:Q / 3%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 2%:Q / 3%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 2%:Q / 3%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_4_1_1_0_1 :
  [seq [seq release (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_4]
  | i : 'I_4] =
   [:: [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q];
      [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q];
      [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q];
      [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_4_2_1_0_1 :
  [seq [seq release (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_4]
  | i : 'I_4] =
   [:: [:: 4%:Q / 9%:Q; 2%:Q / 9%:Q; 1%:Q / 9%:Q; 2%:Q / 9%:Q];
      [:: 2%:Q / 9%:Q; 4%:Q / 9%:Q; 2%:Q / 9%:Q; 1%:Q / 9%:Q];
      [:: 1%:Q / 9%:Q; 2%:Q / 9%:Q; 4%:Q / 9%:Q; 2%:Q / 9%:Q];
      [:: 2%:Q / 9%:Q; 1%:Q / 9%:Q; 2%:Q / 9%:Q; 4%:Q / 9%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_4_3_2_1_20 :
  [seq [seq release (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) i j | j : 'I_4]
  | i : 'I_4] =
   [:: [:: 49%:Q / 125%:Q; 57%:Q / 250%:Q; 19%:Q / 125%:Q; 57%:Q / 250%:Q];
      [:: 57%:Q / 250%:Q; 49%:Q / 125%:Q; 57%:Q / 250%:Q; 19%:Q / 125%:Q];
      [:: 19%:Q / 125%:Q; 57%:Q / 250%:Q; 49%:Q / 125%:Q; 57%:Q / 250%:Q];
      [:: 57%:Q / 250%:Q; 19%:Q / 125%:Q; 57%:Q / 250%:Q; 49%:Q / 125%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_4_2_1_1_3 :
  [seq [seq release (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) i j | j : 'I_4]
  | i : 'I_4] =
   [:: [:: 17%:Q / 27%:Q; 4%:Q / 27%:Q; 2%:Q / 27%:Q; 4%:Q / 27%:Q];
      [:: 4%:Q / 27%:Q; 17%:Q / 27%:Q; 4%:Q / 27%:Q; 2%:Q / 27%:Q];
      [:: 2%:Q / 27%:Q; 4%:Q / 27%:Q; 17%:Q / 27%:Q; 4%:Q / 27%:Q];
      [:: 4%:Q / 27%:Q; 2%:Q / 27%:Q; 4%:Q / 27%:Q; 17%:Q / 27%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_5_1_1_0_1 :
  [seq [seq release (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_5]
  | i : 'I_5] =
   [:: [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_5_2_1_0_1 :
  [seq [seq release (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_5]
  | i : 'I_5] =
   [:: [:: 2%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 10%:Q; 1%:Q / 10%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 2%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 10%:Q; 1%:Q / 10%:Q];
      [:: 1%:Q / 10%:Q; 1%:Q / 5%:Q; 2%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 10%:Q];
      [:: 1%:Q / 10%:Q; 1%:Q / 10%:Q; 1%:Q / 5%:Q; 2%:Q / 5%:Q; 1%:Q / 5%:Q];
      [:: 1%:Q / 5%:Q; 1%:Q / 10%:Q; 1%:Q / 10%:Q; 1%:Q / 5%:Q; 2%:Q / 5%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_5_3_2_1_20 :
  [seq [seq release (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) i j | j : 'I_5]
  | i : 'I_5] =
   [:: [:: 10%:Q / 29%:Q; 57%:Q / 290%:Q; 19%:Q / 145%:Q; 19%:Q / 145%:Q; 57%:Q / 290%:Q];
      [:: 57%:Q / 290%:Q; 10%:Q / 29%:Q; 57%:Q / 290%:Q; 19%:Q / 145%:Q; 19%:Q / 145%:Q];
      [:: 19%:Q / 145%:Q; 57%:Q / 290%:Q; 10%:Q / 29%:Q; 57%:Q / 290%:Q; 19%:Q / 145%:Q];
      [:: 19%:Q / 145%:Q; 19%:Q / 145%:Q; 57%:Q / 290%:Q; 10%:Q / 29%:Q; 57%:Q / 290%:Q];
      [:: 57%:Q / 290%:Q; 19%:Q / 145%:Q; 19%:Q / 145%:Q; 57%:Q / 290%:Q; 10%:Q / 29%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_5_2_1_1_3 :
  [seq [seq release (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) i j | j : 'I_5]
  | i : 'I_5] =
   [:: [:: 3%:Q / 5%:Q; 2%:Q / 15%:Q; 1%:Q / 15%:Q; 1%:Q / 15%:Q; 2%:Q / 15%:Q];
      [:: 2%:Q / 15%:Q; 3%:Q / 5%:Q; 2%:Q / 15%:Q; 1%:Q / 15%:Q; 1%:Q / 15%:Q];
      [:: 1%:Q / 15%:Q; 2%:Q / 15%:Q; 3%:Q / 5%:Q; 2%:Q / 15%:Q; 1%:Q / 15%:Q];
      [:: 1%:Q / 15%:Q; 1%:Q / 15%:Q; 2%:Q / 15%:Q; 3%:Q / 5%:Q; 2%:Q / 15%:Q];
      [:: 2%:Q / 15%:Q; 1%:Q / 15%:Q; 1%:Q / 15%:Q; 2%:Q / 15%:Q; 3%:Q / 5%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_6_1_1_0_1 :
  [seq [seq release (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_6]
  | i : 'I_6] =
   [:: [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q];
      [:: 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q; 1%:Q / 6%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_6_2_1_0_1 :
  [seq [seq release (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) i j | j : 'I_6]
  | i : 'I_6] =
   [:: [:: 8%:Q / 21%:Q; 4%:Q / 21%:Q; 2%:Q / 21%:Q; 1%:Q / 21%:Q; 2%:Q / 21%:Q; 4%:Q / 21%:Q];
      [:: 4%:Q / 21%:Q; 8%:Q / 21%:Q; 4%:Q / 21%:Q; 2%:Q / 21%:Q; 1%:Q / 21%:Q; 2%:Q / 21%:Q];
      [:: 2%:Q / 21%:Q; 4%:Q / 21%:Q; 8%:Q / 21%:Q; 4%:Q / 21%:Q; 2%:Q / 21%:Q; 1%:Q / 21%:Q];
      [:: 1%:Q / 21%:Q; 2%:Q / 21%:Q; 4%:Q / 21%:Q; 8%:Q / 21%:Q; 4%:Q / 21%:Q; 2%:Q / 21%:Q];
      [:: 2%:Q / 21%:Q; 1%:Q / 21%:Q; 2%:Q / 21%:Q; 4%:Q / 21%:Q; 8%:Q / 21%:Q; 4%:Q / 21%:Q];
      [:: 4%:Q / 21%:Q; 2%:Q / 21%:Q; 1%:Q / 21%:Q; 2%:Q / 21%:Q; 4%:Q / 21%:Q; 8%:Q / 21%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_6_3_2_1_20 :
  [seq [seq release (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) i j | j : 'I_6]
  | i : 'I_6] =
   [:: [:: 8%:Q / 25%:Q; 9%:Q / 50%:Q; 3%:Q / 25%:Q; 2%:Q / 25%:Q; 3%:Q / 25%:Q; 9%:Q / 50%:Q];
      [:: 9%:Q / 50%:Q; 8%:Q / 25%:Q; 9%:Q / 50%:Q; 3%:Q / 25%:Q; 2%:Q / 25%:Q; 3%:Q / 25%:Q];
      [:: 3%:Q / 25%:Q; 9%:Q / 50%:Q; 8%:Q / 25%:Q; 9%:Q / 50%:Q; 3%:Q / 25%:Q; 2%:Q / 25%:Q];
      [:: 2%:Q / 25%:Q; 3%:Q / 25%:Q; 9%:Q / 50%:Q; 8%:Q / 25%:Q; 9%:Q / 50%:Q; 3%:Q / 25%:Q];
      [:: 3%:Q / 25%:Q; 2%:Q / 25%:Q; 3%:Q / 25%:Q; 9%:Q / 50%:Q; 8%:Q / 25%:Q; 9%:Q / 50%:Q];
      [:: 9%:Q / 50%:Q; 3%:Q / 25%:Q; 2%:Q / 25%:Q; 3%:Q / 25%:Q; 9%:Q / 50%:Q; 8%:Q / 25%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

Example release_6_2_1_1_3 :
  [seq [seq release (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) i j | j : 'I_6]
  | i : 'I_6] =
   [:: [:: 37%:Q / 63%:Q; 8%:Q / 63%:Q; 4%:Q / 63%:Q; 2%:Q / 63%:Q; 4%:Q / 63%:Q; 8%:Q / 63%:Q];
      [:: 8%:Q / 63%:Q; 37%:Q / 63%:Q; 8%:Q / 63%:Q; 4%:Q / 63%:Q; 2%:Q / 63%:Q; 4%:Q / 63%:Q];
      [:: 4%:Q / 63%:Q; 8%:Q / 63%:Q; 37%:Q / 63%:Q; 8%:Q / 63%:Q; 4%:Q / 63%:Q; 2%:Q / 63%:Q];
      [:: 2%:Q / 63%:Q; 4%:Q / 63%:Q; 8%:Q / 63%:Q; 37%:Q / 63%:Q; 8%:Q / 63%:Q; 4%:Q / 63%:Q];
      [:: 4%:Q / 63%:Q; 2%:Q / 63%:Q; 4%:Q / 63%:Q; 8%:Q / 63%:Q; 37%:Q / 63%:Q; 8%:Q / 63%:Q];
      [:: 8%:Q / 63%:Q; 4%:Q / 63%:Q; 2%:Q / 63%:Q; 4%:Q / 63%:Q; 8%:Q / 63%:Q; 37%:Q / 63%:Q]].
Proof. by rewrite -tableP; vm_compute. Qed.

(** counting.cyclic_distance *)
Example distance_2 :
  [seq [seq cyclic_distance 1 i j | j <- iota 0 2] | i <- iota 0 2] =
  [:: [:: 0; 1]; [:: 1; 0]]%N.
Proof. by []. Qed.

Example distance_3 :
  [seq [seq cyclic_distance 2 i j | j <- iota 0 3] | i <- iota 0 3] =
  [:: [:: 0; 1; 1]; [:: 1; 0; 1]; [:: 1; 1; 0]]%N.
Proof. by []. Qed.

Example distance_4 :
  [seq [seq cyclic_distance 3 i j | j <- iota 0 4] | i <- iota 0 4] =
  [:: [:: 0; 1; 2; 1]; [:: 1; 0; 1; 2]; [:: 2; 1; 0; 1]; [:: 1; 2; 1; 0]]%N.
Proof. by []. Qed.

Example distance_5 :
  [seq [seq cyclic_distance 4 i j | j <- iota 0 5] | i <- iota 0 5] =
  [:: [:: 0; 1; 2; 2; 1]; [:: 1; 0; 1; 2; 2]; [:: 2; 1; 0; 1; 2]; [:: 2; 2; 1; 0; 1]; [:: 1; 2; 2; 1; 0]]%N.
Proof. by []. Qed.

Example distance_6 :
  [seq [seq cyclic_distance 5 i j | j <- iota 0 6] | i <- iota 0 6] =
  [:: [:: 0; 1; 2; 3; 2; 1]; [:: 1; 0; 1; 2; 3; 2]; [:: 2; 1; 0; 1; 2; 3]; [:: 3; 2; 1; 0; 1; 2]; [:: 2; 3; 2; 1; 0; 1]; [:: 1; 2; 3; 2; 1; 0]]%N.
Proof. by []. Qed.

(** counting.canonical_reach *)
Example reach_2_1_1_10 :
  universal.over (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) 2 =
  1%:Q / 2%:Q.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.

Example reach_3_2_1_10 :
  universal.over (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) 3 =
  5%:Q / 56%:Q.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.

Example reach_1_1_1_5 :
  universal.over (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) 2 =
  1%:Q / 2%:Q.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.

Example reach_3_1_1_100 :
  universal.over (3%:Q / 1%:Q : rat) (1%:Q / 100%:Q) 4 =
  20%:Q / 101%:Q.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.

Example reach_7_1_2_5 :
  universal.over (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) 1 =
  2%:Q / 17%:Q.
Proof.
rewrite /universal.over /universal.level /universal.noise_edge !big_ord_recl big_ord0.
by apply/eqP; vm_compute.
Qed.

(** counting.canonical_cdf *)
Example cdf_2_1_0_1_10_3 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (-10%:Q / 3%:Q) =
  7%:Q / 144%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 3); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_0_1_3_2 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (-3%:Q / 2%:Q) =
  1%:Q / 6%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 1); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_0_1_1_2 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (-1%:Q / 2%:Q) =
  1%:Q / 3%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_0_1_0_1 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (0%:Q / 1%:Q) =
  1%:Q / 2%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_0_1_1_3 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (1%:Q / 3%:Q) =
  11%:Q / 18%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_0_1_7_4 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) (7%:Q / 4%:Q) =
  41%:Q / 48%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 2); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_10_3 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (-10%:Q / 3%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 3); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_3_2 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (-3%:Q / 2%:Q) =
  1%:Q / 10%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 1); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_1_2 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (-1%:Q / 2%:Q) =
  3%:Q / 10%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_0_1 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (0%:Q / 1%:Q) =
  1%:Q / 2%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_1_3 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (1%:Q / 3%:Q) =
  19%:Q / 30%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_2_1_1_10_7_4 :
  noise.canonical_cdf (2%:Q / 1%:Q : rat) (1%:Q / 10%:Q) (7%:Q / 4%:Q) =
  37%:Q / 40%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 2); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_10_3 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (-10%:Q / 3%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 3); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_3_2 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (-3%:Q / 2%:Q) =
  13%:Q / 75%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 1); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_1_2 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (-1%:Q / 2%:Q) =
  9%:Q / 25%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_0_1 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (0%:Q / 1%:Q) =
  1%:Q / 2%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_1_3 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (1%:Q / 3%:Q) =
  89%:Q / 150%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_3_2_1_10_7_4 :
  noise.canonical_cdf (3%:Q / 2%:Q : rat) (1%:Q / 10%:Q) (7%:Q / 4%:Q) =
  193%:Q / 225%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 2); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_10_3 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (-10%:Q / 3%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 3); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_3_2 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (-3%:Q / 2%:Q) =
  1%:Q / 5%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 1); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_1_2 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (-1%:Q / 2%:Q) =
  2%:Q / 5%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_0_1 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (0%:Q / 1%:Q) =
  1%:Q / 2%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_1_3 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (1%:Q / 3%:Q) =
  17%:Q / 30%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_1_1_1_5_7_4 :
  noise.canonical_cdf (1%:Q / 1%:Q : rat) (1%:Q / 5%:Q) (7%:Q / 4%:Q) =
  17%:Q / 20%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 2); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_10_3 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (-10%:Q / 3%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 3); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_3_2 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (-3%:Q / 2%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 1); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_1_2 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (-1%:Q / 2%:Q) =
  3%:Q / 40%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_0_1 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (0%:Q / 1%:Q) =
  1%:Q / 2%:Q.
Proof.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_1_3 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (1%:Q / 3%:Q) =
  47%:Q / 60%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 0); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

Example cdf_7_1_2_5_7_4 :
  noise.canonical_cdf (7%:Q / 1%:Q : rat) (2%:Q / 5%:Q) (7%:Q / 4%:Q) =
  1%:Q / 1%:Q.
Proof.
rewrite noise.canonical_cdf_above; last by vm_compute.
rewrite (@noise.canonical_cdf_at _ _ _ _ 2); [|by vm_compute..].
rewrite /universal.level /universal.noise_edge ?big_ord_recl ?big_ord0.
by apply/eqP; vm_compute.
Qed.

(** counting.radius_upper *)
Example radius_2_1_1_0_1 :
  radius.radius_bound 1 (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_2_2_1_0_1 :
  radius.radius_bound 1 (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_2_3_2_1_20 :
  radius.radius_bound 1 (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_2_2_1_1_3 :
  radius.radius_bound 1 (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_3_1_1_0_1 :
  radius.radius_bound 2 (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_3_2_1_0_1 :
  radius.radius_bound 2 (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  1%:Q / 4%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_3_3_2_1_20 :
  radius.radius_bound 2 (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) =
  19%:Q / 70%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_3_2_1_1_3 :
  radius.radius_bound 2 (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) =
  1%:Q / 6%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_4_1_1_0_1 :
  radius.radius_bound 3 (1%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  0%:Q / 1%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_4_2_1_0_1 :
  radius.radius_bound 3 (2%:Q / 1%:Q : rat) (0%:Q / 1%:Q) =
  4%:Q / 9%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_4_3_2_1_20 :
  radius.radius_bound 3 (3%:Q / 2%:Q : rat) (1%:Q / 20%:Q) =
  57%:Q / 125%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.

Example radius_4_2_1_1_3 :
  radius.radius_bound 3 (2%:Q / 1%:Q : rat) (1%:Q / 3%:Q) =
  8%:Q / 27%:Q.
Proof.
rewrite /radius.radius_bound /radius.highest /radius.lowest /radius.largest_entry.
rewrite /radius.smallest_entry /structure.slack /error /alpha !big_ord_recl !big_ord0.
by apply/eqP; vm_compute.
Qed.
