"""Tests of what can be touched."""
