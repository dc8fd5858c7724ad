"""Tests of what trains the recognisers."""
