"""Tests of the hub."""
