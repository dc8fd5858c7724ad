"""Rendered photographs of dice and tiles: physics, then path tracing (the training extra)."""
