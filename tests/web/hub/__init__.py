"""Tests of the hub's pages."""
