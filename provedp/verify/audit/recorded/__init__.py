"""Audits of outputs that were recorded: runs made elsewhere, a row for each."""
