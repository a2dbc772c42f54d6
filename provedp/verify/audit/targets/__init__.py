"""What is audited, the child process that runs it, and what comes back."""
