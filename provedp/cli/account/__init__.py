"""`provedp account`: what described releases cost, and whether a claim about them is true."""
