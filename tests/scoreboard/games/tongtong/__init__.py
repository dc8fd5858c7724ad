"""Tests of Tong Tong: tricks, piles and missions, and whole matches."""
