"""Audits without runs: mechanisms whose law, density or map is known."""
