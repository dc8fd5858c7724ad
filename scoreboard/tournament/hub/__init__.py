"""The hub of an event: many tables, one record."""
