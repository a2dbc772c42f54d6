"""Whole audits: with fixed runs, until decided, of a profile, over many pairs."""
