"""What the claims of the counting paper are checked on."""
