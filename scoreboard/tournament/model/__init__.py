"""A tournament as a pure record: entries, rounds, results, standings."""
