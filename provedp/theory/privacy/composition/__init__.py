"""What several releases promise together: by the textbook, at best, and exactly."""
