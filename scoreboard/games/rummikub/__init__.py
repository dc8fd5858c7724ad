"""Rummikub: its sets, the referee of a turn, and the flow of a round."""
