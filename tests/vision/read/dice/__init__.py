"""Tests of how the dice reader looks, crops and doubts."""
