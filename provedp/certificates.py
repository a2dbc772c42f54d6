"""Certificates from Python: the command line's `check`."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provedp.verify.solvers import check as checker

NESTED = "{} cannot be read as a certificate: it is nested too deeply."

__all__ = ["CertificateCheck", "check_certificate"]


@dataclass(frozen=True)
class CertificateCheck:
    """What the check of a certificate found.

    Attributes
    ----------
    valid
        Whether it proves its claim.
    sentences
        What it proves; empty if it is not valid.
    fault
        Why it does not; empty if it is valid.
    """

    valid: bool
    sentences: tuple[str, ...] = ()
    fault: str = ""

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        return "\n".join(self.sentences) if self.valid else f"INVALID: {self.fault}"


def check_certificate(certificate: str | os.PathLike[str] | Mapping[str, Any]) -> CertificateCheck:
    """Check a certificate of a least error, without a solver and without floating point.

    Parameters
    ----------
    certificate
        The path of a JSON file, or what such a file holds; `provedp.verify.solvers.check` documents
        the format.

    Raises
    ------
    ValueError
        If the file cannot be read, or is not in the format.

    >>> from provedp import solve_counting
    >>> print(check_certificate(solve_counting(3, "ln(2)").certificate()))
    A private release errs with probability at most 1/2.
    No private release errs with probability below 1/2.
    """
    with _long_numbers():
        if isinstance(certificate, Mapping):
            document, where = dict(certificate), "The certificate"
        else:
            document, where = _read(Path(certificate)), os.fspath(certificate)
        try:
            return CertificateCheck(True, tuple(checker.check(document)))
        except checker.CertificateError as error:
            return CertificateCheck(False, fault=str(error))
        except RecursionError:
            raise ValueError(NESTED.format(where)) from None


@contextmanager
def _long_numbers() -> Iterator[None]:
    """Read and write numbers of as many digits as the checker takes."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(checker.MAX_DIGITS)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(allowed)


def _read(path: Path) -> Any:
    try:
        return checker.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path} cannot be read as a certificate: {error}") from None
    except RecursionError:
        raise ValueError(NESTED.format(path)) from None
