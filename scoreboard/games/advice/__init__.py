"""Advice on games: what positions are worth, the best choices, luck and skill."""
