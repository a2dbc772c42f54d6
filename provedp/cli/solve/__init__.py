"""`provedp solve`: optima and divergences with what certifies them."""
