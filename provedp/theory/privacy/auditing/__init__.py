"""What the privacy of a mechanism allows those who guess about its data."""
