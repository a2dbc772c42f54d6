"""What the private mixture spends as it is run: the code against the proofs of its guarantees."""

from provedp.verify.claims.prelude import *
from provedp.verify.spending import mutants as wrong
from provedp.verify.spending.suite import case_names, replay_count, spent

CASES = case_names("PrivateMixture")
QUICK = tuple(
    name for name in CASES if "two rounds" in name or "means only, 2" in name or "shape" in name
)


@ours(
    Source(None, "PrivateMixture", "as it is run on neighbours"),
    formula=spent,
    mutants=tuple(
        wrong.spent_with(each)
        for each in (
            wrong.half_the_scale,
            wrong.second_moments_without_noise,
            wrong.distances_without_noise,
            wrong.records_outside_the_ball,
            wrong.exact_number_of_records,
        )
    ),
)
@certified(case=levels(QUICK, CASES))
def runs_of_private_mixtures_spend_what_they_promise(spending: Formula, case: str) -> Finding:
    """On the pairs of neighbours of the suite, random and adversarial, by every adjacency: of two
    runs whose noisy numbers are forced to be the same, everything else that comes out is the same,
    bit for bit; noise is drawn at the same scales and as often; and the profile that belongs to
    Σ (change/σ)² in exact arithmetic, beside the count's own release, is at most δ, in balls. Some
    pair spends nine tenths of it, or what the case says where `moment_cost` is not attained.
    """
    found, runs = spending(case), Q(replay_count(case))
    return all_of(
        equal(found["released"], runs),
        equal(found["same"], runs),
        equal(found["kept"], runs),
        at_most(Q(1), found["share"]),
    )
