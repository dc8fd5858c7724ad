"""Tests of who meets whom where two play."""
