"""The rulebooks, the table and the store."""
