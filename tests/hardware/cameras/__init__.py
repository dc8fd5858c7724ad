"""Tests of the cameras, one file each."""
