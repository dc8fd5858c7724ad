"""Tests of `web/table/people`."""
