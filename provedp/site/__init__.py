"""The ledger as pages to read: built whole, offline, without a server."""
