"""A table watched over time."""
