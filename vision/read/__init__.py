"""Readers of dice and tiles, with the confidence of each reading."""
