"""Tests of `web/table/play`."""
