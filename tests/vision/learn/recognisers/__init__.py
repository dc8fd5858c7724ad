"""Tests of the recognisers."""
