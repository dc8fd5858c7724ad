"""Tests of `web/shared`."""
