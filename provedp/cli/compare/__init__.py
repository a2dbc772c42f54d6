"""`provedp compare`: classic mechanisms beside the optimum."""
