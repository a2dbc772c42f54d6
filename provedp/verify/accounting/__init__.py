"""What described releases cost together: certified brackets of δ at ε and of ε at δ."""
