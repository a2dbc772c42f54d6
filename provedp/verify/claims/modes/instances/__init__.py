"""What the claims of the modes paper are checked on."""
