"""What is claimed of a mechanism: notions of privacy, and what they allow an event."""
