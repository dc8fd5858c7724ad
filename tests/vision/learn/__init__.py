"""Tests of teaching sets."""
