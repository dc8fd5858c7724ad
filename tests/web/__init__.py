"""Tests of the page and the command line."""
