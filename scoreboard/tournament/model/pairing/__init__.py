"""Pairings of two: Swiss, round robin, single and double elimination."""
