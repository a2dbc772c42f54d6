"""`provedp release`: mechanisms on files."""
