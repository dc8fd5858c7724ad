"""Tong Tong: its tricks, its piles, its missions."""
