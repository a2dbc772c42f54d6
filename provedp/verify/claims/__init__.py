"""The claims: a room for each paper, and one for the privacy that all three rest on.

Files in here are compiled with guarded comparisons: see `provedp.verify.ledger.guards`.
"""

import sys

from provedp.verify.ledger.guarding import GuardedRoom

sys.meta_path.insert(0, GuardedRoom())
