"""Small mechanisms with known privacy: right ones, wrong ones, and wrong ones that shipped.

Each `Entry` has a mechanism, a pair of data sets, what is claimed of it, the least ε that is true
on that pair, and the id of the claim in the ledger from which that follows: for courses, and to
audit auditors. Each `Account` is an accountant, a sensitivity or a formula that was reported, which
is decided without a run.

>>> from provedp.verify.audit import audit, target
>>> from provedp.verify.audit.zoo import by_name, entries
>>> right, wrong = by_name("numpy Laplace"), by_name("Laplace, half scale")
>>> right.wrong, wrong.wrong, wrong.truth, wrong.proof
(False, True, 2, 'privacy.laplace_profile_is_the_largest_gap')
>>> for each in (right, wrong):
...     here = target(each.release, isolated=False)
...     result = audit(here, each.pair, each.claim, runs=5000, seed=1)
...     print(each.claim, result.refuted, result.epsilon_lower <= each.truth, each.exact())
(1, 0)-DP False True False
(1, 0)-DP True True True

Values are told from bits: the floats of the same noise give the data away.

>>> bits = by_name("numpy Laplace, bits")
>>> here = target(bits.release, isolated=False)
>>> audit(here, bits.pair, bits.claim, channel=bits.channel, runs=500, seed=1).refuted
True
>>> len({entry.name for entry in entries()}) == len(entries()) > 40
True
"""

from typing import TYPE_CHECKING

from provedp.lazy_names import lazy_names

if TYPE_CHECKING:
    from provedp.verify.audit.zoo.catalogue import accounts as accounts
    from provedp.verify.audit.zoo.catalogue import by_name as by_name
    from provedp.verify.audit.zoo.catalogue import entries as entries
    from provedp.verify.audit.zoo.entry import Account as Account
    from provedp.verify.audit.zoo.entry import Entry as Entry
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__)
