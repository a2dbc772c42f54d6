"""The cheapest Gaussian noise that hides a set of displacements, between certified bounds."""
