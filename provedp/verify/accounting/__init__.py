"""What described releases cost together: brackets of δ at ε and of ε at δ."""
