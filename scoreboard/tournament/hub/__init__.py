"""The hub of a tournament: many tables, one record."""
