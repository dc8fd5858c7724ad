"""Tong Tong: its tricks, its piles, its missions, and the match of three games."""
