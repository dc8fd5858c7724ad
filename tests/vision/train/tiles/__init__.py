"""Tests of how the tile reader is trained."""
