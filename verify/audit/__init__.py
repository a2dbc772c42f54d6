"""Audits: test any mechanism against a claimed guarantee, from runs or from its exact law."""
