"""Tests of the table's side of an event."""
