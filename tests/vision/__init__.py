"""Tests of the way from an image to a proposal."""
