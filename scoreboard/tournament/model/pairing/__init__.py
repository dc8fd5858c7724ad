"""Pairings of two: Swiss, single and double elimination."""
