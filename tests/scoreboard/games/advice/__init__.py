"""Tests of Rummikub's sets and referee."""
