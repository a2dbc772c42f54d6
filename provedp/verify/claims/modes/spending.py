"""What private estimators of modes spend as they are run: the code against the proofs."""

from provedp.verify.claims.prelude import *
from provedp.verify.spending import mutants as wrong
from provedp.verify.spending.suite import case_names, replay_count, spent

CASES = case_names("PrivateMod")
QUICK = tuple(
    name
    for name in CASES
    if name.startswith(("PrivateModes, replace-one", "PrivateModes, add-remove", "PrivateModalReg"))
)


@ours(
    Source(None, "PrivateModes", "as it is run on neighbours"),
    formula=spent,
    mutants=tuple(
        wrong.spent_with(each)
        for each in (
            wrong.free_box,
            wrong.field_for_presence,
            wrong.bins_for_presence,
            wrong.exact_number_for_the_box,
            wrong.low_threshold,
        )
    ),
)
@certified(case=levels(QUICK, CASES))
def runs_of_private_modes_spend_what_they_promise(spending: Formula, case: str) -> Finding:
    """On the pairs of neighbours of the suite, random and adversarial, by either adjacency, method
    and box: of two runs whose noisy numbers are forced to be the same, everything else that comes
    out is the same, bit for bit; noise is drawn at the same scales and as often, but for at most
    one occupied cell on either side, whose noisy count is below the threshold; and the profile that
    belongs to Σ (change/σ)² in exact arithmetic, and what the threshold adds, are at most δ, in
    balls. Some pair spends nine tenths of it.
    """
    found, runs = spending(case), Q(replay_count(case))
    return all_of(
        equal(found["released"], runs),
        equal(found["same"], runs),
        equal(found["kept"], runs),
        at_most(Q(1), found["share"]),
    )
