"""Decks and tile sets that no model knows: taught from a few photographs a face."""
