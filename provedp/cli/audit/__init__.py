"""`provedp audit`: the request, the run, what is shown and written."""
