"""Rendered photographs of dice: settled by physics, lit by path tracing (the training extra)."""
