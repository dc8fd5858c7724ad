"""Decks of made-up design and dice with symbols: drawn, laid on tables, photographed."""
