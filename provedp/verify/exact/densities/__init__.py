"""Audits of two densities on the line, in ball arithmetic."""
