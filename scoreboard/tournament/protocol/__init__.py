"""The hub protocol, version 1: the messages of a table and its hub, as values and JSON."""
