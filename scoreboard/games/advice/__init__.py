"""Advice on games: values of positions, best choices, luck and skill."""
