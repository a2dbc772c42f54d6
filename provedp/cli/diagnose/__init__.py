"""`provedp diagnose`: what the owner of data may look at and must not publish."""
