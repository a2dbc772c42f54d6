"""Eigenvalues of pairs of exact symmetric matrices, as balls with exact multiplicities."""

from flint import arb

from provedp.theory.matrices import Matrix, fmpq_matrix


def pencil_eigenvalues(left: Matrix, right: Matrix) -> list[tuple[arb, int]]:
    """Return the distinct λ with det(left − λ right) = 0 and their multiplicities.

    Parameters
    ----------
    left
        A symmetric matrix of exact numbers.
    right
        A symmetric positive definite matrix of exact numbers; then every λ is real.

    Returns
    -------
    Pairs of a ball at flint's current precision and a multiplicity; they add up to the dimension.
    """
    polynomial = (fmpq_matrix(right).inv() * fmpq_matrix(left)).charpoly()
    return [(root.real, multiplicity) for root, multiplicity in polynomial.complex_roots()]
