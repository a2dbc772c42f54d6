"""Reports of audits, each one page that needs no other file."""
