"""Tests of the demo's match of Tong Tong: its script, its tables, its deck, its pictures."""
