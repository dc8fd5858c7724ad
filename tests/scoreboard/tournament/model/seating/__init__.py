"""Tests of who sits with whom."""
