"""The table's side of an event: what it has to tell its hub, and what it hears from it."""
