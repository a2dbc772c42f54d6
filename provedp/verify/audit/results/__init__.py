"""What an audit found, as values, pages and counterexamples that can be replayed."""
