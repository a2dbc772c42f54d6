"""A target all of whose runs fail tells nothing: the audit ends with its own error."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from provedp.verify.audit.targets.failures import failing
from provedp.verify.audit.targets.outputs import Batch
from provedp.verify.audit.targets.runner import Runner
from provedp.verify.audit.targets.target import Target, TargetError

PROBED = 20  # runs on each data set, before it is said that all fail


def require_any_output(target: Target, datasets: Sequence[Any]) -> None:
    """Raise `TargetError` if a run on each data set fails, and some more do."""
    with Runner(target, datasets) as runner:
        outputs = [runner.run(data, [side], 1) for side, data in enumerate(datasets)]
    require_outputs(target, datasets, outputs)


def require_outputs(
    target: Target, datasets: Sequence[Any], outputs: Sequence[Batch], probed: int = PROBED
) -> None:
    """Raise `TargetError` if all these runs failed, and some more on both data sets do."""
    if not all(failing(batch).all() for batch in outputs):
        return
    with Runner(target, datasets) as runner:
        for side, data in enumerate(datasets):
            if not failing(runner.run(data, [side], probed)).all():
                return
    with Runner(replace(target, errors="fail"), datasets) as runner:
        runner.run(datasets[0], [0], 1)
    raise TargetError("every run failed but the last one")
