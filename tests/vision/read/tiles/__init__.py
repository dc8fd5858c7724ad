"""Tests of the tile reader's parts."""
