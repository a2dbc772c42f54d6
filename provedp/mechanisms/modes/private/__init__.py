"""One private density estimate, and everything that is read off it."""
