"""Tests of `web/table/camera`."""
