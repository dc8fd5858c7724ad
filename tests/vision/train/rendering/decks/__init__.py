"""Tests of the rendered decks."""
