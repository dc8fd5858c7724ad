"""Tests of `web/table/sets`."""
