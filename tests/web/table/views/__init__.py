"""Tests of the pages, one file a noun."""
