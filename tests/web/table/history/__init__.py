"""Tests of `web/table/history`."""
