"""Tests of the hub protocol."""
