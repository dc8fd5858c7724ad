"""Tests of the rendered photographs of tiles."""
