"""DP-SGD by Opacus on digits and canaries, right and wrong, in an environment of its own.

`python tests/benchmarks/peers/opacus_digits.py FOLDER SIGMA RATE ROUNDS CLIP STEP` trains on each
`records-SEED.npz` of the folder (arrays digits, labels, canaries, canary_labels, included) with
each trainer, and writes NAME-SEED.csv (columns included, loss, steps: a row for each canary), and
in NAME-SEED.json the state of the accountant, ε at δ = 1e-5 by three accountants, and the accuracy.

The trainers differ from Opacus's own as a user's mistakes do: gradients that are summed as they
are, noise that was meant for the average, and batches of a shuffle, which are accounted as Poisson.
"""

import json
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch  # type: ignore[import-not-found]
from opacus import PrivacyEngine  # type: ignore[import-not-found]
from opacus.accountants import create_accountant  # type: ignore[import-not-found]
from opacus.optimizers import DPOptimizer  # type: ignore[import-not-found]
from torch.utils.data import DataLoader, TensorDataset  # type: ignore[import-not-found]

DELTA = 1e-5
Tensor = Any


class Unclipped(DPOptimizer):  # type: ignore[misc]
    """Sums gradients as they are."""

    def clip_and_accumulate(self) -> None:
        """Sum."""
        for weights in self.params:
            weights.summed_grad = self._get_flat_grad_sample(weights).sum(dim=0)


class Divided(DPOptimizer):  # type: ignore[misc]
    """Adds noise to the sum that was meant for the average."""

    def add_noise(self) -> None:
        """Add noise of σ times the clipping norm, divided by the batch."""
        kept, self.noise_multiplier = (
            self.noise_multiplier,
            self.noise_multiplier / self.expected_batch_size,
        )
        super().add_noise()
        self.noise_multiplier = kept


@dataclass(frozen=True)
class Trainer:
    """A variant of Opacus's DP-SGD."""

    name: str
    optimizer: type[DPOptimizer] = DPOptimizer
    poisson: bool = True


TRAINERS = (
    Trainer("right"),
    Trainer("unclipped", Unclipped),
    Trainer("divided", Divided),
    Trainer("shuffled", poisson=False),
)


@dataclass(frozen=True)
class Settings:
    """Of all trainers."""

    sigma: float
    rate: float
    rounds: int
    clip: float
    step: float


class Canaries:
    """The canaries, each with a feature of its own, and the steps along their gradients."""

    def __init__(self, records: Any):
        self.points = torch.tensor(records["canaries"], dtype=torch.float32)
        self.labels = torch.tensor(records["canary_labels"])
        self.own = self.points.argmax(dim=1)
        self.along = torch.zeros(len(self.labels))

    def ways(self, weights: Tensor) -> Tensor:
        """Return the gradients by a canary's own weights, of length 1: a row for each class."""
        rests = torch.softmax(weights @ self.points.T, dim=0)
        rests[self.labels, torch.arange(len(self.labels))] -= 1
        return rests / rests.norm(dim=0)

    def note(self, ways: Tensor, moved: Tensor) -> None:
        """Add what a step moved the weights, along the gradients before it."""
        self.along -= (moved[:, self.own] * ways).sum(dim=0)

    def losses(self, weights: Tensor) -> Tensor:
        """Return the loss of each canary."""
        scores = (weights @ self.points.T).T
        return torch.nn.functional.cross_entropy(scores, self.labels, reduction="none")


def trained(trainer: Trainer, records: Any, asked: Settings) -> tuple[Tensor, Canaries, Any]:
    """Train, and return the weights, the canaries and the accountant."""
    included = records["included"]
    points = np.vstack([records["digits"], records["canaries"][included]])
    labels = np.concatenate([records["labels"], records["canary_labels"][included]])
    data = TensorDataset(torch.tensor(points, dtype=torch.float32), torch.tensor(labels))
    model = torch.nn.Linear(points.shape[1], 10, bias=False)
    torch.nn.init.zeros_(model.weight)
    # Opacus samples at a rate of one over the number of batches, which is to be the same for all.
    loader = DataLoader(data, batch_size=-(-len(data) // round(1 / asked.rate)), shuffle=True)
    engine = PrivacyEngine()
    model, optimizer, loader = engine.make_private(
        module=model,
        optimizer=torch.optim.SGD(model.parameters(), lr=asked.step),
        data_loader=loader,
        noise_multiplier=asked.sigma,
        max_grad_norm=asked.clip,
        poisson_sampling=trainer.poisson,
    )
    optimizer.__class__ = trainer.optimizer
    (weights,) = model.parameters()
    canaries, done = Canaries(records), 0
    while done < asked.rounds:
        for batch, classes in loader:
            before, ways = weights.detach().clone(), canaries.ways(weights.detach())
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(batch), classes).backward()
            optimizer.step()
            canaries.note(ways, weights.detach() - before)
            done += 1
    return weights.detach(), canaries, engine.accountant


def epsilon_by(mechanism: str, history: Any) -> float | str:
    """Return ε of one of Opacus's accountants, or its complaint."""
    accountant = create_accountant(mechanism)
    accountant.history = history
    try:
        return float(accountant.get_epsilon(DELTA))
    except (RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def write(stem: Path, records: Any, weights: Tensor, canaries: Canaries, accountant: Any) -> None:
    """Write the scores and the state."""
    table = np.c_[records["included"], canaries.losses(weights), canaries.along]
    np.savetxt(
        f"{stem}.csv", table, ["%d", "%.9g", "%.9g"], ",", header="included,loss,steps", comments=""
    )
    digits = torch.tensor(records["digits"], dtype=torch.float32)
    guessed = (digits @ weights.T).argmax(dim=1).numpy()
    said = {name: epsilon_by(name, accountant.history) for name in ("prv", "rdp", "gdp")}
    found = {
        "state": dict(accountant.state_dict()),
        "epsilon": said,
        "accuracy": float(np.mean(guessed == records["labels"])),
    }
    Path(f"{stem}.json").write_text(json.dumps(found), encoding="utf-8")


def main(folder: str, sigma: str, rate: str, rounds: str, clip: str, step: str) -> None:
    """Train on all records with all trainers."""
    warnings.simplefilter("ignore")  # of the noise, which is replayable
    torch.set_num_threads(1)
    asked = Settings(float(sigma), float(rate), int(rounds), float(clip), float(step))
    for path in sorted(Path(folder).glob("records-*.npz")):
        seed = path.stem.removeprefix("records-")
        for trainer in TRAINERS:
            torch.manual_seed(int(seed))
            records = np.load(path)
            found = trained(trainer, records, asked)
            write(path.parent / f"{trainer.name}-{seed}", records, *found)


if __name__ == "__main__":
    main(*sys.argv[1:])
