"""Optima with certificates: floating-point solvers propose, exact arithmetic disposes."""
