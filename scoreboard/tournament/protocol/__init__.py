"""The hub protocol, version 1: what a table and its hub say to each other, as values and JSON."""
