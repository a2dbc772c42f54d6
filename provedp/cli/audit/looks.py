"""How often the coins of canaries were looked at: each look spends part of one error."""

import hashlib
import json
from pathlib import Path
from typing import Any

from provedp.cli.audit.columns import CanaryRows
from provedp.cli.audit.run import json_of
from provedp.verify.files import write

LOOKS = "looks.json"


class Looks:
    """The audits of the same coins that a folder knows of.

    Parameters
    ----------
    folder
        Where they are kept.
    rows
        The coins, and what they are of.
    request
        What is asked of them now, as JSON data; the same request is no second look.

    Raises
    ------
    ValueError
        If there were as many other looks as are said to share the error, or at another share.
    """

    def __init__(self, folder: Path, rows: CanaryRows, request: dict[str, Any]):
        self._file = folder / LOOKS
        self._all: dict[str, list[str]] = self._read()
        self._coins = _hash(rows.included.tobytes(), repr(_units(rows)).encode())
        asked = json.dumps({**request, "scores": _hash(rows.scores.tobytes())}, sort_keys=True)
        self._asked = asked
        before = [each for each in self._all.get(self._coins, []) if each != asked]
        most = request["looks"]
        if len(before) >= most:
            raise ValueError(
                f"The coins of these canaries were audited before {len(before)}× with other"
                " scores or guesses: each look costs its part of the error. Draw new coins, or"
                f" say beforehand how many looks there are (--looks). Got {most}."
            )
        shares = {json.loads(each)["looks"] for each in before} - {most}
        if shares:
            raise ValueError(
                f"These coins were audited before as one of {shares.pop()} looks: --looks must stay"
                f" the same. Got {most}."
            )

    def keep(self) -> None:
        """Write that this look was taken."""
        listed = self._all.setdefault(self._coins, [])
        if self._asked not in listed:
            listed.append(self._asked)
        write(self._file, json_of(self._all))

    def _read(self) -> dict[str, list[str]]:
        if not self._file.exists():
            return {}
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(coins): [str(each) for each in looks] for coins, looks in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            raise ValueError(f"{self._file} cannot be read: it is no list of looks.") from None


def _units(rows: CanaryRows) -> Any:
    return None if rows.units is None else list(rows.units)


def _hash(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()
