"""The claims: a room for each paper, and one for the privacy that all three rest on."""
