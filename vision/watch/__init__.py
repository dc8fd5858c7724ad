"""A table watched over time: rest, motion, consensus, proposals."""
