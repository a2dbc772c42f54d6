"""What the claims of the mixture paper are checked on."""
