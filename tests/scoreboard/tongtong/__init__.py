"""Tests of Tong Tong's tricks, piles and missions."""
